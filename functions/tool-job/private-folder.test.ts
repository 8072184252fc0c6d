import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePrivateFolder } from './private-folder.ts';

const nobody = 65_534;

/** As somebody whom permissions hold for. */
function asAnybody<T>(does: () => T): T {
  if (process.geteuid?.() !== 0) return does();
  process.seteuid?.(nobody);
  try {
    return does();
  } finally {
    process.seteuid?.(0);
  }
}

it('a folder of a job is its own, has the same name where it can, and goes away with what nobody may write into', () => {
  const tmp = asAnybody(() => mkdtempSync(join(tmpdir(), 'lockkeeper-private-')));
  onTestFinished(() => rmSync(tmp, { recursive: true, force: true }));
  asAnybody(() => {
    const [one, other] = [makePrivateFolder(tmp), makePrivateFolder(tmp)];
    expect(one.path.endsWith('/lockkeeper-tool')).toBe(true);
    expect(other.path).not.toBe(one.path);
    expect(statSync(one.path).mode & 0o777).toBe(0o700);
    mkdirSync(join(one.path, 'home/go/mod'), { recursive: true });
    writeFileSync(join(one.path, 'home/go/mod/file'), '');
    for (const path of ['home/go/mod', 'home/go']) chmodSync(join(one.path, path), 0o500);
    one.remove();
    other.remove();
    expect([one, other].map(({ path }) => existsSync(path))).toEqual([false, false]);
  });
});
