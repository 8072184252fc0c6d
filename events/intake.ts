import { z } from 'zod';

const names = z.string().min(1).max(512);
const commitSha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const instant = z.iso.datetime();

/** The name an intake has everywhere: the first 32 hex digits of a SHA-256 over its source and delivery id. */
const intakeId = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * What a webhook leaves behind: the item `RUN#<id>` / `META` of the table (without its keys), written once by the
 * webhook handler and read by the controller's intake step (P6). It holds what that step needs and no free text but names.
 *
 * It says that something happened, not what is true: the controller asks the host before it acts.
 */
export const intake = z.strictObject({
  format: z.literal(1),
  kind: z.literal('intake'),
  id: intakeId,
  source: z.literal('github'),
  event: z.enum(['pull_request', 'deployment_status']),
  action: z.enum(['opened', 'reopened', 'synchronize', 'closed', 'created']),
  deliveryId: names,
  receivedAt: instant,
  repository: z.strictObject({ id: z.string().regex(/^\d+$/), owner: names, name: names, defaultBranch: names }),
  /** Present for `pull_request`. */
  pullRequest: z.strictObject({ number: z.int().min(1), headSha: commitSha, headBranch: names, fork: z.boolean() }).optional(),
  /** Present for `deployment_status`. */
  deployment: z
    .strictObject({ sha: commitSha, environment: z.string().max(512), state: z.string().max(64), targetUrl: z.string().max(2048).optional() })
    .optional(),
  sender: z.strictObject({ login: names, type: names }),
  /** Partition of the `due` index: the sweep finds what was recorded and never queued. */
  status: z.enum(['recorded', 'done', 'died']),
  /** Sort key of the `due` index; removed together with the change to `done`, which takes the item out of the index. */
  since: instant.optional(),
  writeId: names,
  /** When the table may forget it, epoch seconds. */
  ttl: z.int().positive(),
});
export type Intake = z.infer<typeof intake>;
