import { closeQuestion } from '../approvals/question.ts';
import type { Run } from '../run/items.ts';
import { queueStep } from '../run/phase.ts';
import { releaseAndWake } from '../run/release.ts';
import { logEvent } from '../run/run-log.ts';
import { freedStep, saveOrAgain } from '../run/run-store.ts';
import { hasApplied } from '../run/settle-asked.ts';
import type { ControlWorld } from '../run/world.ts';

/**
 * A round that is over: the next one plans again and asks again, in place. The round is raised by compare-and-swap before a token is
 * completed or an execution started; Replan itself adds nothing (P2). The lease is given back: it is not held while people think.
 *
 * The run keeps the Guard state's token: a death right after the swap leaves it to the next step, which tells the machine to plan again.
 * Without a token, because a line found its effects moved or nobody told the machine, a new execution begins at Replan.
 * A stop that somebody wrote meanwhile is not cleared with the round: the swap fails, and the next step meets it (P1).
 */
export async function planAgain(world: ControlWorld, run: Run): Promise<void> {
  const { question, guard } = run;
  if (question) await closeQuestion(world, { ...question, run: run.id });
  const since = new Date(world.clock.now()).toISOString();
  const round = run.round + 1;
  const step = freedStep(run);
  const execution = guard === undefined ? `${run.id}-${round}` : run.execution;
  const applied = run.phase === 'applying' && run.honoured && (await hasApplied(world, run)) ? { appliedUnder: run.honoured.fence } : {};
  const next = { phase: 'preparing' as const, round, status: 'open', since, step, ...applied, ...(execution === undefined ? {} : { execution }) };
  const raised = await saveOrAgain(world, run, next, ['honoured', 'cursor']);
  await logEvent(world, raised, 'plan.stale', { detail: question?.digest ?? '' });
  await releaseAndWake(world, raised);
  const told = guard !== undefined && (await world.machine.succeed(guard.token, { next: 'replan' })) === 'done';
  if (!told) await world.machine.start(raised.execution as string, { enter: 'replan', run: run.id, group: run.repository.id, expiresSeconds: 86_400 });
  await queueStep(world, run);
}
