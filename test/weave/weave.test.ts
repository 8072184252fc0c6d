import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { occurrences } from '../mutants/edited.ts';
import { weaveMutants } from '../mutants/weave-mutants.ts';
import { play } from './interleave.ts';

const root = new URL('../../', import.meta.url);

/** All of them are played by `node test/weave/weave.ts`. */
const here = 150;
const long = 300_000;

test(`of ${here} interleavings of ticks, edits, scans and runs, each tick ends once, and the body says what the table says (R2.20, R2.21, I4, I7, I10, I11)`, {
  timeout: long,
}, async () => {
  const tally: Record<string, number> = {};
  for (let seed = 0; seed < here; seed += 1) {
    const { broken, trace, tally: ends } = await play(seed);
    expect(broken, `${trace.join('\n')}\ntell it again: node test/weave/weave.ts --seed ${seed}`).toEqual([]);
    for (const [end, times] of Object.entries(ends)) tally[end] = (tally[end] ?? 0) + times;
  }
  expect(tally['applied']).toBeGreaterThan(here / 4);
  expect(tally['refused']).toBeGreaterThan(here / 4);
  expect(tally['taken back']).toBeGreaterThan(0);
});

/** What the interleavings say of a mutant, in a process of its own: the first that breaks something ends it. */
async function saidOf(mutant: string, from: number): Promise<string> {
  const child = spawn(process.execPath, ['--import', './test/mutants/register.ts', 'test/weave/weave.ts', '--from', String(from)], {
    cwd: root,
    env: { ...process.env, LOCKKEEPER_MUTANT: mutant },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => void parts.push(part));
  await new Promise((resolve) => child.on('close', resolve));
  return Buffer.concat(parts).toString();
}

describe('the oracle bites', () => {
  test.each(weaveMutants.flatMap((mutant) => mutant.edits.map((edit) => [mutant.name, edit.file, edit] as const)))(
    '%s: its anchor stands exactly once in %s',
    (_name, file, edit) => {
      expect(occurrences(readFileSync(new URL(file, root), 'utf8'), edit)).toBe(1);
    },
  );

  test.each(weaveMutants.map(({ name, says, from = 0 }) => [name, says, from] as const))('%s', { timeout: long }, async (name, says, from) => {
    const said = await saidOf(name, from);
    expect(said).toMatch(says);
    expect(said).toMatch(/tell it again: node test\/weave\/weave\.ts --seed \d+/);
  });
});
