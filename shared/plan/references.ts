import { outputsInText } from './text-parts.ts';
import { isFrom, isKeep, isSecret, isText, type Params, type PlanLine, type PlanPath, type PlanValue } from './types.ts';

/** An output that a line's parameters name, by `{ from }` or in a text: the line, the output (everything after the first dot), and where it stands. */
export interface Reference {
  readonly line: string;
  readonly output: string;
  readonly path: PlanPath;
}

/** Every output that the parameters of a plan file name, in the order of the file. */
export function referencesIn(params: Params): readonly Reference[] {
  const found: Reference[] = [];
  eachValue(params, (value, path) => {
    if (isFrom(value) && value.from.includes('.')) found.push({ ...splitReference(value.from), path: [...path, 'from'] });
    if (typeof value === 'string') found.push(...outputsInText(value).map((from) => ({ ...splitReference(from), path })));
  });
  return found;
}

/** Every output that the parameters of an active line name. Its texts are what they are, whatever they look like. */
export function outputsIn(params: Params): readonly Pick<Reference, 'line' | 'output'>[] {
  const found: Pick<Reference, 'line' | 'output'>[] = [];
  eachValue(params, (value) => {
    if (isText(value)) found.push(...value.parts.flatMap((part) => (typeof part === 'string' ? [] : [splitReference(part.from)])));
    else if (isFrom(value)) found.push(splitReference(value.from));
  });
  return found;
}

/** `line.output`, at its first dot. */
export function splitReference(from: string): Pick<Reference, 'line' | 'output'> {
  const dot = from.indexOf('.');
  return { line: from.slice(0, dot), output: from.slice(dot + 1) };
}

/** The secrets the parameters name, sorted, each once. */
export function secretsIn(params: Params): readonly string[] {
  const found = new Set<string>();
  eachValue(params, (value) => {
    if (isSecret(value)) found.add(value.secret);
  });
  return [...found].sort();
}

/** Ids of the lines a line needs, by reference or `depends_on`: sorted, each once. */
export function needsOf(line: PlanLine): readonly string[] {
  return [...new Set([...line.dependsOn, ...referencesIn(line.params).map((reference) => reference.line)])].sort();
}

/** The parameters with every text replaced: literals and the addresses of secrets, never a reference. */
export function mapTexts(params: Params, change: (text: string, path: PlanPath) => PlanValue): Params {
  const mapped = (value: PlanValue, path: PlanPath): PlanValue => {
    if (typeof value === 'string') return change(value, path);
    if (typeof value !== 'object' || isFrom(value) || isKeep(value)) return value;
    if (Array.isArray(value)) return value.map((item: PlanValue, index) => mapped(item, [...path, index]));
    return mapEntries(value as Params, path);
  };
  const mapEntries = (map: Params, path: PlanPath): Params =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, mapped(value, [...path, name])]));
  return mapEntries(params, []);
}

/** Calls `visit` for each value below the parameters; value forms are values, not maps. */
function eachValue(params: Params, visit: (value: PlanValue, path: PlanPath) => void): void {
  const walk = (value: PlanValue, path: PlanPath): void => {
    visit(value, path);
    // A draft may hold null where a value was refused.
    if (typeof value !== 'object' || value === null || isFrom(value) || isSecret(value) || isKeep(value)) return;
    for (const [name, inside] of Object.entries(value)) walk(inside as PlanValue, [...path, Array.isArray(value) ? Number(name) : name]);
  };
  for (const [name, value] of Object.entries(params)) walk(value, [name]);
}
