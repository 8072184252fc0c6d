import { z } from 'zod';

/** As much of a digest as people type. GitHub takes identifiers of at most twenty characters: `approve:` and twelve digits are exactly that. */
const digest = z.string().regex(/^[0-9a-f]{12}$/);

/**
 * A button of a check run. An answer names the plan that stood beside it: pressed on a page that somebody opened an hour ago, it answers
 * what they saw there, and nothing newer.
 */
export const pressed = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.enum(['approve', 'reject']), digest }),
  z.strictObject({ verb: z.literal('reconcile') }),
]);
export type Pressed = z.infer<typeof pressed>;

/** The identifier by which GitHub tells of it. */
export const identifierOf = (button: Pressed): string => (button.verb === 'reconcile' ? button.verb : `${button.verb}:${button.digest}`);
