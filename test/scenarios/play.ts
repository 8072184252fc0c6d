/** Plays one scenario: each step, what was expected of it, and what holds after every step. */
import { LockkeeperError } from '../../shared/errors/error.ts';
import { retryRun } from '../../shared/run/retry.ts';
import type { Tally } from '../canaries/search.ts';
import type { ClockedCloud } from '../house/cloud.ts';
import type { TableCall } from '../ports/memory-table.ts';
import { covers } from '../sim/wire/glob.ts';
import { brokenChains, changedByReplay, forsaken, type Snapshot, snapshot, touched, untidy } from './invariants.ts';
import { judge } from './judge.ts';
import { leakScan } from './leaks.ts';
import { moves } from './moves.ts';
import { before, type Observed, observed } from './observed.ts';
import { type Meanwhile, moveOf, type Scenario, type Step } from './scenario.ts';
import { type Outcome, openStage, type Stage } from './stage.ts';

/** @throws Error with every difference of the first step that has one, and how its run ended. */
export async function play(cloud: ClockedCloud, scenario: Scenario): Promise<void> {
  const stage = openStage(cloud, scenario);
  const leaks = leakScan(stage);
  let last: Observed | undefined;
  for (const [index, step] of scenario.steps.entries()) {
    const sent = stage.house.queues.sent.length;
    const { seen, wrong } = await playStep(stage, step);
    const problems = [...wrong, ...(await invariants(stage, step, sent)), ...leaks(step)];
    if (problems.length > 0) throw new Error(failureText(index, step, problems, seen, stage));
    if (seen.run) last = seen;
  }
  if (scenario.steps.some((step) => step.except?.again)) return;
  const problems = await wroteAgain(stage, last);
  if (problems.length > 0) throw new Error(`A second apply in the unchanged world:\n  ${problems.join('\n  ')}\n${storyOf(stage)}`);
}

/**
 * Plays a scenario only to see what gets out: its expectations are another test's, and a step that cannot be made ends it.
 *
 * @returns every leak, with the step after which it was seen; and the house as it stands in the end.
 */
export async function playForLeaks(cloud: ClockedCloud, scenario: Scenario, tally: Tally): Promise<{ leaks: string[]; stage: Stage }> {
  const stage = openStage(cloud, scenario);
  const scan = leakScan(stage, tally);
  const leaks: string[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    const made = await playStep(stage, step).catch(() => undefined);
    leaks.push(...scan(step).map((leak) => `step ${index + 1}: ${leak}`));
    if (!made) break;
  }
  return { leaks, stage };
}

async function playStep(stage: Stage, step: Step): Promise<{ seen: Observed; wrong: readonly string[] }> {
  const { house } = stage;
  if (step.on !== undefined) stage.on = step.on;
  const rules = (step.chaos ?? []).map((rule) => house.sim.control.rule(rule));
  if (step.fate) planFate(stage, step.fate);
  if (step.down) failStore(stage, step.down);
  const was = before(stage);
  const stood = snapshot(stage);
  const nested: string[] = [];
  const restore = step.meanwhile ? intercept(stage, step.meanwhile, nested) : undefined;
  const outcome = await perform(stage, step);
  restore?.();
  const idle = house.sim.control.clear(rules).map((rule) => `the chaos that was planned met no request: ${JSON.stringify(rule)}`);
  if (step.down) for (const { faults } of [house.memory, house.bucket, house.queues]) faults.clear();
  const seen = await observed(stage, outcome, was);
  const unmet = step.fate && !step.unheard && house.fates.met() === undefined ? ['the fate that was planned befell nobody'] : [];
  const unheld = moveOf(step).name === 'edit' || step.except?.untouched || step.meanwhile ? [] : touched(stood, snapshot(stage));
  const planned =
    seen.runs.length > 0 && seen.runs.every(({ kind }) => kind === 'plan' || kind === 'drift') && !step.meanwhile
      ? wroteInPlan(stood, snapshot(stage), seen)
      : [];
  const orphaned = step.unheard || step.undelivered ? [] : forsaken(stage, seen.run);
  return { seen, wrong: [...nested, ...idle, ...unmet, ...unheld, ...planned, ...orphaned, ...(step.expect ? judge(stage, step.expect, seen) : [])] };
}

/** I4: a plan, and a scan, write nothing to a provider and nothing to a ledger line. */
const wroteInPlan = (stood: Snapshot, stands: Snapshot, { writes }: Observed): string[] => [
  ...writes.map(({ method, path }) => `I4: the plan or scan wrote to a provider: ${method} ${path}`),
  ...(stood.ledger === stands.ledger ? [] : [`I4: the plan or scan changed the ledger: ${stood.ledger} → ${stands.ledger}`]),
];

function perform(stage: Stage, step: Step): Promise<Outcome> {
  const { name, input } = moveOf(step);
  const move = moves[name];
  if (!move) throw new Error('a step makes one move');
  return move.perform(stage, input as never, step);
}

function planFate({ house }: Stage, { of, after, line, is }: NonNullable<Step['fate']>): void {
  house.fates.plan(after, is, (name) => (of === undefined || name === of) && (line === undefined || house.lineAtWork() === line));
}

function failStore({ house }: Stage, { store, key, times }: NonNullable<Step['down']>): void {
  const error = new LockkeeperError({ code: 'STORE_UNREACHABLE', message: `the ${store} is away` });
  if (store === 'queues') house.queues.faults.fail(({ queue }) => queue.includes(key), error, times);
  else if (store === 'objects') house.bucket.faults.fail((call) => call.key.includes(key), error, times);
  else house.memory.faults.fail((call) => placeOf(call).includes(key), error, times);
}

function placeOf(call: TableCall): string {
  if ('key' in call) return `${call.key.pk} ${call.key.sk}`;
  return 'pk' in call ? `${call.pk} ${call.prefix}` : 'list';
}

/** Lets steps happen right before a provider's request leaves. Returns what takes this back. */
function intercept(stage: Stage, { at, after, do: steps }: Meanwhile, wrong: string[]): () => void {
  let passed = 0;
  const { house } = stage;
  house.beforeRequest = async (method, path) => {
    if (!covers(at, method, path) || passed++ !== after) return;
    for (const step of steps) wrong.push(...(await playStep(stage, step)).wrong);
  };
  return () => {
    house.beforeRequest = undefined;
    if (passed <= after) wrong.push(`no request ${at} came by, so nothing happened meanwhile`);
  };
}

async function invariants(stage: Stage, step: Step, sent: number): Promise<string[]> {
  const { except = {} } = step;
  const tampered = stage.scenario.steps.some((one) => moveOf(one).name === 'tamper');
  if (step.unheard || step.undelivered) return [];
  return [...(await brokenChains(stage, tampered)), ...(except.books ? [] : untidy(stage)), ...(except.replay ? [] : await changedByReplay(stage, sent))];
}

/** I3: where the newest run is an apply that ended complete, the same again writes nothing. */
async function wroteAgain(stage: Stage, last: Observed | undefined): Promise<string[]> {
  const run = last?.run;
  if (run?.kind !== 'apply' || run.outcome !== 'complete' || stage.scenario.host === 'machine') return [];
  // What was ticked is a part of a plan, and ticked once.
  if (stage.house.runs().at(-1)?.id !== run.id || run.options.ticked) return [];
  const was = before(stage);
  await retryRun(stage.house.world(), run);
  await stage.house.quiet();
  const seen = await observed(stage, {}, was);
  return seen.writes.length === 0 && seen.run?.outcome === 'complete'
    ? []
    : [
        `I3: it wrote ${seen.writes.map(({ method, path }) => `${method} ${path}`).join(', ') || 'nothing'} and ended ${seen.run?.outcome}: ${seen.run?.problem?.message ?? ''}`,
      ];
}

function failureText(index: number, step: Step, problems: readonly string[], { report }: Observed, stage: Stage): string {
  const { expect: _, ...made } = step;
  return `Step ${index + 1} (${JSON.stringify(made)}):\n  ${problems.join('\n  ')}\n${report ? reportText(report) : 'No run has a report.'}\n${storyOf(stage)}`;
}

function reportText({ kind, status, problem, lines, drift, warnings }: NonNullable<Observed['report']>): string {
  const why = (one: { readonly code: string; readonly message: string } | undefined): string => (one ? ` ${one.code}: ${one.message}` : '');
  const shown = [
    ...lines.map((line) => `  ${line.id}: ${line.status}${why(line.problem)}`),
    ...drift.map((one) => `  drift: ${one.kind} ${one.resource.key}`),
    ...warnings.map((one) => `  warning:${why(one)}`),
  ];
  return `The report of its ${kind}: ${status}${why(problem)}\n${shown.join('\n')}`;
}

/** The last lines of the log, for whoever looks for the reason. */
const storyOf = ({ house }: Stage): string => `The log's end:\n${house.log.slice(-12).join('\n')}`;
