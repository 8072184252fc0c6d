import { createHash } from 'node:crypto';
import { type DeploymentStatusPayload, deploymentStatusPayload, handledActions, type PullRequestPayload, pullRequestPayload } from '../../events/github.ts';
import type { Intake } from '../../events/intake.ts';

/** What happened, as the payload tells it: an intake without the fields that the moment of recording adds. */
export type Happening = Pick<Intake, 'event' | 'action' | 'repository' | 'sender' | 'pullRequest' | 'deployment'>;

/** Whether an event with this action starts anything at all. */
export const isHandled = (event: string, action: unknown): boolean => handledActions.get(event)?.some((one) => one === action) ?? false;

/** Reads a handled event; undefined when the payload is not of the documented shape. */
export function happeningOf(event: string, payload: unknown): Happening | undefined {
  if (event === 'pull_request') {
    const read = pullRequestPayload.safeParse(payload);
    return read.success ? pullRequestHappening(read.data) : undefined;
  }
  const read = deploymentStatusPayload.safeParse(payload);
  return read.success ? deploymentHappening(read.data) : undefined;
}

/** The first 32 hex digits of SHA-256 over source and delivery id: a redelivery has the same (P6). */
export const intakeIdOf = (deliveryId: string): string => createHash('sha256').update(`github:${deliveryId}`).digest('hex').slice(0, 32);

function pullRequestHappening({ action, pull_request: { number, head, base }, repository, sender }: PullRequestPayload): Happening {
  const fork = head.repo === null || head.repo.id !== base.repo.id;
  return { event: 'pull_request', action, ...whereAndWho(repository, sender), pullRequest: { number, headSha: head.sha, headBranch: head.ref, fork } };
}

function deploymentHappening({ action, deployment, deployment_status: status, repository, sender }: DeploymentStatusPayload): Happening {
  const targetUrl = addressOf(status.target_url);
  const happened = { sha: deployment.sha, environment: deployment.environment, state: status.state, ...(targetUrl === undefined ? {} : { targetUrl }) };
  return { event: 'deployment_status', action, ...whereAndWho(repository, sender), deployment: happened };
}

function whereAndWho(repository: PullRequestPayload['repository'], sender: PullRequestPayload['sender']): Pick<Happening, 'repository' | 'sender'> {
  return {
    repository: { id: String(repository.id), owner: repository.owner.login, name: repository.name, defaultBranch: repository.default_branch },
    sender: { login: sender.login, type: sender.type },
  };
}

/** Origin and path of a web address: query, fragment and user part can carry tokens, and what is stored carries none. */
function addressOf(url: string | null | undefined): string | undefined {
  const parsed = url ? URL.parse(url) : null;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') return undefined;
  const address = `${parsed.origin}${parsed.pathname}`;
  return address.length <= 2048 ? address : undefined;
}
