import { placeOf } from '../engine/ways-on.ts';
import { LockkeeperError } from '../errors/error.ts';
import { listed } from '../errors/quoted.ts';
import { readHead } from '../ledger/head.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { latestKey, parseReceipt } from '../receipts/chain.ts';
import type { LatestReceipt } from '../receipts/receipt.ts';
import { scopePath } from '../table/keys.ts';
import type { Run } from './items.ts';
import { runAddress, runScope } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

async function newestReceipt(world: ControlWorld, run: Run): Promise<LatestReceipt | undefined> {
  const stored = await world.objects.get(latestKey(scopePath(runAddress(run))));
  return stored && parseReceipt(stored.body);
}

/**
 * Before anything of a run begins: its scope's newest receipt, head and ledger can be read, and a scope that has a receipt has a head. What is
 * damaged, newer or gone is never "nothing managed" (R1.83).
 *
 * @throws LockkeeperError RECEIPT_CORRUPT, RECEIPT_VERSION, LEDGER_LOST.
 */
export async function judgeStored(world: ControlWorld, run: Run): Promise<void> {
  const receipt = await newestReceipt(world, run);
  await readLedger(world.table, runScope(run));
  if (!(await readHead(world.table, runScope(run))) && receipt) throw lost(run, receipt, []);
}

/**
 * The same under the lease, where nobody empties a ledger line meanwhile: each line under which the newest receipt has something is there.
 *
 * @throws LockkeeperError RECEIPT_CORRUPT, RECEIPT_VERSION, LEDGER_LOST.
 */
export async function judgeLedger(world: ControlWorld, run: Run): Promise<void> {
  const receipt = await newestReceipt(world, run);
  if (!receipt) return;
  const there = new Set((await readLedger(world.table, runScope(run))).map(({ line }) => line));
  const gone = receipt.ledger.filter(({ line, entries }) => entries.length > 0 && !there.has(line)).map(({ line }) => line);
  if (gone.length > 0) throw lost(run, receipt, gone);
}

function lost(at: Run, { run, ledger }: LatestReceipt, gone: readonly string[]): LockkeeperError {
  const resources = ledger.filter(({ line }) => gone.length === 0 || gone.includes(line)).reduce((sum, { entries }) => sum + entries.length, 0);
  const what = gone.length === 0 ? 'of this scope' : `of ${gone.length === 1 ? 'line' : 'lines'} ${listed(gone)}`;
  const said = resources === 1 ? `1 resource ${what} is` : `${resources} resources ${what} are`;
  const message = `The receipt of run ${run} says that ${said} managed; the table does not know ${resources === 1 ? 'it' : 'them'} any more.`;
  const hint = `Nothing is taken for unmanaged because of it. Type \`lockkeeper recover${placeOf(at)}\` to see what the newest receipt would bring back.`;
  return new LockkeeperError({ code: 'LEDGER_LOST', message, hint });
}
