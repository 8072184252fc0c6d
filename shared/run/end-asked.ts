import type { Decision } from '../approvals/decision.ts';
import { closeQuestion } from '../approvals/question.ts';
import type { Problem } from '../errors/error.ts';
import type { Freeze } from '../freeze/freeze.ts';
import { frozenProblem } from '../freeze/frozen.ts';
import { readStops } from '../guard/stale.ts';
import { dropOpenRuns } from '../ledger/head.ts';
import { reportOf } from './assemble.ts';
import { reportedDecisions } from './decided.ts';
import { close } from './ending.ts';
import { questionOf, type Run } from './items.ts';
import { managedNow } from './managed.ts';
import { publish } from './publish.ts';
import type { RunStatus } from './report.ts';
import { storeReport } from './reports.ts';
import { runScope } from './run-scope.ts';
import { readLinesOfRound } from './run-store.ts';
import { hasApplied, settleAs } from './settle-asked.ts';
import type { ControlWorld } from './world.ts';

/**
 * Ends a run at its question: rejected, expired, died, or another run took its place. What an earlier round applied was approved and
 * stays; then the run settles, so that its receipt says so.
 */
export async function endAsked(
  world: ControlWorld,
  run: Run,
  status: Extract<RunStatus, 'rejected' | 'expired' | 'cancelled' | 'superseded' | 'stale' | 'failed'>,
  { answers = [], problem }: { readonly answers?: readonly Decision[]; readonly problem?: Problem } = {},
): Promise<void> {
  const { q, digest } = questionOf(run);
  await closeQuestion(world, { q, digest, run: run.id });
  if (await hasApplied(world, run)) await settleAs(world, run, status, { answers, ...(problem ? { problem } : {}) });
  else await endWithoutTrace(world, problem ? { ...run, problem } : run, status, answers);
}

/** Why what enough people approved ran out all the same: a freeze kept it, or nobody came to let it go on in time. */
export const ranOut = (run: Run, freeze?: Freeze): Problem =>
  freeze
    ? frozenProblem(freeze, run.options.ticked ? undefined : run)
    : {
        code: 'EXPIRED',
        message: `Plan ${questionOf(run).digest.slice(0, 12)} was approved, and its time ran out before all of it was applied.`,
        ...(run.options.ticked ? { hint: 'Tick the box of the dashboard as it is now.' } : {}),
      };

async function endWithoutTrace(world: ControlWorld, run: Run, status: RunStatus, counted: readonly Decision[]): Promise<void> {
  const lines = await readLinesOfRound(world.table, run);
  const managed = await managedNow(world, run);
  const decisions = reportedDecisions(counted);
  const finishedAt = new Date(world.clock.now()).toISOString();
  const question = questionOf(run);
  const shown = { digest: question.digest, expiresAt: new Date(question.expiresAt).toISOString() };
  const report = world.redactor.maskJson(
    reportOf(run, { status, lines, managed, finishedAt, question: shown, decisions, stops: await readStops(world, run.id) }),
  );
  const key = await storeReport(world, report);
  await publish(world, run, report);
  await dropOpenRuns(world, runScope(run), [run.id]);
  await close(world, run, report, key);
}
