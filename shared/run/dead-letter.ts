import type { ControlMessage } from '../../events/control-message.ts';
import type { LineMessage } from '../../events/line-message.ts';
import type { Problem } from '../errors/error.ts';
import { closeClick } from '../intake/close-click.ts';
import { answerCommand } from '../intake/command-step.ts';
import { redeployFailed } from '../redeploys/redeploy-failed.ts';
import { equal } from '../table/condition.ts';
import { isClickId, isCommandId, runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { Again } from './again.ts';
import { forgetSecrets } from './forget-secrets.ts';
import type { LineResult, Phase, Run } from './items.ts';
import { queueStep, readOpenWork, tail } from './phase.ts';
import { isRemoval } from './report.ts';
import { logEvent } from './run-log.ts';
import { claimLine, claimStep, readRun, readRunLine, saveLine, saveRun } from './run-store.ts';
import { stopIfFailed } from './stop.ts';
import type { JobWorld } from './world.ts';

const died = (what: string): Problem => ({ code: 'INTERRUPTED', message: `${what} died more often than the queue allows.` });

/** A line's job that died: a job like any other, whose result is failure (P1). A live claim keeps the message. */
export async function deadLine(world: JobWorld, message: LineMessage): Promise<void> {
  const run = await readRun(world.table, message.run);
  const line = await readRunLine(world.table, message.run, message.line);
  if (!run || !line || line.round !== message.round || line.phase !== message.phase || run.round !== message.round || run.phase !== message.phase) return;
  if (line.result) return tail(world, run, line);
  const answer = await claimLine(world, line);
  if (answer === 'moved') return;
  if ('live' in answer) throw new Again(`line ${line.spec.id} is being worked on`, (answer.live - world.clock.now()) / 1000 + 1);
  const status = run.phase === 'rolling-back' ? 'rollback_failed' : run.phase === 'planning' ? 'error' : isRemoval(run.kind) ? 'destroy_failed' : 'failed';
  const problem = died(`The job of line ${line.spec.id}`);
  // A redeploy that dies undoes nothing, as one that fails (P8).
  const result: LineResult = line.spec.redeploy ? redeployFailed(line.spec, problem.message) : { status, changes: [], outputs: {}, problem };
  world.log.error('a line died', { run: run.id, line: line.spec.id, phase: run.phase, code: problem.code });
  if (!(await saveLine(world, answer.claimed, { result }))) return;
  await stopIfFailed(world, run, line.spec.id, result);
  await tail(world, run, answer.claimed);
}

/**
 * A control step that died. The run stops with the error and the controller is woken: open work drains; with none open what the
 * run made is undone, else it settles (P1). A death while rolling back goes to settling; one while settling, or a second one while
 * preparing, ends the run: its lease runs out by itself, and the next run of the scope finishes or undoes what it left.
 */
export async function deadStep(world: JobWorld, message: ControlMessage): Promise<void> {
  // The next tick of the schedule asks again.
  if (message.format === 4) return world.log.error('a clean-up died');
  if (message.format === 3) return world.log.error('a look for lost events died');
  // What it was to show, or to judge, is still marked in the table: the sweep asks again.
  if (message.format === 5) return world.log.error('a step of the dashboard died', { repository: message.group });
  // Its schedule has not moved on: the next tick asks for the same scans.
  if (message.format === 6) return world.log.error('scans could not be started', { repository: message.group, environment: message.environment });
  // Its line looks by itself, too.
  if (message.format === 7) return world.log.error('the end of a tool job was not told to its line');
  if (isCommandId(message.run)) return answerCommand(world, message.run, 'died', { problem: died('The command') });
  if (isClickId(message.run)) return deadClick(world, message.run);
  const item = await world.table.get(runKey(message.run));
  if (item?.['kind'] === 'intake') return deadIntake(world, message.run);
  const run = await readRun(world.table, message.run);
  if (!run || run.phase === 'done' || run.phase === 'waiting') return;
  if (run.stopping?.cause === 'died' && run.stopping.attempt === run.step?.attempt) return queueStep(world, run); // told twice
  const claimed = await claimStep(world, run);
  const problem = died(`The ${run.phase} step`);
  world.log.error('a control step died', { run: run.id, phase: run.phase, code: problem.code });
  await logEvent(world, run, 'died', { problem });
  const next = await afterDeath(world, run);
  const attempt = claimed.step?.attempt ?? 0;
  const freed = { step: { attempt, until: 0 }, problem };
  if (next === 'done') {
    await forgetSecrets(world, run);
    await saveRun(world, claimed, { ...freed, phase: 'done', outcome: 'failed', status: 'failed' }, ['since', 'cursor']);
    return;
  }
  // On the way to a question nothing was being written: it ends failed, whoever has the lease by now.
  const ending = next === 'settling' && beforeItsLines.has(run.phase) ? { ending: 'failed' as const } : {};
  await saveRun(world, claimed, { ...freed, ...ending, phase: next, stopping: { cause: 'died', round: run.round, phase: run.phase, attempt, problem } });
  await queueStep(world, run);
}

const beforeItsLines: ReadonlySet<Phase> = new Set(['preparing', 'awaiting', 'guarding']);

/** The phase a run goes on in after one of its steps died. */
async function afterDeath(world: JobWorld, run: Run): Promise<Phase> {
  const again = run.stopping?.cause === 'died' && run.stopping.phase === run.phase;
  if (run.phase === 'settling') return 'done';
  if (run.phase === 'preparing') return again ? (run.gated ? 'settling' : 'done') : 'preparing';
  const drained = (await readOpenWork(world, run)).length === 0;
  return drained && (run.phase === 'rolling-back' || again) ? 'settling' : run.phase;
}

async function deadIntake(world: JobWorld, id: string): Promise<void> {
  world.log.error('an intake died', { intake: id });
  // It stays as it is for GitHub's redelivery, but out of the sweep's list: the sweep would only kill it again.
  await write(world, runKey(id), { set: { status: 'died' }, remove: ['since'] }, equal('status', 'recorded'));
}

/** Whoever clicked is told nothing: the question stays, and so do its buttons. */
async function deadClick(world: JobWorld, id: string): Promise<void> {
  world.log.error('a click in Slack died', { delivery: id });
  await closeClick(world, id, 'died');
}
