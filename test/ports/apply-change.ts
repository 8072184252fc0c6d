import type { Change, Item, Key } from '../../shared/ports/table.ts';

/**
 * The item after a change, as DynamoDB would leave it: an update of nothing makes an item (even one that only takes
 * away: that is why conditions say `present`), a set without members is no attribute. Undefined: no item is left. It shares what it holds with
 * what it was and with the change: none of them is ever changed in place.
 */
export function applyChange(key: Key, before: Item | undefined, change: Change): Item | undefined {
  if ('delete' in change) return undefined;
  if ('put' in change) return stored({ ...change.put, ...key });

  const item: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change.set ?? {})) if (value !== undefined) item[name] = value;
  for (const name of change.remove ?? []) delete item[name];
  for (const [name, members] of Object.entries(change.add ?? {})) item[name] = new Set([...setOf(name, item[name]), ...members]);
  for (const [name, members] of Object.entries(change.drop ?? {}))
    item[name] = new Set([...setOf(name, item[name])].filter((member) => !members.includes(member)));
  return stored({ ...item, ...key });
}

function stored(item: Item): Item {
  const kept: Record<string, unknown> = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined && !(value instanceof Set && value.size === 0)) kept[name] = value;
  }
  return kept as Item;
}

function setOf(name: string, value: unknown): Set<string> {
  if (value === undefined) return new Set();
  if (value instanceof Set) return value as Set<string>;
  throw new Error(`${name} is no set: DynamoDB would refuse the update`);
}
