import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { answerIn } from '../../events/answer-in.ts';
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
import type { Said } from '../../events/said.ts';
import { wishIn } from '../../events/wish-in.ts';

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
  /** Read, and never the start of anything: the App need not subscribe to it. */
  readonly idle?: true;
}

const reads =
  <T>(shape: z.ZodMiniType<T>, happening: (payload: T) => Happening | 'nothing') =>
  (payload: unknown): Reading => {
    const read = shape.safeParse(payload);
    return read.success ? happening(read.data) : undefined;
  };

/** Every event that is looked at; any other, and any other action of these, is acknowledged and forgotten. */
const handled: ReadonlyMap<string, Handled> = new Map<string, Handled>([
  ['pull_request', { actions: ['opened', 'reopened', 'synchronize', 'closed'], read: reads(pullRequestPayload, ofPullRequest) }],
  ['deployment_status', { actions: ['created'], read: reads(deploymentStatusPayload, ofDeployment) }],
  ['push', { read: reads(pushPayload, ofPush) }],
  ['check_run', { actions: ['rerequested', 'requested_action'], read: reads(checkRunPayload, ofCheckRun) }],
  ['check_suite', { actions: ['rerequested'], read: reads(checkSuitePayload, ofCheckSuite) }],
  ['issue_comment', { actions: ['created'], read: reads(issueCommentPayload, ofComment) }],
  ['issues', { actions: ['opened', 'edited', 'closed', 'reopened'], read: reads(issuesPayload, () => 'nothing'), idle: true }],
]);

/** Names of the events that may start something. */
export const startingEvents: readonly string[] = [...handled].filter(([, { idle }]) => !idle).map(([name]) => name);

/** Reads an event: what happened, or that it starts nothing; undefined when the payload is not of the documented shape. */
export function readEvent(event: string, payload: Readonly<Record<string, unknown>>): Reading {
  const known = handled.get(event);
  if (!known || (known.actions && !known.actions.some((one) => one === payload['action']))) return 'nothing';
  return known.read(payload);
}

/** The first 32 hex digits of SHA-256 over source and delivery id: a redelivery has the same (P6). */
export const intakeIdOf = (deliveryId: string): string => createHash('sha256').update(`github:${deliveryId}`).digest('hex').slice(0, 32);

function ofPullRequest({ action, pull_request: { number, head, base }, ...around }: z.infer<typeof pullRequestPayload>): HappeningOf<'pull_request'> {
  const fork = head.repo === null || head.repo.id !== base.repo.id;
  return { format: 1, event: 'pull_request', action, ...whereAndWho(around), pullRequest: { number, headSha: head.sha, headBranch: head.ref, fork } };
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

/** The sentences of a comment that are listened to, on its first line. Nothing else of a comment's text is kept. */
const retry = /^[ \t]*\/lockkeeper[ \t]+retry[ \t]*(?:\r?\n|$)/;
const prune = /^[ \t]*\/lockkeeper[ \t]+prune(?:[ \t]+(\S{1,512}))?[ \t]*(?:\r?\n|$)/;
const aboutLine = /^[ \t]*\/lockkeeper[ \t]+(adopt|accept|reconcile|recreate|confirm)[ \t]+([^\r\n]+)/;

function ofComment({ action, issue, comment, ...around }: z.infer<typeof issueCommentPayload>): HappeningOf<'issue_comment'> | 'nothing' {
  const onPullRequest = issue.pull_request !== undefined && issue.pull_request !== null;
  if (!onPullRequest || around.sender.type === 'Bot') return 'nothing';
  const where = { event: 'issue_comment', action, ...whereAndWho(around) } as const;
  const open = issue.state === 'open';
  if (retry.test(comment.body)) return !open ? 'nothing' : { format: 2, ...where, comment: { pullRequest: issue.number } };
  const pruned = prune.exec(comment.body);
  if (pruned) return !open ? 'nothing' : { format: 3, ...where, comment: { pullRequest: issue.number, prune: pruneOf(pruned[1]) } };
  // What is asked of a merged pull request's commit is answered there, and that is closed. Without a digest its author is told to name one.
  const answered = answerIn(comment.body);
  if (answered) return { format: 4, ...where, comment: { pullRequest: issue.number, id: comment.id, answered } };
  const wished = wishIn(comment.body);
  if (wished) return { format: 5, ...where, comment: { pullRequest: issue.number, id: comment.id, wished } };
  const said = saidIn(comment.body);
  // What a removal waits for is said when the pull request is closed.
  return said && (open || said.verb === 'confirm') ? { format: 3, ...where, comment: { pullRequest: issue.number, said } } : 'nothing';
}

const pruneOf = (word: string | undefined) => (word === undefined ? {} : word === '--all' ? ({ all: true } as const) : { line: word });

/** `adopt <line>`, `reconcile <line>`, `recreate <line>`, `confirm <line>`, `accept <line> until <date> <reason>`. What is missing of the last the controller tells its author. */
function saidIn(body: string): Said | undefined {
  const [, verb, rest] = aboutLine.exec(body) ?? [];
  const [line = '', ...words] = (rest ?? '').trim().split(/[ \t]+/);
  if (verb === undefined || line === '' || line.length > 512) return undefined;
  if (verb !== 'accept') return words.length === 0 ? { verb: verb as Said['verb'], line } : undefined;
  const [until, ...why] = words[0] === 'until' ? words.slice(1) : [undefined, ...words];
  const reason = why.join(' ').slice(0, 1000);
  return { verb, line, ...(until === undefined ? {} : { until: until.slice(0, 64) }), ...(reason === '' ? {} : { reason }) };
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
