import type { LedgerLine } from '../ledger/entry.ts';
import type { LineSpec } from './items.ts';
import type { PhaseLine } from './phase.ts';

/**
 * The lines of a ledger that hold something, as a destroy or rollback works on them: what stands on a line goes before it
 * (R1.67). Built from the ledger alone; the plan may be gone. Lines remember what they needed when they were last prepared,
 * so those of different plans may name each other in a circle: the reference that closes it is left out.
 */
export function destroyLines(ledger: readonly LedgerLine[], holds: (line: LedgerLine) => boolean = (line) => line.entries.length > 0): PhaseLine[] {
  const held = ledger.filter(holds);
  const standing = standingOn(held);
  return held.map((line, order) => {
    const after = standing.get(line.line) ?? [];
    return { spec: specOf(line, order, after), after };
  });
}

/** Line → the lines that stand on it, without circles. */
function standingOn(held: readonly LedgerLine[]): ReadonlyMap<string, readonly string[]> {
  const needs = withoutCircles(new Map(held.map((line) => [line.line, line.needs])));
  const standing = new Map<string, string[]>(held.map((line) => [line.line, []]));
  for (const [line, needed] of needs) for (const one of needed) standing.get(one)?.push(line);
  return standing;
}

/** Depth first, without recursion: a reference into the path that is being walked is dropped. */
function withoutCircles(needs: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const kept = new Map<string, string[]>([...needs.keys()].map((line) => [line, []]));
  const state = new Map<string, 'open' | 'closed'>();
  for (const root of needs.keys()) {
    const path = state.has(root) ? [] : [{ line: root, next: 0 }];
    while (path.length > 0) {
      const at = path[path.length - 1] as { line: string; next: number };
      state.set(at.line, 'open');
      const needed = needs.get(at.line)?.[at.next];
      at.next += 1;
      if (needed === undefined) {
        state.set(at.line, 'closed');
        path.pop();
      } else if (needs.has(needed) && state.get(needed) !== 'open') {
        kept.get(at.line)?.push(needed);
        if (!state.has(needed)) path.push({ line: needed, next: 0 });
      }
    }
  }
  return kept;
}

function specOf(line: LedgerLine, order: number, needs: readonly string[]): LineSpec {
  const [first] = line.entries;
  return { id: line.line, order, adapter: line.adapter, op: line.op, params: {}, provider: first?.provider ?? {}, needs, dependants: [] };
}
