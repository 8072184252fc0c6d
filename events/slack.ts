/**
 * The parts of Slack's interaction payloads that we read; everything else in them, the response URL above all, is ignored.
 * Shapes: https://docs.slack.dev/reference/interaction-payloads/block_actions-payload.
 *
 * zod's small variant, because the function that reads it has three seconds for its answer, start-up included.
 */
import * as z from 'zod/mini';

const slackId = z.string().check(z.regex(/^[A-Z0-9]{1,32}$/));

/** A button that was pressed on a message. */
export const blockActions = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: slackId, team_id: z.optional(slackId) }),
  team: z.optional(z.nullable(z.object({ id: slackId }))),
  container: z.object({ type: z.literal('message'), channel_id: slackId, message_ts: z.string().check(z.regex(/^\d{1,16}\.\d{1,9}$/)) }),
  actions: z.array(z.object({ action_id: z.string(), value: z.optional(z.string().check(z.maxLength(2000))) })).check(z.minLength(1)),
});

/** What our buttons hold: the question, and the digest that was seen with it. */
export const buttonValue = z.object({
  repository: z.string().check(z.regex(/^\d{1,20}$/)),
  run: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  q: z.int().check(z.positive()),
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
