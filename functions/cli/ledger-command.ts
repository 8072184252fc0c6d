import { LockkeeperError } from '../../shared/errors/error.ts';
import type { RunOptions } from '../../shared/run/items.ts';
import type { Invocation, RunCommand } from './invocation.ts';

/** Commands that work from the ledger and its receipts alone: they read no plan file, and no commit need be pushed for them. */
export const worksFromLedger = (command: RunCommand): boolean => command === 'destroy' || command === 'prune' || command === 'recover';

/**
 * What `prune` and `recover` were told to do: nothing of it written is the usual, since both show first.
 *
 * @throws LockkeeperError USAGE for a prune of one line and of all.
 */
export function ledgerOptions({ command, line, all, yes }: Pick<Invocation, 'command' | 'line' | 'all' | 'yes'>): Pick<RunOptions, 'only' | 'confirmed'> {
  if (command === 'recover') return yes ? { confirmed: true } : {};
  if (command !== 'prune') return {};
  if (line !== undefined && all)
    throw new LockkeeperError({ code: 'USAGE', message: 'A line and --all are two different things.', hint: 'Leave one of the two out.' });
  if (line !== undefined) return { only: line, confirmed: true };
  return all ? { confirmed: true } : {};
}
