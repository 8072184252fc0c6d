import { type Freeze, type FreezeWorld, readFreeze } from '../../../shared/freeze/freeze.ts';
import { freezeText } from '../../../shared/freeze/frozen.ts';
import { usualEnvironments } from '../../../shared/policy/policy.ts';
import { plain } from '../../../shared/surfaces/escape.ts';
import type { Screen } from '../answer.ts';

/** The freezes that hold, of the environments that everybody has and of those that are listed. */
export async function freezesOf(world: FreezeWorld, repository: string, environments: readonly string[]): Promise<Freeze[]> {
  const names = [...new Set([...usualEnvironments, ...environments])];
  return (await Promise.all(names.map((environment) => readFreeze(world, repository, environment)))).filter((freeze) => freeze !== undefined);
}

export const freezeTexts = (freezes: readonly Freeze[], { paint }: Pick<Screen, 'paint'>): string[] =>
  freezes.length === 0 ? [] : [...freezes.map((freeze) => `${paint('open', '!')} ${plain(freezeText(freeze))}`), ''];
