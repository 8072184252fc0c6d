import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attach } from './lock/attach.ts';
import { acquireFolder, type Held } from './lock-file.ts';

let folder: string;
let started: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-lock-'));
  started = [];
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Contender {
  readonly child: ChildProcess;
  readonly got: { held: boolean; pid: number; holder?: number; environment?: Record<string, string> };
}

async function contender(wish: 'acquire' | 'attach', word = ''): Promise<Contender> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'lock-contender.fixture.ts'), folder, wish, word], { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, got: JSON.parse(line) };
}

async function leave({ child }: Contender): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.end();
  expect(await ended).toEqual([0, null]);
}

async function die({ child }: Contender): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const lockFiles = () => readdirSync(folder).filter((name) => name.startsWith('lock.'));
const hold = async (): Promise<Held> => {
  const answer = await acquireFolder(folder, { command: 'test' });
  if (!answer.held) throw new Error('the folder is taken');
  return answer;
};

describe('a folder has one holder', () => {
  test('whose pid, start, command and port stand in the one lock file, which only its owner can read', async () => {
    const held = await hold();
    const [file = ''] = lockFiles();
    expect(lockFiles()).toHaveLength(1);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toMatchObject({ pid: process.pid, command: 'test', port: held.port, released: false });
    expect(await acquireFolder(folder, { command: 'other' })).toMatchObject({ held: false, holder: { pid: process.pid, command: 'test' } });
    await held.release();
  });

  test('and the next one after a release', async () => {
    await (await hold()).release();
    await (await hold()).release();
    expect(lockFiles()).toEqual(['lock.2']);
  });

  test('and a fresh one when it was killed', async () => {
    const first = await contender('acquire');
    expect(first.got.held).toBe(true);
    expect((await acquireFolder(folder, { command: 'test' })).held).toBe(false);
    await die(first);
    await (await hold()).release();
  });

  test('and exactly one of several that find it dead at the same moment', async () => {
    for (const round of [1, 2, 3]) {
      const all = await Promise.all(Array.from({ length: 4 }, () => contender('acquire')));
      const holders = all.filter(({ got }) => got.held);
      expect(holders, `round ${round}`).toHaveLength(1);
      expect(all.filter(({ got }) => !got.held).map(({ got }) => got.holder)).toEqual(Array(3).fill(holders[0]?.got.pid));
      await Promise.all(all.map(die));
    }
  });

  test('which is not a later process that happens to have its pid', async () => {
    await (await hold()).release();
    const [file = ''] = lockFiles();
    const record = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    writeFileSync(join(folder, file), JSON.stringify({ ...record, released: false, processStart: 'another boot:1' }));
    await (await hold()).release();
  });
});

describe('a command that finds the folder taken', () => {
  test('gets the holder’s environment, and the holder stays until it has detached', async () => {
    const holder = await contender('acquire', 'hello');
    const guest = await contender('attach');
    expect(guest.got).toMatchObject({ held: false, holder: holder.got.pid, environment: { WORD: 'hello' } });
    holder.child.stdin?.end();
    const another = await acquireFolder(folder, { command: 'test' });
    expect(another).toMatchObject({ held: false, holder: { pid: holder.got.pid } });
    const ended = once(holder.child, 'exit');
    await leave(guest);
    expect(await ended).toEqual([0, null]);
  });

  test('takes it over when the holder is leaving', async () => {
    const held = await hold();
    held.share({});
    await held.alone();
    const next = contender('attach');
    await held.release();
    expect((await next).got.held).toBe(true);
  });

  test('counts no longer as attached when it dies', async () => {
    const held = await hold();
    held.share({});
    const guest = await contender('attach');
    expect(held.attached()).toBe(1);
    await die(guest);
    await held.alone();
    expect(held.attached()).toBe(0);
    await held.release();
  });

  test('and cannot read the lock file is refused', async () => {
    const held = await hold();
    held.share({ WORD: 'hello' });
    const answer = await acquireFolder(folder, { command: 'test' });
    if (answer.held) throw new Error('held twice');
    expect(await attach({ ...answer.holder, token: 'guessed' })).toBeUndefined();
    expect((await fetch(`http://127.0.0.1:${held.port}/environment`)).status).toBe(403);
    await held.release();
  });
});
