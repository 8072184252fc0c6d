import type { AdoptedLine } from '../../engine/op.ts';
import type { Params } from '../../plan/types.ts';
import { everyBranch } from './target.ts';
import { keyOf, placeOf, type VariablePlace } from './variable.ts';

/** One line for each target and branch, which keeps every variable there as it is. The branch is written out: another one has other variables. */
export function keptLines(keys: readonly string[]): readonly AdoptedLine[] {
  const places = keys.flatMap((key) => placeOf(key) ?? []);
  const groups = Map.groupBy(places, ({ target, branch }) => JSON.stringify([target, branch]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [lineOf(first, group)] : [];
  });
}

function lineOf({ target, branch }: VariablePlace, group: readonly VariablePlace[]): AdoptedLine {
  const values: Params = Object.fromEntries(group.map(({ name }) => [name, { keep: true }]));
  return {
    id: branch === everyBranch ? `env-${target}` : `env-${target}-${branch}`,
    params: { target, ...(target === 'preview' ? { branch } : {}), values },
    keys: group.map(keyOf),
  };
}
