import type { Problem } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import type { ActiveLine } from '../plan/types.ts';
import { unknownLine } from '../rulings/said.ts';
import type { Run } from './items.ts';
import { runScope } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

/**
 * Why the lines that are to be recreated cannot be: only what Lockkeeper made in this scope is deleted and made anew (R1.81). A line that holds
 * nothing is simply made: the run before may have come no further than the delete.
 */
export async function judgeRecreate(world: Pick<ControlWorld, 'table'>, run: Run, lines: readonly Pick<ActiveLine, 'id'>[]): Promise<Problem | undefined> {
  const { recreate = [] } = run.options;
  if (recreate.length === 0) return undefined;
  const unknown = recreate.flatMap(
    (line) =>
      unknownLine(
        line,
        lines.map(({ id }) => id),
      ) ?? [],
  )[0];
  if (unknown) return unknown;
  const ledger = new Map((await readLedger(world.table, runScope(run))).map((line) => [line.line, line]));
  const stack = recreate.find((id) => ledger.get(id)?.entries.some((entry) => entry.stack !== undefined));
  if (stack !== undefined) {
    const why = `Line ${stack} is a stack: what of it is made anew, its tool says.`;
    return { code: 'USAGE', message: why, hint: 'Change its code so that the tool replaces what is to be made anew, and apply.' };
  }
  const line = recreate.find((id) => (ledger.get(id)?.entries.length ?? 0) > 0 && !hasOurs(ledger.get(id)));
  if (line === undefined) return undefined;
  const message = `Line ${line} holds nothing that Lockkeeper made in ${run.environment}, scope ${run.scope}: there is nothing to make anew.`;
  return { code: 'USAGE', message, hint: 'List what is managed with `lockkeeper show`.' };
}

const hasOurs = (line: LedgerLine | undefined): boolean =>
  line?.entries.some(({ createdBy, manual, action }) => createdBy !== 'adopted' && manual === undefined && action === undefined) === true;
