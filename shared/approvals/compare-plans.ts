import { canonicalJson } from './canonical-json.ts';
import { differences, movedValues, type PlanDifference, resourceOf } from './differences.ts';
import { actionsOf, type Effect, type PathEffect } from './effect.ts';
import { effectsDigest, type LineState, type PlanDocument, type PlannedLine } from './plan-document.ts';

/** One resource about which two plans differ: what each would do to it, and which of its attributes are another matter. */
export interface ResourceComparison {
  readonly line: string;
  /** The op's name of the resource. */
  readonly resource: string;
  /** `moved`: the same is done to it, with other values. The others as in a {@link PlanDifference}. */
  readonly what: PlanDifference['what'] | 'moved';
  /** What is done one after the other; empty where that plan does nothing to it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Sorted. Empty where something else of it differs: what was found, or what it waits for. */
  readonly paths: readonly string[];
}

/** Two plans held against each other. */
export interface PlanComparison {
  /** To the byte. */
  readonly same: boolean;
  /** They would do the same, whatever state, commit or time they were made at. */
  readonly sameEffects: boolean;
  /** Fields of the head that differ: kind (a removal or not), repository, environment, scope, commit, plan (its name, path or content). */
  readonly head: readonly ('kind' | 'repository' | 'environment' | 'scope' | 'commit' | 'plan')[];
  /** Lines of the ledger whose state the later plan was made over is another. */
  readonly state: readonly { readonly line: string; readonly what: 'new' | 'gone' | 'changed' }[];
  readonly resources: readonly ResourceComparison[];
  /** What is told beside the effects and differs, by line; `line` is absent for the whole plan's warnings. */
  readonly told: readonly { readonly line?: string; readonly what: (typeof tellings)[number] }[];
}

const tellings = ['accepted', 'drift', 'ignored', 'redeploys', 'warnings'] as const;

/** What the later of two plans says otherwise. Values are compared by fingerprint: which attributes differ is known, what they hold is not. */
export function comparePlans(earlier: PlanDocument, later: PlanDocument): PlanComparison {
  const head = (['kind', 'repository', 'environment', 'scope', 'commit', 'plan'] as const).filter((name) => !equal(earlier[name], later[name]));
  return {
    same: equal(earlier, later),
    sameEffects: effectsDigest(earlier) === effectsDigest(later),
    head,
    state: stateMoved(earlier.state, later.state),
    resources: resourcesOf(earlier, later),
    told: toldOtherwise(earlier, later),
  };
}

const equal = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);

function stateMoved(earlier: readonly LineState[], later: readonly LineState[]): PlanComparison['state'] {
  const [before, now] = [earlier, later].map((state) => new Map(state.map(({ line, version }) => [line, version]))) as [
    Map<string, string>,
    Map<string, string>,
  ];
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((line) => {
    if (before.get(line) === now.get(line)) return [];
    return [{ line, what: !before.has(line) ? ('new' as const) : !now.has(line) ? ('gone' as const) : ('changed' as const) }];
  });
}

function resourcesOf(earlier: PlanDocument, later: PlanDocument): ResourceComparison[] {
  const moved = movedValues(earlier, later).map(({ address }) => {
    const line = later.lines.find(({ effects }) => effects.some((effect) => effect.address === address))?.id ?? '';
    return { line, resource: resourceOf({ address }), what: 'moved' as const };
  });
  return [...differences(earlier, later), ...moved].map((one) => {
    const [before, after] = [effectOf(earlier, one), effectOf(later, one)];
    return {
      ...one,
      before: before ? actionsOf(before) : [],
      after: after ? actionsOf(after) : [],
      paths: differingPaths(before?.paths ?? [], after?.paths ?? []),
    };
  });
}

const effectOf = ({ lines }: PlanDocument, { line, resource }: Pick<ResourceComparison, 'line' | 'resource'>): Effect | undefined =>
  lines.find(({ id }) => id === line)?.effects.find((effect) => effect.action !== 'no-op' && resourceOf(effect) === resource);

function differingPaths(before: readonly PathEffect[], after: readonly PathEffect[]): string[] {
  const paths = new Set([...before, ...after].map(({ path }) => path));
  const of = (some: readonly PathEffect[], path: string) => some.find((one) => one.path === path);
  return [...paths].filter((path) => !equal(of(before, path), of(after, path))).sort();
}

function toldOtherwise(earlier: PlanDocument, later: PlanDocument): PlanComparison['told'] {
  const ids = [...new Set([...earlier.lines, ...later.lines].map(({ id }) => id))].sort();
  const of = ({ lines }: PlanDocument, id: string): Partial<PlannedLine> => lines.find((line) => line.id === id) ?? {};
  const byLine = ids.flatMap((line) => tellings.filter((what) => !equal(of(earlier, line)[what], of(later, line)[what])).map((what) => ({ line, what })));
  return [...byLine, ...(equal(earlier.warnings, later.warnings) ? [] : [{ what: 'warnings' as const }])];
}
