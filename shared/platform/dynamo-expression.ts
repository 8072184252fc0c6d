import type { Change } from '../ports/table.ts';
import type { Condition } from '../table/condition.ts';

/** Names and values of one request, each given its placeholder once. */
export interface Placeholders {
  name(attribute: string): string;
  value(value: unknown): string;
  /** What the request carries of them; without any, nothing: DynamoDB refuses empty maps. */
  readonly parts: () => { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Record<string, unknown> };
}

export function placeholders(): Placeholders {
  const names = new Map<string, string>();
  const values: unknown[] = [];
  return {
    name(attribute) {
      const known = names.get(attribute) ?? `#n${names.size}`;
      names.set(attribute, known);
      return known;
    },
    value: (value) => `:v${values.push(value) - 1}`,
    parts: () => ({
      ...(names.size > 0 ? { ExpressionAttributeNames: Object.fromEntries([...names].map(([attribute, name]) => [name, attribute])) } : {}),
      ...(values.length > 0 ? { ExpressionAttributeValues: Object.fromEntries(values.map((value, index) => [`:v${index}`, value])) } : {}),
    }),
  };
}

/** The condition as an expression; undefined where it holds whatever is there. */
export function conditionExpression(condition: Condition, use: Placeholders): string | undefined {
  switch (condition.is) {
    case 'always':
      return undefined;
    case 'present':
      return `attribute_exists(${use.name('pk')})`;
    case 'absent':
      return `attribute_not_exists(${use.name('pk')})`;
    case 'attributePresent':
      return `attribute_exists(${use.name(condition.attribute)})`;
    case 'attributeAbsent':
      return `attribute_not_exists(${use.name(condition.attribute)})`;
    case 'equal':
      return `${use.name(condition.attribute)} = ${use.value(condition.value)}`;
    case 'atMost':
      return `${use.name(condition.attribute)} <= ${use.value(condition.value)}`;
    case 'below':
      return `${use.name(condition.attribute)} < ${use.value(condition.value)}`;
    case 'all':
      return all(condition.of, use);
    case 'any':
      return any(condition.of, use);
  }
}

function all(of: readonly Condition[], use: Placeholders): string | undefined {
  const parts = of.map((part) => conditionExpression(part, use)).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : joined(parts, 'AND');
}

/** Of nothing, none holds; with one that always holds, so does the whole. */
function any(of: readonly Condition[], use: Placeholders): string | undefined {
  if (of.some(holdsAlways)) return undefined;
  if (of.length === 0) return `(attribute_exists(${use.name('pk')}) AND attribute_not_exists(${use.name('pk')}))`;
  return joined(
    of.map((part) => conditionExpression(part, use)).filter((part) => part !== undefined),
    'OR',
  );
}

/** Decided before anything is written down, so that no value is named that no expression uses: DynamoDB refuses those. */
function holdsAlways(condition: Condition): boolean {
  if (condition.is === 'always') return true;
  if (condition.is === 'all') return condition.of.every(holdsAlways);
  return condition.is === 'any' && condition.of.some(holdsAlways);
}

const joined = (parts: readonly string[], operator: 'AND' | 'OR') => (parts.length === 1 ? parts[0] : `(${parts.join(` ${operator} `)})`);

/** The clauses of an update; undefined for one that changes nothing. A set that would be empty is an attribute to remove. */
export function updateExpression(change: Exclude<Change, { put: unknown } | { delete: true }>, use: Placeholders): string | undefined {
  const values = Object.entries(change.set ?? {}).filter(([, value]) => value !== undefined);
  const kept = values.filter(([, value]) => !isEmptySet(value));
  const emptied = values.filter(([, value]) => isEmptySet(value)).map(([attribute]) => attribute);
  const clauses = [
    clause(
      'SET',
      kept.map(([attribute, value]) => `${use.name(attribute)} = ${use.value(value)}`),
    ),
    clause(
      'REMOVE',
      [...new Set([...(change.remove ?? []), ...emptied])].map((attribute) => use.name(attribute)),
    ),
    clause('ADD', members(change.add, use)),
    clause('DELETE', members(change.drop, use)),
  ].filter((text) => text !== undefined);
  return clauses.length === 0 ? undefined : clauses.join(' ');
}

const clause = (verb: string, parts: readonly string[]) => (parts.length === 0 ? undefined : `${verb} ${parts.join(', ')}`);

function members(sets: Readonly<Record<string, readonly string[]>> | undefined, use: Placeholders): string[] {
  const filled = Object.entries(sets ?? {}).filter(([, names]) => names.length > 0);
  return filled.map(([attribute, names]) => `${use.name(attribute)} ${use.value(new Set(names))}`);
}

export const isEmptySet = (value: unknown): boolean => value instanceof Set && value.size === 0;
