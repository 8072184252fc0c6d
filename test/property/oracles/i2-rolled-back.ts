import { thingById } from '../house.ts';
import type { Report } from '../report.ts';
import { reportsOf } from '../report.ts';
import { runsOf, type Seen } from '../stage.ts';

/**
 * I2: of a failed run whose rollback succeeded nothing is there that it created, and every update of it that stands is named. A thing that
 * somebody moved to another place is left there.
 */
export function leftByFailures(stage: Seen): string[] {
  return rolledBack(stage).flatMap(({ id, report }) => {
    const writes = stage.sent.filter((one) => one.run.id === id && one.done);
    const made = writes.flatMap((one) => (one.method === 'POST' ? (one.id ?? []) : []));
    const left = made.filter((one) => thingById(stage.bench, one) && !stage.moved.has(one));
    const updated = writes.filter((one) => one.method === 'PATCH' && !made.includes(one.id ?? '') && thingById(stage.bench, one.id));
    const unnamed = updated.filter((one) => !report.notUndone.some((label) => label.startsWith(`thing ${one.name}`)));
    return [
      ...left.map((one) => `I2: run ${id} failed and was rolled back, and ${one} (${thingById(stage.bench, one)?.name}) that it made is still there`),
      ...unnamed.map((one) => `I2: run ${id} failed and does not name its update of ${one.name}`),
    ];
  });
}

/** Failed runs of which nothing may be left, and what each reported. */
export function rolledBack({ bench }: Pick<Seen, 'bench'>): { readonly id: string; readonly report: Report }[] {
  const failed = runsOf(bench).filter((run) => run.phase === 'done' && run.outcome === 'failed' && run.kind === 'apply' && !run.gated);
  return failed.flatMap(({ id, stopping }) => {
    const report = reportsOf(bench, id).at(-1);
    return !report || stopping?.cause === 'died' || isUndoneInPart(report) || !hasFailedLine(report) ? [] : [{ id, report }];
  });
}

/** A deployment that failed undoes nothing. */
const hasFailedLine = ({ lines }: Report): boolean => lines.some(({ status }) => ['failed', 'blocked', 'rolled_back'].includes(status));

const isUndoneInPart = ({ lines, problem }: Report): boolean =>
  problem?.code === 'INTENT_UNRESOLVED' || lines.some((line) => line.status === 'rollback_failed');
