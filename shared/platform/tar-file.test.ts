import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packedFiles } from './tar-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-tar-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is read by tar as it was packed: names of any length and in any script, links, and what may be run', () => {
  const long = `${'deep/'.repeat(40)}ä ${'x'.repeat(90)}.tf`;
  const packed = packedFiles([
    { path: 'main.tf', body: Buffer.from('a = 1\n') },
    { path: long, body: Buffer.alloc(512, 'b') },
    { path: 'run.sh', body: Buffer.from('#!/bin/sh\n'), executable: true },
    { path: 'linked.tf', body: new Uint8Array(), link: 'main.tf' },
    { path: 'empty', body: new Uint8Array() },
  ]);
  writeFileSync(join(folder, 'packed.tar.gz'), packed);
  execFileSync('tar', ['-xzf', 'packed.tar.gz'], { cwd: folder });
  const at = (path: string) => join(folder, 'source', path);
  expect(readFileSync(at('main.tf'), 'utf8')).toBe('a = 1\n');
  expect(readFileSync(at(long))).toEqual(Buffer.alloc(512, 'b'));
  expect([statSync(at('run.sh')).mode & 0o777, statSync(at('main.tf')).mode & 0o777]).toEqual([0o755, 0o644]);
  expect([readlinkSync(at('linked.tf')), statSync(at('empty')).size]).toEqual(['main.tf', 0]);
});

it('gives the same bytes for the same files', () => {
  const files = [{ path: 'main.tf', body: Buffer.from('a') }];
  expect(packedFiles(files)).toEqual(packedFiles(files));
});
