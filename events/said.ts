import { z } from 'zod';

const name = z.string().min(1).max(512);

/**
 * What a person says about one line, as they typed it: `until` and `reason` belong to `accept`. Whether it makes sense, and whether they
 * may say it, is judged by the controller.
 */
export const said = z.strictObject({
  verb: z.enum(['adopt', 'accept', 'reconcile', 'recreate', 'confirm']),
  line: name,
  /** A date, a moment, or a duration from when it was said. */
  until: z.string().max(64).optional(),
  reason: z.string().max(1000).optional(),
});
export type Said = z.infer<typeof said>;
