import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a build ends with the process that runs the stack, however that ends: nobody is left who goes on writing (P9)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-killed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'job.mjs');
  writeFileSync(file, 'setInterval(() => {}, 1000);');
  const stack = spawn(process.execPath, [join(import.meta.dirname, 'killed.fixture.ts'), file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(stack.stdout, 'data')) as [Buffer];
  const build = Number(said.toString());
  expect(isThere(build)).toBe(true);
  stack.kill('SIGKILL');
  await once(stack, 'exit');
  for (let looks = 0; isThere(build) && looks < 2000; looks += 1) await setTimeout(25);
  expect(isThere(build)).toBe(false);
});
