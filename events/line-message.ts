import { z } from 'zod';

/** One line of one run, for one round and phase; a message of another round or phase is dropped (P1, P2). */
export const lineMessage = z.strictObject({
  format: z.literal(1),
  run: z.string().min(1),
  round: z.int().min(1),
  phase: z.enum(['planning', 'applying', 'rolling-back']),
  line: z.string().min(1),
  group: z.string().min(1),
});
export type LineMessage = z.infer<typeof lineMessage>;
