import { z } from 'zod';

/**
 * What lies in table, bucket, queues and at the provider while a stack is updated: the bytes of one format, kept so that later
 * code is held to them. `record.ts` makes one; a file is never edited by hand.
 */
export const fixture = z.strictObject({
  /** How it was made: commit of the code that wrote it, and the command. */
  made: z.strictObject({ commit: z.string(), by: z.string(), about: z.string() }),
  /** Epoch ms. */
  now: z.int(),
  /** A set is `{ "$set": […] }`. */
  items: z.array(z.looseObject({ pk: z.string(), sk: z.string() })),
  /** Bodies by key, oldest first. */
  objects: z.record(z.string(), z.array(z.string())),
  /** Bodies as SQS holds them. */
  messages: z.array(z.strictObject({ queue: z.enum(['control', 'lines']), body: z.string(), at: z.int() })),
  /** What there is at the provider, in the order in which it was made. */
  things: z.array(z.strictObject({ id: z.string(), place: z.string(), name: z.string(), value: z.string(), createdAt: z.int(), busy: z.int() })),
  /** Executions of the state machine that have not ended. */
  executions: z.array(z.string()),
  /** The pull request, and its files at its commit. */
  pull: z.strictObject({ number: z.int(), commit: z.string(), changes: z.array(z.looseObject({})) }),
});
export type Fixture = z.infer<typeof fixture>;

/** An item as JSON, and back. */
export const withoutSets = (value: unknown): unknown => mapped(value, (one) => (one instanceof Set ? { $set: [...one].sort() } : undefined));
export const withSets = (value: unknown): unknown =>
  mapped(value, (one) => (one !== null && typeof one === 'object' && '$set' in one ? new Set(one.$set as string[]) : undefined));

function mapped(value: unknown, replaced: (value: unknown) => unknown): unknown {
  const other = replaced(value);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((one) => mapped(one, replaced));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, replaced)]));
}
