import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Bundle } from '../../../infra/bundle.ts';
import { median } from '../median.ts';
import { type Row, told } from '../row.ts';

const samples = 7;

/** How long a fresh process takes to load the bundle of each function, against an empty one in the same run: what a cold start adds to Lambda's own. */
export async function importTimes(folder: string, made: readonly Bundle[]): Promise<Row[]> {
  const rows: Row[] = [];
  const functions = made.filter(({ name }) => !['functions/cli', 'functions/tool-job'].includes(name));
  const times = new Map<string, number[]>([['empty', []], ...functions.map(({ name }): [string, number[]] => [name, []])]);
  // In turns, so that what else the machine does meanwhile falls on all; the first of each fills the file cache.
  for (let sample = 0; sample <= samples; sample += 1)
    for (const [name, taken] of times) {
      const ms = await timeOf(name === 'empty' ? '' : `await import(${JSON.stringify(join(folder, name, 'index.mjs'))})`);
      if (sample > 0) taken.push(ms);
    }
  const bare = median(times.get('empty') as number[]);
  for (const { name, bytes } of functions) {
    const full = median(times.get(name) as number[]);
    rows.push(
      told(`import ${name}, against an empty process`, {
        value: full / bare,
        digits: 1,
        unit: ' ×',
        details: [`medians of ${samples}: ${full.toFixed(0)} ms against ${bare.toFixed(0)} ms; ${bytes} bytes`],
      }),
    );
  }
  return rows;
}

async function timeOf(code: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${code || '0'}; process.exit()`], { stdio: 'ignore', env: { AWS_REGION: 'us-east-1' } });
  await new Promise((resolve) => child.on('close', resolve));
  return performance.now() - began;
}
