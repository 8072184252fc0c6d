import { contextOf, isStack, maskProblem } from '../engine/line-call.ts';
import { LockkeeperError, type Problem, problemOf } from '../errors/error.ts';
import { activateLines } from '../plan/activate.ts';
import { readPlan } from '../plan/read.ts';
import type { ActiveLine } from '../plan/types.ts';
import { unknownLines } from '../policy/drift-rules.ts';
import { judgeLines } from '../policy/judge-lines.ts';
import { isProtected } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { closeEarly } from './close-early.ts';
import type { Run } from './items.ts';
import { policyOfText, policyText } from './load-policy.ts';
import { policyChanged } from './policy-changed.ts';
import { variablesOf } from './seal-secrets.ts';
import type { ControlWorld } from './world.ts';

export interface LoadedPlan {
  readonly hash: string;
  readonly lines: readonly ActiveLine[];
  readonly warnings: readonly Problem[];
  /** The policy of the repository's default branch, as it is now. */
  readonly policy: Policy;
  /** The text of both files. */
  readonly source: { readonly plan: string; readonly policy?: string };
}

/** What says which plan file is meant, and for which release. */
export type Planned = Pick<Run, 'repository' | 'plan' | 'environment' | 'scope' | 'commit' | 'branch' | 'pullRequest'>;

/**
 * Reads the plan file at the run's commit, checks it, and makes the lines this run works on.
 *
 * @throws LockkeeperError with the first mistake; `details.problems` holds them all.
 */
export async function loadPlan(world: ControlWorld, run: Planned): Promise<LoadedPlan> {
  const { bytes, hash, lines, warnings } = await readLines(world, run);
  const text = await policyText(world, run.repository);
  const policy = policyOfText(world, text);
  const denied = judgeLines(
    policy,
    run.environment,
    lines,
    (line) => variablesOf(world, [line]),
    (line) => isStack(world, line),
  );
  if (denied.length > 0) throw manyProblems(denied);
  const doubts = unknownLines(
    policy,
    run.environment,
    lines.map(({ id }) => id),
  );
  const source = { plan: Buffer.from(bytes).toString('utf8'), ...(text === undefined ? {} : { policy: text }) };
  return { hash, lines, warnings: [...warnings, ...(await policyChanged(world, run)), ...doubts], policy, source };
}

/**
 * The plan file at a commit, and the lines of it that a run there would work on.
 *
 * @throws LockkeeperError as {@link loadPlan}, but for what policy says.
 */
export async function readLines(world: ControlWorld, run: Planned): Promise<Pick<LoadedPlan, 'hash' | 'lines' | 'warnings'> & { bytes: Uint8Array | string }> {
  const bytes = await planBytes(world, run);
  const { plan, problems, warnings } = readPlan(bytes, run.plan.path, world.registry);
  if (!plan) throw manyProblems(problems);
  const lines = activateLines(plan, contextOf(run), world.registry, world.variable);
  refuseLargeLines(lines);
  return { bytes, hash: plan.hash, lines, warnings };
}

/** What the parameters of one line may take in its item, beside what a run writes there. */
const largestParams = 200 * 1024;

function refuseLargeLines(lines: readonly ActiveLine[]): void {
  const large = lines.find((line) => Buffer.byteLength(JSON.stringify(line.params)) > largestParams);
  if (!large) return;
  throw new LockkeeperError({ code: 'LINE_TOO_LARGE', message: `The parameters of line ${large.id} take more than ${largestParams / 1024} KB.` });
}

async function planBytes(world: ControlWorld, run: Planned): Promise<Uint8Array | string> {
  if (run.plan.object !== undefined) {
    const object = await world.objects.get(run.plan.object);
    if (object) return object.body;
  } else {
    const bytes = await world.codeHost.file(run.repository, run.plan.path, run.commit);
    if (bytes === 'not-a-file')
      throw new LockkeeperError({ code: 'PLAN_MISSING', message: `${run.plan.path} at commit ${run.commit.slice(0, 7)} is no file.` });
    if (bytes) return bytes;
  }
  throw new LockkeeperError({ code: 'PLAN_MISSING', message: `Commit ${run.commit.slice(0, 7)} has no ${run.plan.path}.` });
}

function manyProblems(problems: readonly Problem[]): LockkeeperError {
  const [first, ...more] = problems as [Problem, ...Problem[]];
  return new LockkeeperError(more.length === 0 ? first : { ...first, details: { ...first.details, problems } });
}

/** The protected environments that a run writes: its own, or one that a line's op writes. With any, people decide first (R1.25, R1.26). */
export function protectedBy(world: ControlWorld, run: Planned, { policy, lines }: LoadedPlan): string[] {
  const writes = (line: ActiveLine) => world.registry.find(line.adapter, line.op)?.writesEnvironment(line.params, line.provider, contextOf(run));
  const written = new Set([run.environment, ...lines.map((line) => writes(line) ?? run.environment)]);
  return [...written].filter((environment) => isProtected(policy, environment)).sort();
}

/**
 * Reads the plan; a mistake in it, or a refusal, ends the run before anything else happens (R1.42): undefined.
 *
 * @param end what else its end takes, with the masked problem, before it.
 */
export async function loadOrEnd(world: ControlWorld, run: Run, end?: (problem: Problem) => Promise<void>): Promise<LoadedPlan | undefined> {
  try {
    return await loadPlan(world, run);
  } catch (error) {
    const problem = problemOf(error);
    if (!endsTheRun(problem)) throw error;
    const masked = maskProblem(world, problem);
    await end?.(masked);
    await closeEarly(world, run, 'failed', problem.message, masked);
    return undefined;
  }
}

/** Mistakes of the plan and refusals end the run; a host or store that does not answer is tried again. */
const endsTheRun = (problem: Problem): boolean =>
  !['INTERNAL', 'CODE_HOST', 'STORE_UNREACHABLE'].includes(problem.code) && !problem.code.startsWith('PROVIDER_');
