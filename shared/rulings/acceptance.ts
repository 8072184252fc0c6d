import { compare } from '../secrets/fingerprint.ts';
import { all, equal, lacks } from '../table/condition.ts';
import { rulingKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import type { Found } from './found.ts';
import { type Ruling, readRuling, useUp } from './ruling.ts';

/** The run that an acceptance is looked up for. */
interface Accepting {
  readonly id: string;
  readonly round: number;
  readonly options: { readonly accept?: string };
}

/** An edited resource as it is now: which, under which id of its provider, and what it holds. */
export type Edited = Found[number];

/** Whether a run was made for an acceptance of this line. */
export const isMadeToAccept = ({ options }: Pick<Accepting, 'options'>, line: string): boolean => options.accept === line;

/**
 * Whether an acceptance leaves an edited resource as it is now: it was shown so when a person accepted it. Where nothing had been shown, the
 * run that was made for it takes what it finds for that, in its first round ({@link bindTo}). One that an earlier version wrote down is
 * bound to nothing, and leaves nothing.
 */
export function leaves({ for: run, found, usedBy }: Ruling, { id, round }: Accepting, { identity, id: under, held }: Edited): boolean {
  if (usedBy !== undefined) return false;
  if (!found) return run === id && round === 1;
  return found.some((one) => one.identity === identity && one.id === under && compare(one.held, held) === 'same');
}

/** From now on it is of these edits and of no others. Another attempt that bound it first, and a newer word, stay. */
export async function bindTo(writer: Writer, scope: string, ruling: Ruling, found: Found): Promise<void> {
  if (ruling.found) return;
  const unbound = all(equal('said', ruling.said), lacks('found'));
  await write(writer, rulingKey(scope, 'accept', ruling.line), { set: { found: [...found] } }, unbound);
}

/** Ends the acceptance of a line, if there is one: its edits were put back, its resources removed, or there was nothing to accept. */
export async function endAcceptance(writer: Writer, scope: string, run: string, line: string): Promise<void> {
  const ruling = await readRuling(writer.table, scope, 'accept', line);
  if (ruling) await useUp(writer, scope, run, ruling);
}
