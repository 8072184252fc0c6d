import { isStack } from '../engine/line-call.ts';
import { savedIn } from '../engine/stack-effects.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { inEnvironment, policyOf } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { keepObject, sourcesPrefix } from '../stacks/kept-object.ts';
import type { KeptObject, LineSpec, Run, SourceOf, StackSpec } from './items.ts';
import { loadPolicy } from './load-policy.ts';
import type { PhaseLine } from './phase.ts';
import { readRunLines } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** What policy gives the tools of an environment's stacks. Without a word about stacks it gives nothing: what was made under an earlier word is taken down so. */
export function stackSpec(policy: Policy, run: Pick<Run, 'environment' | 'options'>): StackSpec {
  const { stacks, drift } = inEnvironment(policy, run.environment);
  const { env = {}, secrets = {}, planRole, applyRole, timeLimitMs = usualTimeLimitMs } = stacks ?? {};
  return {
    env,
    // What nobody has merged is planned without any secret.
    secrets: run.options.afterMerge ? {} : secrets,
    ...(planRole === undefined ? {} : { planRole }),
    ...(applyRole === undefined ? {} : { applyRole }),
    timeLimitMs,
    show: drift.show ?? [],
  };
}

const usualTimeLimitMs = 3_600_000;

/** Addresses of the secrets that an environment's tools are given. */
export const stackSecrets = (policy: Policy, run: Pick<Run, 'environment' | 'options'>): readonly string[] => Object.values(stackSpec(policy, run).secrets);

/** Whether a ledger line holds a stack. */
export const holdsStack = ({ entries }: Pick<LedgerLine, 'entries'>): boolean => entries.some(({ stack }) => stack !== undefined);

/**
 * Lines of a phase with what the tools of their stacks are given, and with the saved plan that was approved. It was kept by the job that made it:
 * each phase takes it along from the one before, so that it outlives a recheck, whose own plan is run only where it is asked about.
 *
 * @param isStackLine by the plan, or by what the ledger holds.
 */
export async function withStacks(
  world: ControlWorld,
  run: Run,
  lines: readonly PhaseLine[],
  policy: Policy,
  isStackLine: (spec: LineSpec) => boolean = (spec) => isStack(world, spec),
): Promise<PhaseLine[]> {
  if (!lines.some(({ spec }) => isStackLine(spec))) return [...lines];
  const given = stackSpec(policy, run);
  const known = new Map((await readRunLines(world.table, run.id)).map(({ spec, result }) => [spec.id, [result?.stack?.saved, spec.stack?.saved]]));
  return lines.map(({ spec, after }) => {
    if (!isStackLine(spec)) return { spec, after };
    const wanted = spec.approved && savedIn(spec.approved)?.sha256;
    const saved = (known.get(spec.id) ?? []).find((one): one is KeptObject => one !== undefined && (wanted === undefined || one.sha256 === wanted));
    return { spec: { ...spec, stack: { ...given, ...(saved ? { saved } : {}) } }, after };
  });
}

/**
 * Keeps the files of commits, encrypted, for the jobs of this round: no job is ever given a right to the repository. A commit that the host has no
 * more, or too large a one, is a matter of the lines that need it.
 *
 * @throws what the host throws when it cannot be asked.
 */
export async function storeSources(world: ControlWorld, run: Run, commits: readonly string[]): Promise<Pick<Run, 'sources'>> {
  const wanted = [...new Set(commits)];
  if (wanted.length === 0) return {};
  const stored: [string, SourceOf][] = [];
  for (const commit of wanted) stored.push([commit, await storeSource(world, run, commit)]);
  return { sources: { ...run.sources, ...Object.fromEntries(stored) } };
}

const ofTheLine: ReadonlySet<string> = new Set(['SOURCE_TOO_LARGE', 'PROVIDER_NOT_FOUND', 'PLAN_MISSING']);

async function storeSource(world: ControlWorld, run: Run, commit: string): Promise<SourceOf> {
  try {
    const bytes = await world.codeHost.archive(run.repository, commit);
    return await keepObject(world, `${sourcesPrefix}${run.id}/`, world.ids.fresh(), bytes);
  } catch (error) {
    if (!(error instanceof LockkeeperError) || !ofTheLine.has(error.code)) throw error;
    return { problem: error.problem };
  }
}

/** Lines of a removal: those that hold stacks are given what policy gives their tools, whatever the plan says by now. */
export async function stacksOfRemoval(
  world: ControlWorld,
  run: Run,
  taken: readonly LedgerLine[],
  policy?: Policy,
): Promise<{ readonly sources: Pick<Run, 'sources'>; readonly tools: readonly string[]; give(lines: readonly PhaseLine[]): Promise<PhaseLine[]> }> {
  const holding = new Set(taken.filter(holdsStack).map(({ line }) => line));
  if (holding.size === 0) return { sources: {}, tools: [], give: async (lines) => [...lines] };
  // A mistake in the policy keeps no preview alive: then the tool is given nothing.
  const known = policy ?? (await loadPolicy(world, run.repository).catch(() => policyOf()));
  const entries = taken.flatMap((line) => line.entries).filter(({ createdBy }) => createdBy !== 'adopted');
  return {
    sources: await storeSources(
      world,
      run,
      entries.flatMap(({ stack }) => stack?.commit ?? []),
    ),
    tools: stackSecrets(known, run),
    give: (lines) => withStacks(world, run, lines, known, ({ id }) => holding.has(id)),
  };
}
