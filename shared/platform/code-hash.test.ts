import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeHash } from './code-hash.ts';

function built(bundles: Readonly<Record<string, string>>): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-code-'));
  for (const [name, text] of Object.entries(bundles)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.mjs'), text);
    writeFileSync(join(folder, name, 'index.mjs.map'), String(Math.random()));
  }
  try {
    return codeHash(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('tells the code of two builds apart, by every function and by nothing beside it', () => {
  const one = built({ webhook: 'a', worker: 'b' });
  expect(one).toMatch(/^[0-9a-f]{16}$/);
  expect(built({ worker: 'b', webhook: 'a' })).toBe(one);
  expect(new Set([one, built({ webhook: 'a', worker: 'c' }), built({ webhook: 'b', worker: 'a' }), built({ webhook: 'a' })]).size).toBe(4);
});

it('is none where nothing was built', () => {
  expect(built({})).toBeUndefined();
  expect(codeHash('/nowhere/functions')).toBeUndefined();
});
