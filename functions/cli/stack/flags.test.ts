import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCommandLine } from '../command-line.ts';
import type { Invocation } from '../invocation.ts';
import { type Clone, cloned } from './clone.fixture.ts';
import { judgeWhere } from './flags.ts';
import { stackExists } from './second-ledger.ts';

const policy = { 'lockkeeper.yaml': 'version: 1\nstack: Releases\n' };
let clone: Clone;
beforeEach(() => {
  clone = cloned(policy);
});
afterEach(() => clone.remove());

const invocation = (...argv: string[]): Invocation => (parseCommandLine(argv, '0') as { invocation: Invocation }).invocation;
const where = (...argv: string[]) => judgeWhere(invocation(...argv), clone.folder);

describe('a repository that names a stack', () => {
  it.each(['plan', 'apply', 'destroy'])('%s is refused without --stack, with what to type', async (command) => {
    const refused = where(command);
    await expect(refused).rejects.toMatchObject({
      code: 'STACK_EXISTS',
      problem: { hint: expect.stringContaining('--stack Releases'), details: { stack: 'Releases' } },
    });
  });

  it.each([['validate'], ['show'], ['runs'], ['receipt'], ['log', 'abc']])('%s is free: it writes nothing', async (...argv) => {
    expect(await where(...argv)).toBeUndefined();
  });

  it('lets --sim, whose world is nobody’s', async () => {
    expect(await where('apply', '--sim')).toBeUndefined();
  });

  it('gives way to --local, which is told', async () => {
    expect(await where('apply', '--local')).toBe('Releases');
  });

  it('is asked by --stack', async () => {
    expect(await where('apply', '--stack', 'Releases')).toBeUndefined();
  });

  it('names it in the working tree, in the commit, or on the default branch: one of them is enough', async () => {
    clone.write({ 'lockkeeper.yaml': 'version: 1\n' });
    await expect(where('apply')).rejects.toMatchObject({ code: 'STACK_EXISTS' });
    clone.commit({});
    await expect(where('apply')).rejects.toMatchObject({ code: 'STACK_EXISTS' });
    clone.git('push', '--quiet', 'origin', 'main');
    expect(await where('apply')).toBeUndefined();
    clone.write(policy);
    await expect(where('apply')).rejects.toMatchObject({ code: 'STACK_EXISTS' });
  });

  it('is understood with a mistake elsewhere in the file', async () => {
    clone.write({ 'lockkeeper.yaml': 'version: 1\nstack: Other\nenvironmnts: {}\n' });
    await expect(where('apply')).rejects.toMatchObject({ problem: { details: { stack: 'Other' } } });
  });

  it('is not another stack', () => {
    expect(stackExists('Releases', 'Other')).toMatchObject({ code: 'STACK_EXISTS', problem: { hint: 'Use --stack Releases.' } });
  });
});

describe('--stack', () => {
  it.each([['--sim'], ['--local'], ['--state-dir', 'elsewhere'], ['--concurrency', '3']])(
    'is refused beside %s, which is about this machine',
    async (...flags) => {
      await expect(where('apply', '--stack', 'Releases', ...flags)).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining(String(flags[0])),
      });
    },
  );
});
