/**
 * From the bytes of `release.plan.yaml` to a plan, or to every mistake in it at once. Judges what needs no adapter:
 * YAML, the file's shape, values, ids, environments and references. What ops say about their parameters is in `check.ts`.
 */
import { z } from 'zod';
import type { Problem } from '../errors/error.ts';
import { didYouMean } from '../errors/nearest.ts';
import { isPlainMap, kindOf, quoted } from '../errors/quoted.ts';
import { type Add, byPlace, findings } from '../yaml/findings.ts';
import type { PositionOf } from '../yaml/place.ts';
import { readYaml } from '../yaml/read.ts';
import type { YamlTree } from '../yaml/tree.ts';
import { planFile } from './plan-file.ts';
import { judgeEnvironments, judgeNeeds, planLines, uniqueLines } from './plan-lines.ts';
import { fileSchema } from './schema.ts';
import { shapeProblems } from './shape-problems.ts';
import type { Params, Plan, PlanLine } from './types.ts';
import { brokenInMap } from './value-rules.ts';

/** `plan` is there exactly when `problems` is empty. Both lists are in the order of the file. */
export interface Parsed {
  readonly plan?: Plan;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** A plan as far as it can be made out, lines that are not shaped as lines left out: for finding further mistakes, never for running. */
export interface Drafted {
  readonly draft?: Plan;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Parses a plan file; `file` is its name in messages. Never throws: whatever the bytes are, the answer says what is wrong with them. */
export function parsePlan(bytes: Uint8Array | string, file: string): Parsed {
  const { draft, problems, warnings } = draftPlan(bytes, file);
  return problems.length === 0 && draft !== undefined ? { plan: draft, problems, warnings } : { problems, warnings };
}

export function draftPlan(bytes: Uint8Array | string, file: string): Drafted {
  const read = readYaml(bytes, file, planFile);
  if ('problems' in read) return { problems: read.problems, warnings: [] };
  const { tree, hash } = read;
  if (isPlainMap(tree.value)) return draftFrom(tree, tree.value, hash);
  if (tree.problems.length > 0) return { problems: tree.problems.toSorted(byPlace), warnings: tree.warnings };
  const what = tree.value === null ? 'the plan file is empty' : `a plan file is a map, not ${kindOf(tree.value)}`;
  const message = `${what}: start it with \`version: 1\` and \`changes:\``;
  return { problems: [{ code: 'PLAN_INVALID', message, at: tree.positionOf([]) }], warnings: tree.warnings };
}

const shape = fileSchema(z.unknown(), z.record(z.string(), z.unknown()));

function draftFrom(tree: YamlTree, root: Record<string, unknown>, hash: string): Drafted {
  const { add, all } = findings(tree.problems);
  for (const problem of shapeProblems({ code: 'PLAN_INVALID', schema: shape, value: root, path: [], positionOf: tree.positionOf, opening: '' }))
    add(() => problem);
  const providers = providerBlocks(root['providers'], tree, add);
  const declared = names(root['environments']);
  const changes: readonly unknown[] = Array.isArray(root['changes']) ? root['changes'] : [];
  const placed = planLines(changes, tree, add);
  const unique = uniqueLines(placed, tree, add);
  judgeEnvironments(placed, declared, tree, add);
  judgeNeeds(placed, idsIn(changes), tree, add);

  const lines = unique.map(({ line }) => line);
  const places = unique.map(({ index }) => index);
  const environments = [...new Set(declared ?? ['preview', 'production', ...lines.flatMap((line: PlanLine) => line.environments ?? [])])];
  const draft: Plan = { version: 1, environments, providers, lines, hash, positionOf: countedAsLines(tree.positionOf, places) };
  return {
    draft,
    problems: all(),
    warnings: [...tree.warnings, ...receiptsWarning(root, tree), ...(declared ? [] : doubtfulEnvironments(placed, tree))].toSorted(byPlace),
  };
}

/** The provider blocks that are maps, their values judged. */
function providerBlocks(blocks: unknown, { positionOf }: YamlTree, add: Add): Plan['providers'] {
  const maps = Object.entries(isPlainMap(blocks) ? blocks : {}).filter((entry): entry is [string, Params] => isPlainMap(entry[1]));
  for (const [adapter, block] of maps) {
    const opening = `provider block ${quoted(adapter)}: `;
    for (const { code, message, path, of } of brokenInMap(block, ['providers', adapter], 'provider')) {
      add(() => ({ code, message: `${opening}${message}`, at: positionOf(path, of) }));
    }
  }
  return Object.fromEntries(maps);
}

/** The declared environments, or undefined where none are declared as they should be: then no line can be held to them. */
function names(declared: unknown): readonly string[] | undefined {
  return Array.isArray(declared) && declared.length > 0 && declared.every((name) => typeof name === 'string') ? declared : undefined;
}

function idsIn(changes: readonly unknown[]): ReadonlySet<string> {
  return new Set(changes.flatMap((entry) => (isPlainMap(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [])));
}

/** Positions for paths whose `changes` are counted as the plan's lines: in a draft, entries may have been left out. */
function countedAsLines(positionOf: PositionOf, places: readonly number[]): PositionOf {
  return (path, of) => {
    const [first, index, ...rest] = path;
    const place = first === 'changes' && typeof index === 'number' ? places[index] : undefined;
    return positionOf(place === undefined ? path : ['changes', place, ...rest], of);
  };
}

/**
 * Environments that one line alone names, and that are nearly what else is named: where none are declared, a slip would declare one, and the line
 * would never run.
 */
function doubtfulEnvironments(placed: readonly { readonly line: PlanLine; readonly index: number }[], { positionOf }: YamlTree): Problem[] {
  const named = placed.flatMap(({ line, index }) => (line.environments ?? []).map((name, at) => ({ line, index, name, at })));
  return named.flatMap(({ line, index, name, at }) => {
    const others = ['preview', 'production', ...named.filter((one) => one.index !== index).map((one) => one.name)];
    const guess = others.includes(name) ? '' : didYouMean(name, others);
    if (guess === '') return [];
    const message = `line ${quoted(line.id)} runs in ${quoted(name)} alone of all lines${guess}`;
    return [{ code: 'PLAN_DOUBTFUL' as const, message, at: positionOf(['changes', index, 'environments', at]) }];
  });
}

function receiptsWarning(root: Record<string, unknown>, { positionOf }: YamlTree): Problem[] {
  if (!('receipts' in root)) return [];
  return [{ code: 'RECEIPTS_IGNORED', message: '`receipts` is ignored: receipts always go to the bucket', at: positionOf(['receipts'], 'key') }];
}
