import { one, repositoryOf } from '../control/places.ts';
import type { Json } from '../wire/answer.ts';
import { numeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { iso } from '../world/world.ts';
import { checkRunPayload, checkSuitePayload, commentPayload, pressedPayload } from './again-payloads.ts';
import { appShape } from './app-shape.ts';
import { around } from './around.ts';
import { issueShape, issuesOf } from './issues.ts';
import { accountShape, nodeId } from './people.ts';
import { pullShape } from './pulls.ts';
import { pushPayload } from './push-payload.ts';
import { inWebhook, repositoryShape } from './repository-shape.ts';

/** What GitHub would send: the event's name (`X-GitHub-Event`) and the body. */
export interface Webhook {
  readonly event: string;
  readonly payload: Json;
}

interface InRepository {
  /** `owner/name` or the number; may be left out while there is one repository. */
  readonly repository?: string;
}

interface OfPull extends InRepository {
  readonly number: number;
  /** Whose doing it was: kim, unless it is said. */
  readonly sender?: string;
}

/** What each kind of webhook needs to know; the rest is what the cloud holds now. */
export interface WebhookInput {
  'pull_request.opened': OfPull;
  'pull_request.reopened': OfPull;
  'pull_request.closed': OfPull;
  /** `before`: the head the pull request had. */
  'pull_request.synchronize': OfPull & { readonly before: string };
  deployment_status: InRepository & {
    readonly sha: string;
    /** The deployment's ref; the SHA when absent, as Vercel sends it. */
    readonly ref?: string;
    readonly environment?: string;
    readonly state?: 'pending' | 'queued' | 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';
    /** Where the deployment can be seen. */
    readonly url?: string;
  };
  /** Of a branch; `after` is its tip when absent, and `deleted` says that it is gone. `ref` names a tag, or whatever else. */
  push: InRepository & {
    readonly branch?: string;
    readonly ref?: string;
    readonly before?: string;
    readonly after?: string;
    readonly deleted?: true;
    readonly sender?: string;
  };
  /** The check's number. */
  'check_run.rerequested': InRepository & { readonly id: number; readonly sender?: string };
  /** The check's number, and the identifier of the button. */
  'check_run.requested_action': InRepository & { readonly id: number; readonly identifier: string; readonly sender?: string };
  'check_suite.rerequested': InRepository & { readonly sha: string; readonly sender?: string };
  /** Writes the comment, too. */
  'issue_comment.created': OfPull & { readonly body: string };
  /** Of an issue, by its number; `from`: what its body was before that edit. */
  'issues.edited': OfPull & { readonly from?: string };
  'issues.closed': OfPull;
  'issues.deleted': OfPull;
  ping: InRepository;
}

export type WebhookKind = keyof WebhookInput;

const builders: { [Kind in WebhookKind]: (input: WebhookInput[Kind], scene: Scene) => Webhook } = {
  'pull_request.opened': (input, scene) => pullEvent(scene, 'opened', input, {}),
  'pull_request.reopened': (input, scene) => pullEvent(scene, 'reopened', input, {}),
  'pull_request.closed': (input, scene) => pullEvent(scene, 'closed', input, {}),
  'pull_request.synchronize': (input, scene) => pullEvent(scene, 'synchronize', input, { before: input.before }),
  deployment_status: deploymentEvent,
  push: pushEvent,
  'check_run.rerequested': ({ id, sender = 'kim', repository }, scene) => ({
    event: 'check_run',
    payload: checkRunPayload(scene, repositoryOf(scene, repository), id, sender),
  }),
  'check_run.requested_action': ({ id, identifier, sender = 'kim', repository }, scene) => ({
    event: 'check_run',
    payload: pressedPayload(scene, repositoryOf(scene, repository), id, identifier, sender),
  }),
  'check_suite.rerequested': ({ sha, sender = 'kim', repository }, scene) => ({
    event: 'check_suite',
    payload: checkSuitePayload(scene, repositoryOf(scene, repository), sha, sender),
  }),
  'issue_comment.created': ({ number, body, sender = 'kim', repository }, scene) => ({
    event: 'issue_comment',
    payload: commentPayload(scene, repositoryOf(scene, repository), number, body, sender),
  }),
  'issues.edited': ({ from, ...input }, scene) => issueEvent(scene, 'edited', input, from === undefined ? {} : { changes: { body: { from } } }),
  'issues.closed': (input, scene) => issueEvent(scene, 'closed', input, {}),
  'issues.deleted': (input, scene) => issueEvent(scene, 'deleted', input, {}),
  ping: pingEvent,
};

/** Builds the webhook that GitHub would send about the cloud as it is now. Throws NoSuchThing. */
export function webhookOf<Kind extends WebhookKind>(scene: Scene, kind: Kind, input: WebhookInput[Kind]): Webhook {
  return builders[kind](input, scene);
}

function pullEvent(scene: Scene, action: string, input: OfPull, more: Json): Webhook {
  const repository = repositoryOf(scene, input.repository);
  const pull = one(`pull request ${input.number} in ${repository.owner}/${repository.name}`, repository.pulls, (each) => each.number === input.number);
  const change = 'before' in more ? { ...more, after: pull.head } : more;
  const shown = pullInWebhook(pullShape(scene.urls.github, repository, pull));
  const payload = { action, number: pull.number, pull_request: shown, ...change, ...around(scene, repository, input.sender ?? 'kim') };
  return { event: 'pull_request', payload };
}

function issueEvent(scene: Scene, action: string, { number, repository: named, sender = 'kim' }: OfPull, more: Json): Webhook {
  const repository = repositoryOf(scene, named);
  const issue = one(`issue ${number} in ${repository.owner}/${repository.name}`, issuesOf(repository), (each) => each.number === number);
  return { event: 'issues', payload: { action, issue: issueShape(scene, repository, issue), ...more, ...around(scene, repository, sender) } };
}

function pullInWebhook({ head, base, ...pull }: Json): Json {
  const side = (one: unknown): Json => {
    const { repo, ...rest } = one as { repo: Json | null };
    return { ...rest, repo: repo === null ? null : inWebhook(repo) };
  };
  return { ...pull, head: side(head), base: side(base) };
}

function pushEvent(input: WebhookInput['push'], scene: Scene): Webhook {
  const repository = repositoryOf(scene, input.repository);
  const branch = input.branch ?? repository.defaultBranch;
  const after = input.deleted ? undefined : (input.after ?? repository.branches[branch]);
  const told = { ref: input.ref ?? `refs/heads/${branch}`, sender: input.sender ?? 'kim' };
  const moved = { ...(input.before === undefined ? {} : { before: input.before }), ...(after === undefined ? {} : { after }) };
  return { event: 'push', payload: pushPayload(scene, repository, { ...told, ...moved }) };
}

function deploymentEvent(input: WebhookInput['deployment_status'], scene: Scene): Webhook {
  const repository = repositoryOf(scene, input.repository);
  const api = `${scene.urls.github}/repos/${repository.owner}/${repository.name}`;
  const creator = accountShape(scene.urls.github, 'vercel[bot]');
  const environment = input.environment ?? 'Preview';
  const id = numeric(scene.world.source, 2_900_000_000);
  const statusId = numeric(scene.world.source, 7_300_000_000);
  const url = `${api}/deployments/${id}`;
  const times = { created_at: iso(scene.now), updated_at: iso(scene.now) };
  const target = input.url ?? '';
  return {
    event: 'deployment_status',
    payload: {
      action: 'created',
      deployment_status: {
        url: `${url}/statuses/${statusId}`,
        id: statusId,
        node_id: nodeId('DES', statusId),
        state: input.state ?? 'success',
        creator,
        description: '',
        environment,
        target_url: target,
        ...times,
        deployment_url: url,
        repository_url: api,
        environment_url: target,
        log_url: target,
        performed_via_github_app: null,
      },
      deployment: {
        url,
        id,
        node_id: nodeId('DE', id),
        task: 'deploy',
        original_environment: environment,
        environment,
        description: null,
        ...times,
        statuses_url: `${url}/statuses`,
        repository_url: api,
        creator,
        sha: input.sha,
        ref: input.ref ?? input.sha,
        payload: {},
        transient_environment: false,
        production_environment: environment === 'Production',
        performed_via_github_app: null,
      },
      check_run: null,
      workflow: null,
      workflow_run: null,
      ...around(scene, repository, 'vercel[bot]'),
    },
  };
}

function pingEvent(input: WebhookInput['ping'], scene: Scene): Webhook {
  const repository = repositoryOf(scene, input.repository);
  const id = 512_340_987;
  const hooks = `${scene.urls.github}/repos/${repository.owner}/${repository.name}/hooks/${id}`;
  return {
    event: 'ping',
    payload: {
      zen: 'Keep it logically awesome.',
      hook_id: id,
      hook: {
        type: 'Repository',
        id,
        name: 'web',
        active: true,
        events: appShape(scene)['events'],
        config: { content_type: 'json', url: 'https://lockkeeper.acme.example/github', insecure_ssl: '0', secret: '********' },
        updated_at: iso(scene.now),
        created_at: iso(scene.now),
        url: hooks,
        test_url: `${hooks}/test`,
        ping_url: `${hooks}/pings`,
        deliveries_url: `${hooks}/deliveries`,
        last_response: { code: null, status: 'unused', message: null },
      },
      repository: inWebhook(repositoryShape(scene.urls.github, repository)),
      sender: accountShape(scene.urls.github, 'kim'),
    },
  };
}
