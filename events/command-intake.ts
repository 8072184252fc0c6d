import { z } from 'zod';
import { said } from './said.ts';

const name = z.string().min(1).max(512);
const commitSha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const instant = z.iso.datetime();

/** What the controller made of a command that cannot be run: as `Problem`, with its code as text. */
const problem = z.strictObject({
  code: z.string().min(1),
  message: z.string(),
  hint: z.string().optional(),
  at: z.strictObject({ file: z.string(), line: z.int(), column: z.int() }).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/**
 * What a person's command leaves behind for a deployed stack: the item `COMMAND#<id>` / `COMMAND` of the table (without its keys), written
 * once by the command line and answered by the controller's intake step (P6). It says what was asked for, not what is true: the
 * repository's id, its policy, the commit and the person are looked up by the controller.
 */
export const commandIntake = z.strictObject({
  /** 2: with a `said`, or an intent, that code which knows format 1 alone must not take for an ordinary apply. */
  format: z.literal([1, 2]),
  kind: z.literal('command'),
  id: z.string().regex(/^command:[0-9A-Za-z]{20,64}$/),
  intent: z.enum(['plan', 'apply', 'destroy', 'prune', 'recover', 'retry', 'cancel', 'undo', 'freeze', 'unfreeze', 'drift']),
  /** The run that `retry` runs again, `cancel` stops, or `undo` undoes. */
  again: name.optional(),
  /** By name, as the remote's address has it; `id` is `owner/name` in lower case, until the host has told the number. */
  repository: z.strictObject({ id: name, owner: name, name }),
  /** The plan file, from the root of the repository: policy says which plan that is. */
  path: name,
  environment: name,
  branch: name,
  commit: commitSha,
  pullRequest: z.int().min(1).optional(),
  reconcile: z.boolean(),
  /** Lines whose resources are deleted and made anew. */
  recreate: z.array(name).min(1).optional(),
  /** The one line that a prune or a scan is about. */
  only: name.optional(),
  /** A prune or recovery that is to do what it would otherwise show. */
  confirmed: z.literal(true).optional(),
  /** What is said about one line; the run that `intent` asks for shows what comes of it. */
  said: said.optional(),
  /** Until when nothing new is applied in the environment, as it was typed, and why. Of `freeze`. */
  freeze: z.strictObject({ until: z.string().min(1).max(64), reason: z.string().min(1).max(1000) }).optional(),
  /** Who asks: the AWS principal, and the GitHub user that policy maps it to where it does. */
  person: z.strictObject({ principal: name, name: name.optional() }),
  receivedAt: instant,
  /** Partition of the `due` index: the sweep finds what was recorded and never queued. */
  status: z.enum(['recorded', 'done', 'died']),
  /** Sort key of the `due` index; removed with the answer. */
  since: instant.optional(),
  /** The answer: the run it started, or why there is none. One of the two, once it is `done` or `died`; a freeze that is done starts none. */
  run: name.optional(),
  problem: problem.optional(),
  writeId: name,
  /** When the table may forget it, epoch seconds. */
  ttl: z.int().positive(),
});
export type CommandIntake = z.infer<typeof commandIntake>;
