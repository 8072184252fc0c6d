import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonMap } from './json.ts';
import { recorded } from './reader.fixture.ts';

/** So much is read, with so much memory for all that lives (V8’s old space), MiB: the input itself is part of it. */
const size = 50;
const memory = 400;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'large-input-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('reads a plan of 50 MB within 512 MB of memory', () => {
  const path = join(folder, 'plan.json');
  const { drifted, gone } = writePlan(path);
  expect(statSync(path).size).toBeGreaterThan(size * 1024 * 1024);
  const fixture = join(import.meta.dirname, 'large-input.fixture.ts');
  const counts = JSON.parse(execFileSync(process.execPath, [`--max-old-space-size=${memory}`, fixture, path], { encoding: 'utf8' })) as JsonMap;
  expect(counts).toMatchObject({ drifted, missing: gone, 'in-sync': 0 });
}, 120_000);

/** The rows of a recording’s drift, over and over, each with an instance key of its own. */
function writePlan(path: string): { drifted: number; gone: number } {
  const rows = (recorded('terraform-drift/plan-drift.json') as { readonly resource_drift: readonly JsonMap[] }).resource_drift;
  const texts = rows.map((row) => JSON.stringify({ ...row, address: `${String(row['address']).replace(/\[.*$/, '')}["@"]` }));
  const file = openSync(path, 'w');
  const counts = { drifted: 0, gone: 0 };
  let [written, copy] = [writeSync(file, '{"format_version":"1.2","terraform_version":"1.11.4","resource_drift":['), 0];
  for (; written <= size * 1024 * 1024; copy++) {
    written += writeSync(file, `${copy === 0 ? '' : ','}${texts.map((text, index) => text.replace('@', `${copy}-${index}`)).join(',')}`);
    for (const text of texts) counts[text.includes('"actions":["update"]') ? 'drifted' : 'gone']++;
  }
  writeSync(file, ']}');
  closeSync(file);
  return counts;
}
