import type { ControlMessage } from '../../events/control-message.ts';
import type { LineMessage } from '../../events/line-message.ts';
import type { Problem } from '../errors/error.ts';
import { equal } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { Again } from './again.ts';
import { queueStep, tail } from './phase.ts';
import { logEvent } from './run-log.ts';
import { claimLine, claimStep, readRun, readRunLine, saveLine, saveRun } from './run-store.ts';
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
  const status = run.phase === 'rolling-back' ? 'rollback_failed' : run.phase === 'planning' ? 'error' : run.kind === 'destroy' ? 'destroy_failed' : 'failed';
  const result = { status, changes: [], outputs: {}, problem: died(`The job of line ${line.spec.id}`) } as const;
  if (await saveLine(world, answer.claimed, { result })) await tail(world, run, answer.claimed);
}

/**
 * A control step that died: the run stops with the error and the controller is woken. Open work drains; with none open it
 * undoes what the run made, else settles (P1). A run that dies once more, stopping already, ends here: its lease runs out by
 * itself, and what it left in the ledger is finished or undone by the next run of the scope.
 */
export async function deadStep(world: JobWorld, message: ControlMessage): Promise<void> {
  const item = await world.table.get(runKey(message.run));
  if (item?.['kind'] === 'intake') return deadIntake(world, message.run);
  const run = await readRun(world.table, message.run);
  if (!run || run.phase === 'done' || run.phase === 'waiting') return;
  const claimed = await claimStep(world, run);
  const problem = died(`The ${run.phase} step`);
  await logEvent(world, run, 'died', { problem });
  const freed = { step: { attempt: claimed.step?.attempt ?? 0, until: 0 }, problem };
  if (run.stopping?.cause === 'died') {
    await saveRun(world, claimed, { ...freed, phase: 'done', outcome: 'failed', status: 'failed' }, ['since', 'cursor']);
    return;
  }
  await saveRun(world, claimed, { ...freed, stopping: { cause: 'died', round: run.round, problem } });
  await queueStep(world, run);
}

async function deadIntake(world: JobWorld, id: string): Promise<void> {
  world.log.error('an intake died', { intake: id });
  await write(world, runKey(id), { set: { status: 'died' }, remove: ['since'] }, equal('status', 'recorded'));
}
