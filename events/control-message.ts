import { z } from 'zod';

/** Wakes the controller for one intake or run. What is due is read from the item, never from the message. */
export const controlMessage = z.strictObject({
  format: z.literal(1),
  run: z.string().min(1),
  /** The repository's id: SQS's fair queues keep a busy repository from delaying the others. */
  group: z.string().min(1),
});
export type ControlMessage = z.infer<typeof controlMessage>;
