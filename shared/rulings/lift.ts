import { readRun } from '../run/run-store.ts';
import { compare, type Fingerprint } from '../secrets/fingerprint.ts';
import type { Writer } from '../table/write.ts';
import { readFound } from './found.ts';
import { after, type NewRuling, type Ruling, readRuling, rule } from './ruling.ts';

/**
 * Records what a person said before the run that shows what comes of it is made. A lift is bound to that run, and to what had been shown
 * of the line: it takes over nothing else, and ends with its run, however that ends. An acceptance is bound to what had been shown as well.
 *
 * @param start what it was said with, and `run` what is made of it.
 */
export async function sayBefore(writer: Writer, scope: string, start: string, run: string, ruling: NewRuling): Promise<void> {
  const { kind, line } = ruling;
  if (kind === 'confirm') return rule(writer, scope, start, ruling);
  // Said again once its run is there, it changes nothing: a newer word, and the run made for that, stay as they are.
  if (await readRun(writer.table, run)) return;
  const before = await readRuling(writer.table, scope, kind, line);
  const found = await readFound(writer.table, scope, kind, line);
  await rule(writer, scope, start, { ...ruling, at: after(before, ruling.at), for: run, ...(found ? { found: [...found] } : {}) });
}

/** The run that a lift is looked up for. */
interface Lifted {
  readonly id: string;
  readonly round: number;
  readonly options: { readonly adopt?: string };
}

/** Whether a run was made for a lift of this line. */
export const isMadeFor = ({ options }: Pick<Lifted, 'options'>, line: string): boolean => options.adopt === line;

/**
 * Whether a lift lets its run take over a resource as it is now: it was shown so. Where nothing had been shown, the run judges what it
 * finds, in its first round; later rounds may be days later.
 */
export function lets({ for: run, found }: Ruling, { id, round }: Lifted, identity: string, held: Fingerprint | undefined): boolean {
  if (run !== id) return false;
  if (!found) return round === 1;
  return found.some((one) => one.identity === identity && held !== undefined && compare(one.held, held) === 'same');
}
