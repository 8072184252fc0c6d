import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openVault } from './vault.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-vault-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('secrets lie in a file that only its owner can read, also when it was open to others before', () => {
  const file = join(folder, 'secrets.json');
  writeFileSync(file, '{"secret":{},"parameter":{}}', { mode: 0o644 });
  openVault(file).write('secret', 'token', 'hush');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(openVault(file).read('secret', 'token')).toBe('hush');
});

test('secrets and parameters of one name are two values', () => {
  const vault = openVault();
  vault.write('secret', 'x', 'a');
  vault.write('parameter', 'x', 'b');
  expect([vault.read('secret', 'x'), vault.read('parameter', 'x')]).toEqual(['a', 'b']);
});

test('a vault in memory writes no file, and a name like a built-in property is unknown', () => {
  const vault = openVault();
  vault.write('secret', 'x', 'a');
  expect(vault.read('secret', 'constructor')).toBeUndefined();
  expect(() => readFileSync(join(folder, 'secrets.json'))).toThrow();
});
