import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { answerIn } from '../../events/answer-in.ts';
import { isRetry, pruneIn, saidIn } from '../../events/comment-in.ts';
import {
  type Around,
  checkRunPayload,
  checkSuitePayload,
  deploymentStatusPayload,
  issueCommentPayload,
  issuesPayload,
  pullRequestPayload,
  pushPayload,
} from '../../events/github.ts';
import type { Intake, IntakeOf } from '../../events/intake.ts';
import { pressedOf } from '../../events/pressed.ts';
import { wishIn } from '../../events/wish-in.ts';
import { versionOf } from '../../shared/dashboard/marker.ts';

type Recorded = 'kind' | 'id' | 'source' | 'deliveryId' | 'receivedAt' | 'status' | 'since' | 'writeId' | 'ttl';
type Happened<One> = One extends Intake ? Omit<One, Recorded> : never;
/** What happened, as the payload tells it: an intake without the fields that the moment of recording adds. */
export type Happening = Happened<Intake>;
type HappeningOf<Event extends Intake['event']> = Happened<IntakeOf<Event>>;

/** `nothing`: well formed, and no reason to do anything. Undefined: not of the documented shape. */
export type Reading = Happening | 'nothing' | undefined;

interface Handled {
  /** Those that start something; absent for an event without actions. */
  readonly actions?: readonly string[];
  readonly read: (payload: unknown) => Reading;
}

const reads =
  <T>(shape: z.ZodMiniType<T>, happening: (payload: T) => Happening | 'nothing') =>
  (payload: unknown): Reading => {
    const read = shape.safeParse(payload);
    return read.success ? happening(read.data) : undefined;
  };

/** Every event that is looked at; any other, and any other action of these, is acknowledged and forgotten. */
const handled: ReadonlyMap<string, Handled> = new Map<string, Handled>([
  ['pull_request', { actions: ['opened', 'reopened', 'synchronize', 'closed', 'edited'], read: reads(pullRequestPayload, ofPullRequest) }],
  ['deployment_status', { actions: ['created'], read: reads(deploymentStatusPayload, ofDeployment) }],
  ['push', { read: reads(pushPayload, ofPush) }],
  ['check_run', { actions: ['rerequested', 'requested_action'], read: reads(checkRunPayload, ofCheckRun) }],
  ['check_suite', { actions: ['rerequested'], read: reads(checkSuitePayload, ofCheckSuite) }],
  ['issue_comment', { actions: ['created'], read: reads(issueCommentPayload, ofComment) }],
  ['issues', { actions: ['edited', 'closed', 'deleted', 'transferred', 'unlabeled'], read: reads(issuesPayload, ofIssue) }],
]);

/** Names of the events that may start something. */
export const startingEvents: readonly string[] = [...handled.keys()];

/** Reads an event: what happened, or that it starts nothing; undefined when the payload is not of the documented shape. */
export function readEvent(event: string, payload: Readonly<Record<string, unknown>>): Reading {
  const known = handled.get(event);
  if (!known || (known.actions && !known.actions.some((one) => one === payload['action']))) return 'nothing';
  return known.read(payload);
}

/** The first 32 hex digits of SHA-256 over source and delivery id: a redelivery has the same (P6). */
export const intakeIdOf = (deliveryId: string): string => createHash('sha256').update(`github:${deliveryId}`).digest('hex').slice(0, 32);

function ofPullRequest(payload: z.infer<typeof pullRequestPayload>): HappeningOf<'pull_request'> | 'nothing' {
  const { action, pull_request: pull, changes, ...around } = payload;
  const { number, head, base } = pull;
  const fork = head.repo === null || head.repo.id !== base.repo.id;
  const what = { event: 'pull_request', ...whereAndWho(around), pullRequest: { number, headSha: head.sha, headBranch: head.ref, fork } } as const;
  if (action !== 'edited') return { format: 1, ...what, action };
  // Of what people edit on a pull request, where it goes alone changes what its merge would do.
  return changes?.base === undefined ? 'nothing' : { format: 6, ...what, action };
}

function ofDeployment(payload: z.infer<typeof deploymentStatusPayload>): HappeningOf<'deployment_status'> {
  const { action, deployment, deployment_status: status } = payload;
  const targetUrl = addressOf(status.target_url);
  const happened = { sha: deployment.sha, environment: deployment.environment, state: status.state, ...(targetUrl === undefined ? {} : { targetUrl }) };
  return { format: 1, event: 'deployment_status', action, ...whereAndWho(payload), deployment: happened };
}

/**
 * A branch's new tip. Tags and deleted branches start nothing, and neither does a branch that GitHub itself says is not the default
 * one: believing that can only make us do less. That a branch *is* the default one, the controller asks.
 */
function ofPush({ ref, after, deleted, ...around }: z.infer<typeof pushPayload>): HappeningOf<'push'> | 'nothing' {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (branch === undefined || deleted || branch !== around.repository.default_branch) return 'nothing';
  return { format: 2, event: 'push', ...whereAndWho(around), push: { branch, sha: after } };
}

function ofCheckRun({ action, check_run, requested_action, ...around }: z.infer<typeof checkRunPayload>): HappeningOf<'check_run'> | 'nothing' {
  const { id, head_sha: sha, external_id: externalId } = check_run;
  if (!externalId) return 'nothing';
  const where = { event: 'check_run', action, ...whereAndWho(around) } as const;
  if (action === 'rerequested') return { format: 2, ...where, check: { sha, externalId } };
  const pressed = pressedOf(requested_action?.identifier ?? '');
  return pressed === undefined ? 'nothing' : { format: 4, ...where, check: { sha, externalId, id, pressed } };
}

function ofCheckSuite({ action, check_suite: suite, ...around }: z.infer<typeof checkSuitePayload>): HappeningOf<'check_suite'> {
  return { format: 2, event: 'check_suite', action, ...whereAndWho(around), suite: { sha: suite.head_sha } };
}

function ofComment({ action, issue, comment, ...around }: z.infer<typeof issueCommentPayload>): HappeningOf<'issue_comment'> | 'nothing' {
  const onPullRequest = issue.pull_request !== undefined && issue.pull_request !== null;
  if (!onPullRequest || around.sender.type === 'Bot') return 'nothing';
  const where = { event: 'issue_comment', action, ...whereAndWho(around) } as const;
  const open = issue.state === 'open';
  const at = { pullRequest: issue.number, id: comment.id };
  if (isRetry(comment.body)) return !open ? 'nothing' : { format: 2, ...where, comment: at };
  const prune = pruneIn(comment.body);
  if (prune) return !open ? 'nothing' : { format: 3, ...where, comment: { ...at, prune } };
  // What is asked of a merged pull request's commit is answered there, and that is closed. Without a digest its author is told to name one.
  const answered = answerIn(comment.body);
  if (answered) return { format: 4, ...where, comment: { ...at, answered } };
  const wished = wishIn(comment.body);
  if (wished) return { format: 5, ...where, comment: { ...at, wished } };
  const said = saidIn(comment.body);
  // What a removal waits for is said when the pull request is closed.
  return said && (open || said.verb === 'confirm') ? { format: 3, ...where, comment: { ...at, said } } : 'nothing';
}

/**
 * The dashboard: an issue that an app opened, which begins, or began before this edit, with the root marker. That app's own edits are none of
 * its news. Nothing of the body is kept: who ticked what the host's own history tells.
 */
function ofIssue({ action, issue, changes, ...around }: z.infer<typeof issuesPayload>): HappeningOf<'issues'> | 'nothing' {
  const bodies = [issue.body, changes?.body?.from];
  const isDashboard = issue.user?.type === 'Bot' && bodies.some((body) => typeof body === 'string' && versionOf(body) !== undefined);
  if (!isDashboard || around.sender.login === issue.user?.login) return 'nothing';
  return { format: 7, event: 'issues', action, ...whereAndWho(around), issue: { number: issue.number } };
}

function whereAndWho({ repository, sender }: Around): Pick<Happening, 'repository' | 'sender'> {
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
