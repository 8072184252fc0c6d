import { z } from 'zod';
import type { Pressed } from './pressed.ts';
import { said } from './said.ts';

const pressed: z.ZodType<Pressed> = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.enum(['approve', 'reject']), digest: z.string().regex(/^[0-9a-f]{12}$/), question: z.string().regex(/^[\w-]{6}$/) }),
  z.strictObject({ verb: z.literal('reconcile') }),
]);

const names = z.string().min(1).max(512);
const commitSha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const instant = z.iso.datetime();
const number = z.int().min(1);

/** The name an intake has everywhere: the first 32 hex digits of a SHA-256 over its source and delivery id. */
const intakeId = z.string().regex(/^[0-9a-f]{32}$/);

/** What every intake holds, whatever happened. */
const common = {
  kind: z.literal('intake'),
  id: intakeId,
  source: z.literal('github'),
  deliveryId: names,
  receivedAt: instant,
  repository: z.strictObject({ id: z.string().regex(/^\d+$/), owner: names, name: names, defaultBranch: names }),
  sender: z.strictObject({ login: names, type: names }),
  /** Partition of the `due` index: the sweep finds what was recorded and never queued. */
  status: z.enum(['recorded', 'done', 'died']),
  /** Sort key of the `due` index; removed together with the change to `done`, which takes the item out of the index. */
  since: instant.optional(),
  writeId: names,
  /** When the table may forget it, epoch seconds. */
  ttl: z.int().positive(),
};

/** `edited` (format 6): it goes to another branch than before. */
const pullRequestIntake = z.strictObject({
  ...common,
  format: z.literal([1, 6]),
  event: z.literal('pull_request'),
  action: z.enum(['opened', 'reopened', 'synchronize', 'closed', 'edited']),
  pullRequest: z.strictObject({ number, headSha: commitSha, headBranch: names, fork: z.boolean() }),
});

const deploymentIntake = z.strictObject({
  ...common,
  format: z.literal(1),
  event: z.literal('deployment_status'),
  action: z.literal('created'),
  deployment: z.strictObject({ sha: commitSha, environment: z.string().max(512), state: z.string().max(64), targetUrl: z.string().max(2048).optional() }),
});

/** A branch that points to another commit now. */
const pushIntake = z.strictObject({
  ...common,
  format: z.literal(2),
  event: z.literal('push'),
  push: z.strictObject({ branch: names, sha: commitSha }),
});

/** "Re-run" on one check, or one of its buttons (format 4): what the check carries as its external id says which. */
const checkRunIntake = z.strictObject({
  ...common,
  format: z.literal([2, 4]),
  event: z.literal('check_run'),
  action: z.enum(['rerequested', 'requested_action']),
  check: z.strictObject({ sha: commitSha, externalId: names, id: number.optional(), pressed: pressed.optional() }),
});

/** "Re-run all checks" of a commit. */
const checkSuiteIntake = z.strictObject({
  ...common,
  format: z.literal(2),
  event: z.literal('check_suite'),
  action: z.literal('rerequested'),
  suite: z.strictObject({ sha: commitSha }),
});

/** What of its orphans a scope is to lose: those of one line, all, or, with neither, none: then it shows them. */
const prune = z.strictObject({ line: names.optional(), all: z.literal(true).optional() });

/** Somebody's answer to the question whose digest begins so. */
const answered = z.strictObject({ verdict: z.enum(['approve', 'reject']), digest: names });

/** What somebody wants of one run, by the beginning of its id; or, to take their answer back, by that of a plan's digest. */
const wished = z.strictObject({ verb: z.enum(['withdraw', 'cancel', 'undo']), of: names });

/**
 * Somebody wrote `/lockkeeper retry` on a pull request, or said something about a line or asked for a prune (format 3), or answered a question
 * (format 4), or wants to take an answer back, to stop a run, or to undo one (format 5). Whether they may is asked of the host, and so is whether they
 * wrote it: `id` is the comment's, which only earlier versions left out of formats 2 and 3.
 */
const commentIntake = z.strictObject({
  ...common,
  format: z.literal([2, 3, 4, 5]),
  event: z.literal('issue_comment'),
  action: z.literal('created'),
  comment: z.strictObject({
    pullRequest: number,
    id: number.optional(),
    said: said.optional(),
    prune: prune.optional(),
    answered: answered.optional(),
    wished: wished.optional(),
  }),
});

/** Something happened to the dashboard issue (format 7). What stands in it, and whose doing that is, the host tells. */
const issueIntake = z.strictObject({
  ...common,
  format: z.literal(7),
  event: z.literal('issues'),
  action: z.enum(['edited', 'closed', 'deleted', 'transferred', 'unlabeled']),
  issue: z.strictObject({ number }),
});

/**
 * What a webhook leaves behind: the item `RUN#<id>` / `META` of the table (without its keys), written once by the
 * webhook handler and read by the controller's intake step (P6). It holds what that step needs and no free text but names.
 *
 * It says that something happened, not what is true: the controller asks the host before it acts.
 *
 * Events that format 1 knew are written as it wrote them, so that older code still reads them. Format 2 added the others: code
 * that knows format 1 alone refuses such an item, and its message comes back until newer code takes it. Format 3 is a comment that says
 * something about a line, or asks for a prune: older code would take it for a retry. Format 4 is an answer to a question, format 5 a comment that takes one back, or stops or
 * undoes a run, format 6 a pull request that goes to another branch, format 7 something that happened to the dashboard issue.
 */
export const intake = z.discriminatedUnion('event', [
  pullRequestIntake,
  deploymentIntake,
  pushIntake,
  checkRunIntake,
  checkSuiteIntake,
  commentIntake,
  issueIntake,
]);
export type Intake = z.infer<typeof intake>;
/** The intakes of one kind of event. */
export type IntakeOf<Event extends Intake['event']> = Extract<Intake, { event: Event }>;
