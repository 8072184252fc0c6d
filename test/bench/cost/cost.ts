import { atMost, type Row, told } from '../row.ts';
import { type Cost, measured } from './measure.ts';
import { recordedCosts } from './recorded.ts';

export const sizes = [10, 100, 1_000, 10_000] as const;

/** Sizes that a check measures: the largest says nothing that the growth of the others does not, and takes longest. */
const checked = [10, 100, 1_000] as const;

/** How much dearer a line may have become than it was recorded, percent. */
const unnoticed = 5;

export async function measureCosts(all: readonly number[] = sizes): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const lines of all) costs.push(...(await measured(lines)));
  return costs;
}

/** How what is held against the record ends. */
export const againstRecord = 'requests a line against the record';

/** What a line costs in requests, against what was recorded in docs/bench, and in dollars at list prices. */
export async function costPerLine(): Promise<Row[]> {
  const costs = await measureCosts(checked);
  const recorded = recordedCosts();
  return costs.flatMap((cost) => {
    const known = recorded.find(({ kind, lines }) => kind === cost.kind && lines === cost.lines);
    const what = `cost, ${cost.kind} of ${cost.lines} lines`;
    const growth = known && (100 * requestsOf(cost)) / requestsOf(known) - 100;
    return [
      growth === undefined && !recorded.some(({ kind }) => kind === cost.kind)
        ? told(`${what}: requests a line, of a kind that is not recorded yet`, { value: requestsOf(cost), digits: 2, details: [textOf(cost)] })
        : atMost(`${what}: ${againstRecord}`, unnoticed, { value: growth ?? Number.NaN, digits: 1, unit: ' %', details: [textOf(cost)] }),
      ...(cost.lines === 1_000 ? [told(`cost, ${cost.kind}: dollars per 1,000 lines`, { value: cost.dollars * 1_000, digits: 4, unit: ' $' })] : []),
    ];
  });
}

/** Everything that is counted and not timed. */
const requestsOf = ({ writeUnits, readUnits, queue, put, get, transitions }: Cost): number => writeUnits + readUnits + queue + put + get + transitions;

const textOf = ({ writes, writeUnits, reads, readUnits, queue, put, get, transitions, invocations, provider, waited }: Cost): string =>
  `writes ${writes.toFixed(2)} (${writeUnits.toFixed(2)} units), reads ${reads.toFixed(2)} (${readUnits.toFixed(2)} units), SQS ${queue.toFixed(2)}, S3 ${(put + get).toFixed(2)}, transitions ${transitions.toFixed(2)}, invocations ${invocations.toFixed(2)}, provider ${provider.toFixed(2)}, waits ${waited.toFixed(0)} ms`;
