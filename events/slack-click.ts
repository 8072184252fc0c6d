import { z } from 'zod';

const slackId = z.string().regex(/^[A-Z0-9]{1,32}$/);

/**
 * What a click in Slack leaves behind: the item `DELIVERY#slack#<hash>` / `DELIVERY` of the table (without its keys), written once by the
 * function that took it and read by the controller's intake step (P6). It says who pressed what below which message, not whether they may:
 * that is looked up by the controller. It holds no name, no text, and nothing that lets anybody answer in Slack.
 */
export const slackClick = z.strictObject({
  format: z.literal(1),
  kind: z.literal('slack'),
  /** Hash of the body: a click that is told twice has the same. */
  id: z.string().regex(/^slack:[0-9a-f]{32}$/),
  /** The workspace that the person belongs to. */
  team: slackId,
  user: slackId,
  channel: slackId,
  /** Time stamp of the message with the button. */
  message: z.string().regex(/^\d{1,16}\.\d{1,9}$/),
  verdict: z.enum(['approve', 'reject']),
  /** The id alone, for the queue's fairness. */
  repository: z.strictObject({ id: z.string().regex(/^\d{1,20}$/) }),
  question: z.strictObject({ run: z.string().min(1).max(64), q: z.int().min(1), digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  receivedAt: z.iso.datetime(),
  /** Partition of the `due` index: the sweep finds what was recorded and never handled. */
  status: z.enum(['recorded', 'done', 'died']),
  /** Sort key of the `due` index; removed when it is handled. */
  since: z.iso.datetime().optional(),
  writeId: z.string().min(1),
  /** When the table may forget it, epoch seconds. */
  ttl: z.int().positive(),
});
export type SlackClick = z.infer<typeof slackClick>;
