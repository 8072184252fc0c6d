import { closeQuestion } from '../approvals/question.ts';
import { lookAfterEnd } from '../dashboard/look-after-end.ts';
import { markDashboard } from '../dashboard/mark.ts';
import { noteEnd, noteOpen } from '../dashboard/note-run.ts';
import { problemOf } from '../errors/error.ts';
import { announceStops } from '../guard/stale.ts';
import { addOpenRun, readHead } from '../ledger/head.ts';
import { wakeTickers } from '../ticks/look-after.ts';
import { untilNextRound } from './backoff.ts';
import { forgetSecrets } from './forget-secrets.ts';
import type { Run } from './items.ts';
import { releaseAndWake } from './release.ts';
import type { RunReport } from './report.ts';
import { resumeRun } from './resume.ts';
import { logEvent } from './run-log.ts';
import { runScope } from './run-scope.ts';
import { freedStep, readRunLines, saveOrAgain } from './run-store.ts';
import { dismissMachine, tellMachine } from './tell-machine.ts';
import type { ControlWorld } from './world.ts';

/** The final status, then whatever of the machine waits for it, then the lease: its release is the last write of the step (P3). Sealed values go first. */
export async function close(world: ControlWorld, run: Run, report: RunReport, key: string): Promise<void> {
  await forgetSecrets(world, run);
  const retryAt = retryOf(world, run, report);
  const due = retryAt === undefined ? {} : { since: new Date(retryAt).toISOString(), resumeAt: retryAt };
  // Let go on while the host was silent, it may well end so: the sweep tells it again when the host answers.
  const untold = run.honoured?.head === undefined ? {} : { untold: true as const, status: 'untold', since: new Date(world.clock.now()).toISOString() };
  const problem = report.problem ? { problem: report.problem } : {};
  const change = { ...ended(run, report, key), phase: 'done' as const, status: report.status, kind: report.kind, ...untold, ...due, ...problem };
  await noteEnd(world, run, report);
  // Whoever loses this swap must not release the lease: the run is somebody else's to end.
  await saveOrAgain(world, run, change, 'since' in change ? ['cursor'] : ['since', 'cursor']);
  await logEvent(world, run, 'settled', { detail: report.status });
  world.log.info('run ended', { run: run.id, kind: report.kind, status: report.status, environment: run.environment, scope: run.scope });
  if (report.stops !== undefined) await announceStops(world, run);
  await announce(world, report);
  // One the guard has honoured was closed then, and its state left.
  const asks = run.question && run.honoured?.q !== run.question.q;
  if (run.question && asks) await closeQuestion(world, { ...run.question, run: run.id });
  await (asks ? dismissMachine : tellMachine)(world, { ...run, phase: 'done' });
  await releaseAndWake(world, run);
  await wakeTickers(world, run);
  if (run.kind === 'drift' && run.board) await markDashboard(world, run.repository);
  await lookAfterEnd(world, run, report);
}

/**
 * A round that waits: noted as open, its lease given back, and the head's notes looked at once more, because the event may
 * have come while nobody waited for it (P5).
 */
export async function wait(world: ControlWorld, run: Run, report: RunReport, key: string): Promise<void> {
  await forgetSecrets(world, run, 'wait');
  await addOpenRun(world, runScope(run), run.id);
  const lines = await readRunLines(world.table, run.id);
  const resumeAt = lines.flatMap((line) => line.result?.resumeAt ?? []).sort((a, b) => a - b)[0];
  const timed = resumeAt === undefined ? {} : { resumeAt, since: new Date(resumeAt).toISOString() };
  await noteOpen(world, run, 'waiting');
  const change = { ...ended(run, report, key), phase: 'waiting' as const, status: 'waiting', ...timed };
  const waiting = await saveOrAgain(world, run, change, resumeAt === undefined ? ['since', 'resumeAt'] : []);
  await logEvent(world, run, 'settled', { detail: report.status });
  await afterWait(world, waiting);
}

/** What follows a run's `waiting`, and is repeated by whoever finds it so: a death in between must not lose the event. */
export async function afterWait(world: ControlWorld, waiting: Run): Promise<void> {
  // Under the lease still: whoever has it next uses up the notes that it finds.
  const head = await readHead(world.table, runScope(waiting));
  await releaseAndWake(world, waiting);
  if (head && head.notes.length > 0 && head.openRuns.includes(waiting.id)) await resumeRun(world, waiting);
}

const ended = (run: Run, report: RunReport, key: string) => ({ outcome: report.status, report: key, step: freedStep(run) });

/** Tells the bus that a run has ended. Nobody decides by it, so a bus that does not answer costs a line in the log. */
async function announce(world: ControlWorld, { run, kind, status, repository, environment, scope, commit }: RunReport): Promise<void> {
  try {
    await world.bus.announce('run.settled', { run, kind, status, repository, environment, scope, commit });
  } catch (error) {
    world.log.warn('the end of a run was not announced', { run, code: problemOf(error).code });
  }
}

/**
 * A destroy that failed is tried again by the sweep, less and less often, at most daily (P4). So is a run that died before it
 * could ask its host whether it is one. One of the nightly clean-up is not: the next night makes another.
 */
function retryOf(world: ControlWorld, run: Run, report: RunReport): number | undefined {
  const unasked = run.stopping?.cause === 'died' && run.kind === undefined && run.intent === 'follow';
  const removes = report.kind === 'destroy' && run.pullRequest !== undefined;
  if (report.status !== 'failed' || run.options.cleanUp || !(removes || unasked)) return undefined;
  return world.clock.now() + untilNextRound(run.round);
}
