import { frozen, frozenProblem } from '../freeze/frozen.ts';
import { readHead } from '../ledger/head.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import { protectedBy } from '../run/load-plan.ts';
import { prepareGated } from '../run/prepare-gated.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { judgeHead } from '../run/world-judgement.ts';
import { loadTicked, tickedByLine } from './load-ticked.ts';

/**
 * A run that a tick started is planned first, whether or not its environment is protected: what the tick showed is its approval, or one of
 * them, and it goes on only where what it would do is among that.
 */
export async function prepareTicked(world: ControlWorld, run: Run): Promise<void> {
  const ticked = await loadTicked(world, run);
  if (!ticked) return;
  const { loaded, effects } = ticked;
  const protects = [...new Set([...(run.protects ?? []), ...protectedBy(world, run, loaded)])].sort();
  const freeze = run.round === 1 ? await frozen(world, { ...run, protects }) : undefined;
  if (freeze) return closeEarly(world, run, 'failed', 'It is frozen.', frozenProblem(freeze));
  const past = await judgeHead(world, run, await readHead(world.table, runScope(run)));
  if (past) return closeEarly(world, run, past.is, past.why);
  await prepareGated(world, run, loaded, protects, tickedByLine(effects));
}
