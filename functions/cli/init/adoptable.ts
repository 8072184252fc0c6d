import type { AdoptedLine, OpRegistry } from '../../../shared/engine/op.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { listed } from '../../../shared/errors/quoted.ts';
import { redacted } from '../../../shared/redact/redactor.ts';
import type { DriftItem, LineReport } from '../../../shared/run/report.ts';
import type { NewLine } from './line-text.ts';

/** A resource that no plan manages, and the op that sees it. */
export interface Unmanaged {
  readonly adapter: string;
  readonly op: string;
  readonly key: string;
  readonly id?: string;
  readonly label: string;
}

/** What a plan found that no line of it wants, each once: several lines may look at one place. */
export function unmanagedIn({ drift, lines }: { readonly drift: readonly DriftItem[]; readonly lines: readonly LineReport[] }): readonly Unmanaged[] {
  const wanted = new Set(lines.flatMap(({ adapter, changes }) => changes.map(({ key }) => JSON.stringify([adapter, key]))));
  const found = new Map<string, Unmanaged>();
  for (const { kind, adapter, op, resource } of drift) {
    const name = JSON.stringify([adapter, resource.key]);
    if (kind === 'unmanaged' && !wanted.has(name) && !found.has(name)) found.set(name, { adapter, op, label: resource.key, ...resource });
  }
  return [...found.values()];
}

/**
 * Those that are asked for, by key, label or id; all when nothing is named.
 *
 * @throws LockkeeperError USAGE for a name that none has, with those there are.
 */
export function chosen(found: readonly Unmanaged[], names: readonly string[]): readonly Unmanaged[] {
  const named = (one: Unmanaged, name: string) => [one.key, one.label, one.id].includes(name);
  const missing = names.find((name) => !found.some((one) => named(one, name)));
  if (missing === undefined) return names.length === 0 ? found : found.filter((one) => names.some((name) => named(one, name)));
  const keys = found.map(({ key }) => key);
  throw new LockkeeperError({
    code: 'USAGE',
    message: `Nothing unmanaged is called ${missing}.`,
    hint: keys.length === 0 ? 'Nothing is there that no plan manages.' : `There is ${listed(keys)}.`,
    details: { adoptable: found.map(({ adapter, key, label }) => ({ adapter, key, label })) },
  });
}

/** A line, and the resources that it holds. */
export interface Taken {
  readonly line: NewLine;
  readonly keys: readonly string[];
}

/** Lines that hold what was found as it is, in one environment, under ids that are free; and what no line can hold. */
export function linesFor(
  found: readonly Unmanaged[],
  registry: Pick<OpRegistry, 'find'>,
  place: { readonly environment: string; readonly ids: Iterable<string> },
): { readonly taken: readonly Taken[]; readonly left: readonly Unmanaged[] } {
  const used = new Set(place.ids);
  const taken: Taken[] = [];
  for (const group of Map.groupBy(
    found.filter(({ key }) => isLiteral(key)),
    ({ adapter, op }) => JSON.stringify([adapter, op]),
  ).values()) {
    const [{ adapter, op } = { adapter: '', op: '' }] = group;
    for (const adopted of registry.find(adapter, op)?.adopt?.(group.map(({ key }) => key)) ?? []) {
      const id = freeId(adopted, used);
      used.add(id);
      taken.push({ line: { id, adapter, op, environments: [place.environment], params: adopted.params }, keys: adopted.keys });
    }
  }
  const held = new Set(taken.flatMap(({ line, keys }) => keys.map((key) => JSON.stringify([line.adapter, key]))));
  return { taken, left: found.filter(({ adapter, key }) => !held.has(JSON.stringify([adapter, key]))) };
}

/** A plan would put something in the place of `${…}`, and a masked key names nothing. */
const isLiteral = (key: string): boolean => !key.includes('${') && !key.includes(redacted);

function freeId({ id }: AdoptedLine, used: ReadonlySet<string>): string {
  const slug =
    id
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '')
      .slice(0, 60) || 'kept';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? slug : `${slug}-${count}`;
    if (!used.has(name)) return name;
  }
}
