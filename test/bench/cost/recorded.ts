import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Cost, kinds } from './measure.ts';

/** Where the last record lies, with what it was made on. */
export const recordFile = new URL('../../../docs/bench/results.json', import.meta.url);

const number = z.number();
const cost = z.strictObject({
  kind: z.enum(kinds),
  lines: number,
  ...{ writes: number, writeUnits: number, reads: number, readUnits: number, queue: number, put: number, get: number, transitions: number },
  ...{ invocations: number, provider: number, waited: number, processor: number, dollars: number },
});

export const record = z.strictObject({
  date: z.iso.date(),
  machine: z.string(),
  node: z.string(),
  seed: z.string(),
  costs: z.array(cost),
  rows: z.array(z.strictObject({ what: z.string(), measured: z.string(), budget: z.string(), ok: z.boolean(), details: z.array(z.string()) })),
});
export type BenchRecord = z.infer<typeof record>;

/** @throws Error when there is no record, or one of another shape: `npm run bench -- --write` makes one. */
export const readRecord = (): BenchRecord => record.parse(JSON.parse(readFileSync(recordFile, 'utf8')));

export function recordedCosts(): readonly Cost[] {
  try {
    return readRecord().costs;
  } catch {
    return [];
  }
}
