import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Dearer, dearer } from '../mutants/dearer.ts';
import { occurrences } from '../mutants/edited.ts';

const root = new URL('../../', import.meta.url);

/** Measures one part of the bench with the product made dearer. */
function measured({ name, part }: Pick<Dearer, 'name' | 'part'>): Promise<{ code: number | null; said: string }> {
  const register = new URL('test/mutants/register.ts', root).href;
  const child = spawn(process.execPath, [`--import=${register}`, new URL('test/bench/bench.ts', root).pathname, '--check', '--only', part], {
    env: { ...process.env, LOCKKEEPER_MUTANT: name },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (piece: Buffer) => said.push(piece.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said: said.join('') })));
}

describe('a product that became dearer', () => {
  it.each(dearer)('fails its budget: $name', async (mutant) => {
    for (const edit of mutant.edits) expect(occurrences(readFileSync(new URL(edit.file, root), 'utf8'), edit)).toBe(1);
    expect(await measured(mutant)).toEqual({ code: 1, said: expect.stringMatching(mutant.says) });
  });
});
