import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Row } from '../row.ts';
import { measureCosts } from './cost.ts';
import { pagesOf } from './page.ts';
import { type BenchRecord, recordFile } from './recorded.ts';

/** Renews docs/bench: the record, and the page and pictures that are made of it. */
export async function writeRecord(rows: readonly Row[]): Promise<void> {
  const record: BenchRecord = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.versions.node,
    seed: 'ids and clock counted from 0, nothing by chance',
    costs: await measureCosts(),
    rows: rows.map((row) => ({ ...row, details: [...row.details] })),
  };
  const folder = new URL('./', recordFile);
  mkdirSync(folder, { recursive: true });
  writeFileSync(recordFile, `${JSON.stringify(record, null, 1)}\n`);
  for (const [name, text] of Object.entries(pagesOf(record))) writeFileSync(new URL(name, folder), text);
}
