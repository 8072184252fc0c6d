import { canonicalJson } from './canonical-json.ts';
import { type Effect, isWrite } from './effect.ts';
import type { PlanDocument } from './plan-document.ts';

/** One resource about which two plans differ. */
export interface PlanDifference {
  readonly line: string;
  /** The op's name of the resource, with `{line.output}` where it waits for an output. */
  readonly resource: string;
  /** `new`: only the later plan would touch it; `gone`: it would not any more; `changed`: it would do something else to it. */
  readonly what: 'new' | 'gone' | 'changed';
}

/** What the later of two plans would write otherwise, line by line in its order, then what only the earlier one would have written. */
export function differences(earlier: PlanDocument, later: PlanDocument): PlanDifference[] {
  const before = new Map(earlier.lines.map(({ id, effects }) => [id, effects.filter(isWrite)]));
  const now = new Map(later.lines.map(({ id, effects }) => [id, effects.filter(isWrite)]));
  const moved = later.lines.flatMap(({ id, effects }) => effects.filter(isWrite).flatMap((effect) => differenceOf(id, effect, before.get(id) ?? [])));
  const gone = earlier.lines.flatMap(({ id, effects }) =>
    effects
      .filter((effect) => isWrite(effect) && !among(effect, now.get(id) ?? []))
      .map((effect) => ({ line: id, resource: resourceOf(effect), what: 'gone' as const })),
  );
  return [...moved, ...gone];
}

function differenceOf(line: string, effect: Effect, before: readonly Effect[]): PlanDifference[] {
  const found = before.filter(({ address }) => address === effect.address);
  if (found.some((one) => canonicalJson(one) === canonicalJson(effect))) return [];
  return [{ line, resource: resourceOf(effect), what: found.length > 0 ? 'changed' : 'new' }];
}

const among = (effect: Effect, others: readonly Effect[]): boolean => others.some(({ address }) => address === effect.address);

/** An address is `[adapter, identity, key]` as JSON: the key is what people know the resource by. */
const resourceOf = ({ address }: Effect): string => String((JSON.parse(address) as readonly unknown[])[2]);
