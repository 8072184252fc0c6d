import { closeQuestion } from '../approvals/question.ts';
import { Again } from '../run/again.ts';
import type { Run } from '../run/items.ts';
import { releaseAndWake } from '../run/release.ts';
import { logEvent } from '../run/run-log.ts';
import { saveRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';

/**
 * A round that is over: the next one plans again and asks again, in place. The round is raised by compare-and-swap before a token is
 * completed or an execution started; Replan itself adds nothing (P2). The lease is given back: it is not held while people think.
 *
 * @param guardToken of the Guard state that waits for it; absent when a line found its effects moved: a new execution begins at Replan.
 */
export async function planAgain(world: ControlWorld, run: Run, guardToken?: string): Promise<void> {
  const { question } = run;
  if (question) await closeQuestion(world, { ...question, run: run.id });
  const since = new Date(world.clock.now()).toISOString();
  const round = run.round + 1;
  const step = { attempt: run.step?.attempt ?? 0, until: 0 };
  const execution = guardToken === undefined ? `${run.id}-${round}` : run.execution;
  const next = { phase: 'preparing' as const, round, status: 'open', since, step, ...(execution === undefined ? {} : { execution }) };
  const raised = await saveRun(world, run, next, ['stopping', 'honoured', 'guardToken', 'replanToken', 'cursor']);
  if (!raised) throw new Again('the run moved on meanwhile', 0);
  await logEvent(world, raised, 'plan.stale', { detail: question?.digest ?? '' });
  await releaseAndWake(world, raised);
  const told = guardToken !== undefined && (await world.machine.succeed(guardToken, { next: 'replan' })) === 'done';
  if (!told) await world.machine.start(raised.execution as string, { enter: 'replan', run: run.id, group: run.repository.id, expiresSeconds: 86_400 });
  await world.queues.control({ format: 1, run: run.id, group: run.repository.id });
}
