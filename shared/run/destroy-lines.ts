import type { LedgerLine } from '../ledger/entry.ts';
import type { LineSpec } from './items.ts';
import type { PhaseLine } from './phase.ts';

/**
 * The lines of a ledger that hold something, as a destroy or rollback works on them: what stands on a line goes before it
 * (R1.67). Built from the ledger alone; the plan may be gone.
 */
export function destroyLines(ledger: readonly LedgerLine[], holds: (line: LedgerLine) => boolean = (line) => line.entries.length > 0): PhaseLine[] {
  const held = ledger.filter(holds);
  const standingOn = (id: string) => held.filter((line) => line.needs.includes(id)).map((line) => line.line);
  return held.map((line, order) => {
    const after = standingOn(line.line);
    return { spec: specOf(line, order, after), after };
  });
}

function specOf(line: LedgerLine, order: number, needs: readonly string[]): LineSpec {
  const [first] = line.entries;
  return { id: line.line, order, adapter: line.adapter, op: line.op, params: {}, provider: first?.provider ?? {}, needs, dependants: [] };
}
