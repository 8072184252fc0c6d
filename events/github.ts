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

const repository = z.object({ id, name, owner: z.object({ login: name }), default_branch: name });
const sender = z.object({ login: name, type: name });

/** Which actions of which event start something; any other is acknowledged and forgotten. */
export const handledActions: ReadonlyMap<string, readonly string[]> = new Map([
  ['pull_request', ['opened', 'reopened', 'synchronize', 'closed']],
  ['deployment_status', ['created']],
]);

export const pullRequestPayload = z.object({
  action: z.enum(['opened', 'reopened', 'synchronize', 'closed']),
  pull_request: z.object({
    number: z.int().check(z.positive()),
    /** `repo` is null when the fork was deleted. */
    head: z.object({ sha, ref: name, repo: z.nullable(z.object({ id })) }),
    base: z.object({ repo: z.object({ id }) }),
  }),
  repository,
  sender,
});

export const deploymentStatusPayload = z.object({
  action: z.literal('created'),
  deployment: z.object({ sha, environment: z.string().check(z.maxLength(512)) }),
  deployment_status: z.object({ state: z.string().check(z.maxLength(64)), target_url: z.optional(z.nullable(z.string())) }),
  repository,
  sender,
});

export type PullRequestPayload = z.infer<typeof pullRequestPayload>;
export type DeploymentStatusPayload = z.infer<typeof deploymentStatusPayload>;
