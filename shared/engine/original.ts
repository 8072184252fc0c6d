import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Entry, Original } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { scalar } from '../plan/value-forms.ts';
import type { World } from '../run/world.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import { open, seal } from '../secrets/seal.ts';
import type { Inspecting, Inspection, Judged } from './inspecting.ts';
import type { Previous } from './op.ts';

const previous = z.object({ secret: z.string(), form: z.record(z.string(), scalar).optional() });

/** What a sealed first value is bound to: it opens for this resource alone. */
const placeOf = (identity: Identity): string => `original ${identityHash(identity)}`;

/**
 * What is to be kept of a resource before a line writes over it: for one that is adopted now, that somebody made again, or that was
 * adopted as it was and has never been written. Undefined where the ledger has it already: the first capture stays (P4).
 *
 *     capture ─▶ intent, with it sealed ─▶ provider ─▶ record
 *
 * After a death between any two the ledger's own stays, so that a value of ours is never taken for the first.
 */
export function originalToKeep(
  job: Pick<Inspecting, 'world' | 'op' | 'params'>,
  { reading }: Pick<Inspection, 'reading'>,
  resource: Judged,
): Original | undefined {
  const { live, verdict, identity, change, standing } = resource;
  if (!live || verdict.do !== 'update' || !takesOver(verdict, standing.entry)) return undefined;
  if (standing.entry?.original?.id === live.id) return standing.entry.original;
  const found = job.op.capture?.(change.key, reading, job.params);
  if (found) job.world.redactor.register(found.secret, `what ${change.label} held before`);
  const of = fingerprint(job.world.keys.fingerprint, live.hash);
  return { id: live.id, of, ...(found ? { sealed: seal(job.world.keys.sealing, JSON.stringify(found), placeOf(identity)) } : {}) };
}

const takesOver = (verdict: Extract<Judged['verdict'], { do: 'update' }>, entry: Entry | undefined): boolean =>
  verdict.adopts === true || verdict.replaced === true || (entry?.createdBy === 'adopted' && (entry.original !== undefined || entry.updatedBy === undefined));

/** The first value, opened; masked from now on. Undefined: it could not be read. @throws LockkeeperError SEAL_UNREADABLE. */
export function openOriginal({ keys, redactor }: Pick<World, 'keys' | 'redactor'>, entry: Entry, { sealed }: Original): Previous | undefined {
  if (sealed === undefined) return undefined;
  const { data } = previous.safeParse(JSON.parse(open(keys.sealing, sealed, placeOf(entry))));
  if (!data) throw new LockkeeperError({ code: 'SEAL_UNREADABLE', message: `What ${entry.label} held before was sealed by another version.` });
  redactor.register(data.secret, `what ${entry.label} held before`);
  const { secret, form } = data;
  return { secret, ...(form ? { form } : {}) };
}
