import { canonicalJson } from './canonical-json.ts';
import { actionsOf, type Effect, withoutSaved } from './effect.ts';

/** One resource to which two plans would do different things. */
export interface PlanDifference {
  readonly line: string;
  /** The op's name of the resource, with `{line.output}` where it waits for an output. */
  readonly resource: string;
  /** `new`: only the later plan would touch it; `gone`: it would not any more; `changed`: it would do something else to it. */
  readonly what: 'new' | 'gone' | 'changed';
}

/** One resource to which two plans would do the same, with other values than were seen. */
export interface MovedValues {
  /** As of an effect. */
  readonly address: string;
  /** The attributes that moved, sorted; none where only the resource as a whole is another than it was. */
  readonly paths: readonly string[];
}

/** What of a plan the comparison looks at. */
type Planned = { readonly lines: readonly { readonly id: string; readonly effects: readonly Effect[] }[] };

/** What is as it is left: looked at, and nothing is done to it. A look at what is somebody else's counts. */
const untouched = (effect: Effect): boolean => actionsOf(effect).every((action) => action === 'no-op');

/** What a plan would do to which resource, by address: one that is left as it is is none, and of two of one address the first counts. */
function changeSet({ lines }: Planned): Map<string, { readonly line: string; readonly effect: Effect }> {
  const set = new Map<string, { readonly line: string; readonly effect: Effect }>();
  for (const { id, effects } of lines) {
    for (const effect of effects) if (!untouched(effect) && !set.has(effect.address)) set.set(effect.address, { line: id, effect });
  }
  return set;
}

/**
 * Where two change sets differ: a resource that only one of them has, or one to which other things are done, or in another order. What
 * values they have is not compared (R4.9, R4.10). What the later one would do stands first, line by line in its order.
 */
export function differences(earlier: Planned, later: Planned): PlanDifference[] {
  const before = changeSet(earlier);
  const now = changeSet(later);
  const moved = [...now.values()].flatMap(({ line, effect }) => {
    const known = before.get(effect.address);
    if (known && sameActions(known.effect, effect)) return [];
    return [{ line, resource: resourceOf(effect), what: known ? ('changed' as const) : ('new' as const) }];
  });
  const gone = [...before.values()].filter(({ effect }) => !now.has(effect.address));
  return [...moved, ...gone.map(({ line, effect }) => ({ line, resource: resourceOf(effect), what: 'gone' as const }))];
}

const sameActions = (one: Effect, other: Effect): boolean => canonicalJson(actionsOf(one)) === canonicalJson(actionsOf(other));

/** What two plans would do alike and not the same: each resource with the attributes whose old or new value, or its source, is another one. */
export function movedValues(earlier: Planned, later: Planned): MovedValues[] {
  const before = changeSet(earlier);
  return [...changeSet(later).values()].flatMap(({ effect }) => {
    const known = before.get(effect.address)?.effect;
    if (!known || !sameActions(known, effect) || sameButFile(known, effect)) return [];
    return [{ address: effect.address, paths: movedPaths(known, effect) }];
  });
}

const sameButFile = (one: Effect, other: Effect): boolean => canonicalJson(withoutSaved(one)) === canonicalJson(withoutSaved(other));

function movedPaths(known: Effect, now: Effect): string[] {
  const [before, after] = [known, now].map(({ paths }) => new Map(paths.map((path) => [path.path, canonicalJson(path)]))) as [
    Map<string, string>,
    Map<string, string>,
  ];
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).sort();
}

/** An address is `[adapter, identity, key]` as JSON: the key is what people know the resource by. */
export const resourceOf = ({ address }: Pick<Effect, 'address'>): string => String((JSON.parse(address) as readonly unknown[])[2]);
