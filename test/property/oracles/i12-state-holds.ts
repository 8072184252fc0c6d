import type { LineState, PlanDocument } from '../../../shared/approvals/plan-document.ts';
import { scopeOfRun } from '../house.ts';
import type { Seen } from '../stage.ts';
import { lastRunOf, setTo } from './table-writes.ts';

/**
 * I12: a stale plan is never applied: before the first write under a decision no other run had written a ledger line since the plan that was
 * approved was made. Lines are as the document says they were, or as the run itself has written them.
 */
export function appliedOverOtherState(stage: Seen): string[] {
  const first = new Map(
    stage.sent
      .filter(({ run }) => run.honoured)
      .map((one) => [`${one.run.id} ${one.run.honoured?.q}`, one] as const)
      .reverse(),
  );
  return [...first.values()].flatMap(({ run, after }) => {
    const body = stage.bench.bucket.bodies(`plans/${run.honoured?.digest}.json`).at(-1);
    if (body === undefined) return [];
    const planned = new Map((JSON.parse(body) as PlanDocument).state.map(({ line, version }: LineState) => [line, version]));
    const others = linesAt(stage, `SCOPE#${scopeOfRun(run)}`, after).filter((line) => line.run !== run.id && line.holds);
    const moved = others.filter(({ line, version }) => planned.get(line) !== version);
    return moved.map(({ line }) => `I12: run ${run.id} applied q${run.honoured?.q}, although line ${line} had been written since it was planned`);
  });
}

interface LineThen {
  readonly line: string;
  readonly version: unknown;
  readonly run: string | undefined;
  readonly holds: boolean;
}

/** The ledger lines of a scope after so many writes. */
function linesAt({ bench }: Seen, scope: string, count: number): LineThen[] {
  const lines = new Map<string, LineThen>();
  for (const write of bench.memory.writes.slice(0, count)) {
    const { pk, sk } = write.key;
    if (!write.applied || pk !== scope || !sk.startsWith('LEDGER#')) continue;
    if ('delete' in write.change) lines.delete(sk);
    else if (setTo(write, 'version') !== undefined) {
      const entries = setTo(write, 'entries') as unknown[] | undefined;
      const holds = entries === undefined ? lines.get(sk)?.holds === true : entries.length > 0;
      lines.set(sk, { line: sk.slice('LEDGER#'.length), version: setTo(write, 'version'), run: lastRunOf(write), holds });
    }
  }
  return [...lines.values()];
}
