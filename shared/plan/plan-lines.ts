/** The entries of `changes` as lines: each judged by itself, then all by their names for each other. */
import { z } from 'zod';
import { didYouMean } from '../errors/nearest.ts';
import { isPlainMap, listed, quoted } from '../errors/quoted.ts';
import type { Add } from '../yaml/findings.ts';
import type { YamlTree } from '../yaml/tree.ts';
import { referencesIn } from './references.ts';
import { lineKeys, lineSchema } from './schema.ts';
import { shapeProblems } from './shape-problems.ts';
import type { Params, PlanLine, PlanPath } from './types.ts';
import { brokenInMap } from './value-rules.ts';

/** A line and its place in `changes`. */
export interface PlacedLine {
  readonly line: PlanLine;
  readonly index: number;
}

const schema = lineSchema(z.unknown());
/** A line but for the spelling of its id: nothing of that name can run, and everything else about it can be judged. */
const misnamed = schema.extend({ id: z.string().min(1) });

/** Every entry that is shaped as a line, but for its id's spelling. What is wrong with the others, and with any value, goes to `add`. */
export function planLines(changes: readonly unknown[], tree: YamlTree, add: Add): readonly PlacedLine[] {
  return changes.flatMap((entry, index) => {
    const line = planLine(entry, index, tree, add);
    return line === undefined ? [] : [{ line, index }];
  });
}

function planLine(entry: unknown, index: number, { positionOf }: YamlTree, add: Add): PlanLine | undefined {
  const path: PlanPath = ['changes', index];
  const opening = isPlainMap(entry) && typeof entry['id'] === 'string' ? `line ${quoted(entry['id'])}: ` : `entry ${index + 1} of \`changes\`: `;
  const shape = shapeProblems({ code: 'PLAN_INVALID', schema, value: entry, path, positionOf, opening });
  for (const problem of shape) add(() => problem);
  if (!isPlainMap(entry)) return undefined;

  const params = Object.fromEntries(Object.entries(entry).filter(([name]) => !lineKeys.includes(name)));
  for (const { code, message, path: at, of } of brokenInMap(params, path, 'line'))
    add(() => ({ code, message: `${opening}${message}`, at: positionOf(at, of) }));
  if (shape.length > 0 && !misnamed.safeParse(entry).success) return undefined;
  const { id, adapter, op, environments, depends_on: dependsOn = [] } = entry as z.infer<typeof schema>;
  return { id, adapter, op, ...(environments && { environments }), dependsOn, params: params as Params, at: positionOf(path) };
}

/** The first line of each id. */
export function uniqueLines(lines: readonly PlacedLine[], { positionOf }: YamlTree, add: Add): readonly PlacedLine[] {
  const first = new Map<string, PlacedLine>();
  for (const placed of lines) {
    const { line, index } = placed;
    const same = first.get(line.id);
    if (same === undefined) first.set(line.id, placed);
    else {
      const { line: row, column } = same.line.at;
      const message = `the id ${quoted(line.id)} is taken by the line at ${row}:${column}: choose another`;
      add(() => ({ code: 'PLAN_INVALID', message, at: positionOf(['changes', index, 'id']) }));
    }
  }
  return [...first.values()];
}

/** Lines name declared environments only, where any are declared. */
export function judgeEnvironments(lines: readonly PlacedLine[], declared: readonly string[] | undefined, { positionOf }: YamlTree, add: Add): void {
  if (declared === undefined) return;
  const known = new Set(declared);
  for (const { line, index } of lines) {
    for (const [item, name] of (line.environments ?? []).entries()) {
      if (known.has(name)) continue;
      add(() => {
        const what = `the environment ${quoted(name)} is not declared${didYouMean(name, known)}`;
        const message = `line ${quoted(line.id)}: ${what}: use ${listed([...known], 'or')}, or declare it`;
        return { code: 'PLAN_INVALID', message, at: positionOf(['changes', index, 'environments', item]) };
      });
    }
  }
}

/** `from` and `depends_on` name lines of the file. `ids` are all that stand there, those of broken lines too. */
export function judgeNeeds(lines: readonly PlacedLine[], ids: ReadonlySet<string>, { positionOf }: YamlTree, add: Add): void {
  for (const { line, index } of lines) {
    const depended = line.dependsOn.map((id, item) => ({ line: id, path: ['depends_on', item] as PlanPath }));
    for (const { line: id, path } of [...depended, ...referencesIn(line.params)]) {
      if (ids.has(id)) continue;
      add(() => {
        const message = `line ${quoted(line.id)}: no line is called ${quoted(id)}${didYouMean(id, ids)}: use the id of a line in this file`;
        return { code: 'REF_UNKNOWN', message, at: positionOf(['changes', index, ...path]) };
      });
    }
  }
}
