import type { Problem } from '../errors/error.ts';
import { utc } from '../surfaces/words.ts';
import { type Freeze, type FreezeWorld, readFreeze } from './freeze.ts';

/** What of a run says where it writes. */
export interface Writing {
  readonly repository: { readonly id: string };
  readonly environment: string;
  /** The protected environments that it writes. */
  readonly protects?: readonly string[];
}

/** The freeze that keeps a run from applying anything now: of all the environments it writes, the one that ends last. */
export async function frozen(world: FreezeWorld, { repository, environment, protects = [] }: Writing): Promise<Freeze | undefined> {
  const found: Freeze[] = [];
  for (const one of new Set([environment, ...protects])) {
    const freeze = await readFreeze(world, repository.id, one);
    if (freeze) found.push(freeze);
  }
  return found.sort((a, b) => b.until.localeCompare(a.until))[0];
}

/** `production is frozen until 2026-01-05 10:00 UTC by ada: year end.` Plain text, of what people typed. */
export const freezeText = ({ environment, until, by, reason, unreadable }: Freeze): string =>
  unreadable
    ? `${environment} is frozen, and what was said of it cannot be read (${reason}): until somebody freezes it again, or unfreezes it.`
    : `${environment} is frozen until ${utc(until)} by ${by}: ${reason.replace(/\.+$/, '')}.`;

/**
 * The refusal of what would be applied there, with what to type.
 *
 * @param run that it ends: one that goes on by itself, or is only planned, need not be run again.
 */
export function frozenProblem(freeze: Freeze, run?: { readonly id: string }): Problem {
  const thaw = `Wait until then, or type \`lockkeeper unfreeze ${freeze.environment}\``;
  const hint = run ? `${thaw}; then run again with \`lockkeeper retry ${run.id.slice(0, 12)}\`.` : `${thaw}.`;
  return { code: 'FROZEN', message: freezeText(freeze), hint, details: { ...freeze } };
}
