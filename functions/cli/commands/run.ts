import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Said } from '../../../events/said.ts';
import { readHead } from '../../../shared/ledger/head.ts';
import { judgeEnvironment } from '../../../shared/plan/activate.ts';
import type { ActiveLine } from '../../../shared/plan/types.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { sayBefore } from '../../../shared/rulings/lift.ts';
import { optionsOfSaid } from '../../../shared/rulings/rule-line.ts';
import type { NewRuling } from '../../../shared/rulings/ruling.ts';
import { judgeLine, rulingOfSaid } from '../../../shared/rulings/said.ts';
import { createRun, runIdOf } from '../../../shared/run/create-run.ts';
import type { Run } from '../../../shared/run/items.ts';
import { openQuestions } from '../../../shared/run/questions.ts';
import { parseReference } from '../../../shared/secrets/reference.ts';
import { scopeKey } from '../../../shared/table/keys.ts';
import type { Answer } from '../answer.ts';
import { contextOf, type Release, releaseOf } from '../context/release.ts';
import { atWork } from '../folder/at-work.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import type { Store } from '../folder/store.ts';
import { throwIfInterrupted } from '../interrupted.ts';
import type { Invocation, RunCommand } from '../invocation.ts';
import { ledgerOptions, worksFromLedger } from '../ledger-command.ts';
import { linesOf, type PlanFile, readPlanFile } from '../plan-file.ts';
import { lookHereEveryMs, untilOver } from '../runs/await-event.ts';
import { boundOf, defaultWait, restOf } from '../runs/await-run.ts';
import { finishLeftRuns, whenBusy } from '../runs/left-runs.ts';
import { planFacts } from '../runs/plan-facts.ts';
import { reportOfRun } from '../runs/run-report.ts';
import { namedStack } from '../stack/second-ledger.ts';
import type { Surroundings } from '../surroundings.ts';
import { askedFrom, endedBy } from './asked-from.ts';
import { declaredIn } from './look.ts';
import { lateAnswer, runAnswer } from './run-answer.ts';

/** The plan's name where no policy gives one (design 4). */
export const planName = 'main';

/** What a run is about, as far as it is known before anything is started. */
interface Task {
  readonly command: RunCommand;
  readonly release: Release;
  /** A destroy needs no plan: it removes what the ledger holds. */
  readonly file?: PlanFile;
  readonly lines: readonly ActiveLine[];
  /** Without a plan: the environments that the plan file names, where there is one, so that a slip is told. */
  readonly declared?: readonly string[];
  /** What a person says about one line before it is applied, and as a ruling where it is one. */
  readonly said?: Said;
  readonly ruling?: NewRuling;
}

/**
 * `plan`, `apply`, `destroy`: starts a run on the stack of the state folder and waits until it rests.
 *
 * @param said what `adopt`, `accept` and `reconcile` say about a line first, as the user of this machine.
 */
export async function runCommand(invocation: Invocation & { command: RunCommand }, surroundings: Surroundings, said?: Said): Promise<Answer> {
  const task = said ? saying(await taskOf(invocation, surroundings), said) : await taskOf(invocation, surroundings);
  return atWork(invocation, task.release.folder, surroundings, (sessions) => perform(task, invocation, sessions, surroundings));
}

async function taskOf(invocation: Invocation & { command: RunCommand }, { cwd, environment, redactor }: Surroundings): Promise<Task> {
  const file = worksFromLedger(invocation.command) ? undefined : readPlanFile(cwd, invocation.plan);
  const release = await releaseOf(invocation, environment, cwd);
  const lines = file ? linesOf(file, contextOf(release)) : [];
  for (const name of secretNames(lines)) redactor.register(environment[name] ?? '', name);
  return { command: invocation.command, release, lines, ...(file ? { file } : declaredIn(cwd, invocation.plan)) };
}

/** @throws LockkeeperError USAGE before anything is started for it. */
function saying(task: Task, said: Said): Task {
  judgeLine(
    said.line,
    task.lines.map(({ id }) => id),
  );
  const ruling = rulingOfSaid(said, { name: userInfo().username, through: 'machine' }, new Date(systemClock.now()).toISOString());
  return { ...task, said, ...(ruling ? { ruling } : {}) };
}

async function perform(task: Task, invocation: Invocation, sessions: LastingSession, { console, signal, cwd }: Surroundings): Promise<Answer> {
  const patience = { progress: console.progress, signal };
  // Whoever stopped while the stack was starting wants nothing begun.
  throwIfInterrupted(signal);
  await finishLeftRuns(sessions, patience, console.note);
  const { release } = task;
  const scope = scopeKey({ repository: release.repository.id, plan: planName, environment: release.environment, scope: release.scope });
  if (task.declared && !(await isKnown(sessions.current().store, scope))) judgeEnvironment({ environments: task.declared }, release.environment);
  const waits = invocation.wait ? 'wait' : undefined;
  const busy = task.command === 'plan' || task.command === 'recover' ? 'fail' : (waits ?? (await whenBusy(sessions, scope, console.note)));
  const beside = invocation.local ? await namedStack(release.folder) : undefined;
  const { reconcile, recreate } = invocation;
  const told = { ...(recreate ? { recreate } : {}), ...ledgerOptions(invocation) };
  const options: Run['options'] = { reconcile, busy, ...told, ...(beside === undefined ? {} : { beside }) };
  const { store } = sessions.current();
  const begin = store.ids.fresh();
  const { environment } = release;
  if (task.ruling) await sayBefore(store, scope, begin, runIdOf(begin, { plan: { name: planName }, environment }), task.ruling);
  throwIfInterrupted(signal);
  const open = await openQuestions(store, release.repository.id);
  const id = await start(task, store, begin, task.said ? optionsOfSaid(options, task.said) : options);
  const rested = await restOf(sessions, id, { ...patience, ...boundOf(invocation) });
  const { run, problem } = invocation.wait
    ? await untilOver(sessions, rested, patience, { seconds: invocation.waitTimeout ?? defaultWait, lookEveryMs: lookHereEveryMs })
    : { run: rested, problem: undefined };
  const report = await reportOfRun(sessions.current().store, run);
  const aside = [...(await endedBy(sessions.current().store, id, open)), ...(await askedFrom(report, release, task.file, cwd))];
  for (const text of aside) console.note(text);
  const answer = runAnswer(report, invocation, await planFacts(sessions.current().store, run));
  return problem ? lateAnswer(answer, problem) : answer;
}

/** Whether any run has worked in a scope: then it is a place, whatever the plan file says of it. */
const isKnown = async ({ table }: Store, scope: string): Promise<boolean> => (await readHead(table, scope)) !== undefined;

/** Puts the plan file where the run reads it, create-only under its own digest, and queues the run. */
async function start({ command, release, file }: Task, store: Store, begin: string, options: Run['options']): Promise<string> {
  const { repository, environment, scope, branch, sha, pullRequest } = release;
  const plan = file ? await storedPlan(store, file) : { name: planName, path: 'release.plan.yaml' };
  return createRun(store, begin, {
    intent: command,
    repository,
    plan,
    environment,
    scope,
    commit: sha,
    branch,
    options,
    ...(pullRequest === undefined ? {} : { pullRequest }),
  });
}

/** Puts the bytes of a plan file where a run reads them. */
export async function storedPlan(store: Store, { path, bytes }: PlanFile): Promise<Run['plan']> {
  const object = `plans/${createHash('sha256').update(bytes).digest('hex')}.yaml`;
  await store.objects.put(object, bytes.toString('utf8'), { ifAbsent: true });
  return { name: planName, path, object };
}

/** Variables that the lines take secrets from. */
export function secretNames(lines: readonly ActiveLine[]): string[] {
  const references = lines.flatMap((line) => line.secrets).map(parseReference);
  return references.flatMap((reference) => (reference?.scheme === 'env' ? [reference.name] : []));
}
