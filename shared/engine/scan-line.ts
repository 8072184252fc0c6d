import { isLive, readLease } from '../lease/lease.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { Again } from '../run/again.ts';
import type { JobAnswer, Quietness, Run, RunLine } from '../run/items.ts';
import { runScope } from '../run/run-scope.ts';
import type { World } from '../run/world.ts';
import { all, equal, lacks } from '../table/condition.ts';
import { lineKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { planPhaseLine } from './plan-job.ts';
import type { RunSecrets } from './run-secrets.ts';

/**
 * One line of a scan: what a plan of it sees, which counts only where nobody was at work meanwhile. No lease is asked for and no run waits
 * (I4); a run that had one at either end, or in between, or that wrote the line, makes what was read no sight of anything: half of it may be
 * from before, and half from after.
 *
 *     lease, line ─ read ─ lease, line      the same fence, nobody's, and the same content: it counts
 *     lease ── grant ─ read ─ …             live at the second look
 *     read ─ grant, write, release ─ lease  another fence
 */
export async function scanPhaseLine(world: World, run: Run, line: RunLine, secrets: RunSecrets): Promise<JobAnswer> {
  const before = line.spec.stack ? await quietnessBefore(world, run, line) : await quietness(world, run, line);
  return planPhaseLine(world, run, line, secrets, async () => {
    const after = await quietness(world, run, line);
    return before.quiet && after.quiet && before.mark === after.mark;
  });
}

/**
 * A stack's look takes many steps: how quiet it was before the first of them stands in the line.
 *
 * @throws Again where another step was first.
 */
async function quietnessBefore(world: World, run: Run, line: RunLine): Promise<Quietness> {
  if (line.quiet) return line.quiet;
  const now = await quietness(world, run, line);
  const noted = await write(world, lineKey(run.id, line.spec.id), { set: { quiet: now } }, all(equal('round', line.round), lacks('quiet'), lacks('result')));
  if (!noted.won) throw new Again(`line ${line.spec.id} is being looked at already`, 1);
  return now;
}

/** What stands in the way of a look, and what it is told from an earlier one by. A clock that is off makes a lease look live for longer. */
async function quietness(world: World, run: Run, { spec }: RunLine): Promise<Quietness> {
  const scope = runScope(run);
  const lease = await readLease(world, scope);
  const ledger = await readLedgerLine(world.table, scope, spec.id);
  const live = isLive(lease, world.clock.now() - 2 * world.timing.skew);
  return { quiet: !live, mark: `${lease?.fence ?? 0} ${ledger?.version ?? 'none'}` };
}
