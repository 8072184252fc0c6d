import { tellCase } from './cases/case.ts';
import { cases } from './cases/cases.ts';
import { tellId } from './enumerate.ts';
import { isPair, playPair } from './pairs.ts';
import { playSeed, seedOf } from './seeds.ts';
import type { Told } from './told.ts';

/** What a case is called among the ids. */
export const caseId = (name: string): string => `case/${name}`;

/** How the rows of the table beside the stories are told by their ids. */
export const kinds: Readonly<Record<string, (id: string) => boolean>> = {
  pairs: isPair,
  cases: (id) => id.startsWith(caseId('')),
  seeds: (id) => seedOf(id) !== undefined,
};

/** Tells a story with one fault, a pair of workers, a case, or a seed. @throws Error that says what is known, where there is no such id. */
export async function tellAny(id: string): Promise<Told> {
  const seed = seedOf(id);
  if (seed !== undefined) return playSeed(seed);
  if (isPair(id)) return playPair(id);
  if (!kinds['cases']?.(id)) return tellId(id);
  const found = cases.find(({ name }) => caseId(name) === id);
  if (!found) throw new Error(`there is no case of that name; there are:\n  ${cases.map(({ name }) => name).join('\n  ')}`);
  return tellCase(found);
}
