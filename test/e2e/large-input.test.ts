/** What a large document costs the process that reads it, from its start to its end: the command line itself, the input and all that is made of it. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shortTiming } from '../../infra/timing.ts';
import { packCli } from './cli-package.ts';

type Row = Readonly<Record<string, unknown>>;

/** Bytes of the input, and KiB that the process may take at any time. */
const size = 50 * 1000 * 1000;
const most = 512 * 1024;

let folder: string;
let launcher: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'large-input-'));
  ({ launcher } = await packCli(shortTiming));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['ASCII, to a file', 'plain', ['-o', 'drift.json']],
  ['text of another script, as one JSON document', '東京の設定', ['--json']],
])('a plan of 50 MB is read within 512 MB: %s', (_, text, flags) => {
  const drifted = writePlan(join(folder, 'plan.json'), text);
  const { peak, stderr, printed } = ingested(flags);
  expect(stderr).toContain('This was read as a Terraform or OpenTofu plan.\n');
  expect(printed.match(/"status": ?"drifted"/g)).toHaveLength(drifted);
  console.log(peak);
  expect(peak).toBeLessThan(most);
});

/** The rows of a recording’s drift, over and over, each with an instance key of its own and texts of one script in its values. */
function writePlan(path: string, text: string): number {
  const recording = new URL('../recordings/terraform-drift/plan-drift.json', import.meta.url);
  const rows = (JSON.parse(readFileSync(recording, 'utf8')) as { readonly resource_drift: readonly Row[] }).resource_drift;
  const texts = rows.map((row) =>
    JSON.stringify({ ...row, address: `${String(row['address']).replace(/\[.*$/, '')}["@"]` }).replace(/"before":\{/, `"before":{"note":"${text} @",`),
  );
  const file = openSync(path, 'w');
  let drifted = 0;
  let written = writeSync(file, '{"format_version":"1.2","terraform_version":"1.11.4","resource_drift":[');
  for (let copy = 0; written <= size; copy++) {
    written += writeSync(file, `${copy === 0 ? '' : ','}${texts.map((one, index) => one.replaceAll('@', `${copy}-${index}`)).join(',')}`);
    drifted += texts.filter((one) => one.includes('"actions":["update"]')).length;
  }
  writeSync(file, ']}');
  closeSync(file);
  expect(statSync(path).size).toBeGreaterThan(size);
  return drifted;
}

/** The command as npm installs it, in a process of its own that says at its end what it took, in KiB. */
function ingested(flags: readonly string[]): { peak: number; stderr: string; printed: string } {
  const says = `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync('peak',String(process.resourceUsage().maxRSS)))`;
  const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(says)}`, NODE_COMPILE_CACHE: '' };
  const out = openSync(join(folder, 'out'), 'w');
  const args = [launcher, 'drift', 'ingest', 'plan.json', '--member', 'shop', ...flags];
  const { stderr } = spawnSync(process.execPath, args, { cwd: folder, env, stdio: ['ignore', out, 'pipe'], encoding: 'utf8' });
  closeSync(out);
  const printed = readFileSync(join(folder, flags.includes('-o') ? 'drift.json' : 'out'), 'utf8');
  return { peak: Number(readFileSync(join(folder, 'peak'), 'utf8')), stderr, printed };
}
