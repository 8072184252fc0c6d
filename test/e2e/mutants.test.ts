import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { occurrences } from '../mutants/edited.ts';
import { type Mutant, mutants } from '../mutants/mutants.ts';

const root = new URL('../../', import.meta.url);
const register = new URL('test/mutants/register.ts', root).href;

describe('mutants', () => {
  it.each(mutants.flatMap((mutant) => mutant.edits.map((edit) => [mutant.name, edit.file, edit] as const)))(
    '%s: its anchor stands exactly once in %s',
    (_name, file, edit) => {
      const source = readFileSync(new URL(file, root), 'utf8');
      expect(occurrences(source, edit)).toBe(1);
    },
  );

  it('each fail the story in the chapter that tells of what they take away', async () => {
    const ends = await inPairs(mutants, tell);
    expect(ends.map(({ name, code, complaint }) => ({ name, code, complaint }))).toEqual(
      mutants.map(({ name, says }) => ({ name, code: 1, complaint: expect.stringMatching(says) })),
    );
  }, 240_000);
});

interface End {
  readonly name: string;
  readonly code: number | null;
  /** What the story says did not end as it should. */
  readonly complaint: string;
}

/** Tells the mutant's chapter in a process of its own; the worker's processes, forked from it, are mutants too. */
function tell({ name, chapter }: Mutant): Promise<End> {
  const program = new URL('test/e2e/start.ts', root).pathname;
  const child = spawn(process.execPath, [`--import=${register}`, program, '--json', '--chapter', chapter], {
    env: { ...process.env, LOCKKEEPER_MUTANT: name },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ name, code, complaint: said.join('') })));
}

/** Two at a time: most of them wait most of the time. */
async function inPairs<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = [...all.entries()];
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all([lane(), lane()]);
  return results;
}
