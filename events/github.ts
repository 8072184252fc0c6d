/**
 * The parts of GitHub's webhook payloads that we read; everything else in them is ignored.
 * Shapes: https://docs.github.com/en/webhooks/webhook-events-and-payloads.
 *
 * zod's small variant, because the webhook function's start-up time is a budget and this is all it validates with.
 */
import * as z from 'zod/mini';

const name = z.string().check(z.minLength(1), z.maxLength(512));
const sha = z.string().check(z.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/));
const id = z.int().check(z.positive());

/** What stands in the payload of every event of a repository. */
const around = {
  repository: z.object({ id, name, owner: z.object({ login: name }), default_branch: name }),
  sender: z.object({ login: name, type: name }),
};

export const pullRequestPayload = z.object({
  action: z.enum(['opened', 'reopened', 'synchronize', 'closed', 'edited']),
  pull_request: z.object({
    number: id,
    /** `repo` is null when the fork was deleted. */
    head: z.object({ sha, ref: name, repo: z.nullable(z.object({ id })) }),
    base: z.object({ repo: z.object({ id }) }),
  }),
  /** With `edited`: what was edited. `base`: the branch it goes to. */
  changes: z.optional(z.object({ base: z.optional(z.unknown()) })),
  ...around,
});

export const deploymentStatusPayload = z.object({
  action: z.literal('created'),
  deployment: z.object({ sha, environment: z.string().check(z.maxLength(512)) }),
  deployment_status: z.object({ state: z.string().check(z.maxLength(64)), target_url: z.optional(z.nullable(z.string())) }),
  ...around,
});

/** It has no action. `ref` is `refs/heads/<branch>` or `refs/tags/<tag>`; `after` is all zeros for one that was deleted. */
export const pushPayload = z.object({ ref: name, after: sha, deleted: z.boolean(), ...around });

/**
 * Sent to the app that made the check. An external id is free text of that app's, and empty where it gave none. `requested_action`: somebody
 * pressed a button that the app put there, by its identifier.
 */
export const checkRunPayload = z.object({
  action: z.enum(['rerequested', 'requested_action']),
  check_run: z.object({ id, head_sha: sha, external_id: z.nullish(z.string().check(z.maxLength(512))) }),
  requested_action: z.optional(z.object({ identifier: z.string().check(z.maxLength(64)) })),
  ...around,
});

export const checkSuitePayload = z.object({ action: z.literal('rerequested'), check_suite: z.object({ head_sha: sha }), ...around });

/** A comment on an issue or a pull request: the latter has `pull_request`. */
export const issueCommentPayload = z.object({
  action: z.literal('created'),
  issue: z.object({ number: id, state: name, pull_request: z.optional(z.unknown()) }),
  comment: z.object({ id, body: z.string() }),
  ...around,
});

/** An issue: whose it is and how its body begins tell whether it is the dashboard. `body` is null where it has none. */
export const issuesPayload = z.object({
  action: z.enum(['edited', 'closed', 'deleted', 'transferred', 'unlabeled']),
  issue: z.object({ number: id, body: z.nullish(z.string()), user: z.nullish(z.object({ login: name, type: name })) }),
  /** Of an edit of its body: what the body was before. */
  changes: z.optional(z.object({ body: z.optional(z.object({ from: z.string() })) })),
  ...around,
});

/** Who and where, as every payload has it. */
export type Around = Pick<z.infer<typeof pushPayload>, 'repository' | 'sender'>;
