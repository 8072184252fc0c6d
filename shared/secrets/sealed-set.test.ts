import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { LockkeeperError } from '../errors/error.ts';
import { createRedactor } from '../redact/redactor.ts';
import { sealingKey } from './keys.ts';
import { seal } from './seal.ts';
import { openSet, resolveSet, type SecretSet, sealSet } from './sealed-set.ts';
import type { SecretSource } from './source.ts';

const key = sealingKey('a'.repeat(64), randomBytes);
const set: SecretSet = { references: { 'env://A': 'value-of-a' }, failures: { 'env://B': 'B is not set' }, credentials: { NEON_API_KEY: 'neon-credential' } };

test('a set opens for its run alone', () => {
  const sealed = sealSet(key, 'run-1', set);
  expect(openSet(key, 'run-1', sealed, createRedactor())).toEqual(set);
  expect(() => openSet(key, 'run-2', sealed, createRedactor())).toThrow(expect.objectContaining({ code: 'SEAL_UNREADABLE' }));
});

test('opening a set registers its values, and not the reasons of its failures', () => {
  const redactor = createRedactor();
  openSet(key, 'run-1', sealSet(key, 'run-1', set), redactor);
  expect(redactor.mask('value-of-a neon-credential; B is not set')).toBe('[REDACTED] [REDACTED]; B is not set');
});

test('a sealed set shows no value', () => {
  const redactor = createRedactor();
  for (const value of ['value-of-a', 'neon-credential']) redactor.register(value);
  expect(redactor.contains(sealSet(key, 'run-1', set))).toBe(false);
});

test('a set of another shape is unreadable', () => {
  const sealed = seal(key, JSON.stringify({ references: {} }), 'secrets of run run-1');
  expect(() => openSet(key, 'run-1', sealed, createRedactor())).toThrow(expect.objectContaining({ code: 'SEAL_UNREADABLE' }));
});

test('resolving asks once a name, keeps reasons, leaves missing credentials out and registers what it found (R1.31, R1.32)', async () => {
  const asked: string[] = [];
  const known: Record<string, string> = { A: 'value-of-a', NEON_API_KEY: 'neon-credential' };
  const source: SecretSource = {
    resolve: async (environment, reference) => {
      const name = reference.scheme === 'env' ? reference.name : reference.scheme;
      asked.push(`${environment}/${name}`);
      const value = known[name];
      return value === undefined ? { found: false, why: `${name} is not set` } : { found: true, value };
    },
  };
  const redactor = createRedactor();
  const resolved = await resolveSet(source, 'preview', ['env://A', 'env://B', 'env://A'], ['NEON_API_KEY', 'CLERK_SECRET_KEY'], redactor);
  expect(resolved).toEqual(set);
  expect(asked.sort()).toEqual(['preview/A', 'preview/B', 'preview/CLERK_SECRET_KEY', 'preview/NEON_API_KEY']);
  expect(redactor.contains('value-of-a')).toBe(true);
});

test('a source that does not answer is a reason for its references, and stops the run where a credential is wanted (R1.32)', async () => {
  const away: SecretSource = {
    resolve: async () => {
      throw new LockkeeperError({ code: 'STORE_UNREACHABLE', message: 'reading the secret failed.' });
    },
  };
  const { failures } = await resolveSet(away, 'preview', ['aws-sm://a'], [], createRedactor());
  expect(failures).toEqual({ 'aws-sm://a': 'reading the secret failed' });
  await expect(resolveSet(away, 'preview', [], ['NEON_API_KEY'], createRedactor())).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
});

test('a few are asked for at once, and never all', async () => {
  let [asking, most] = [0, 0];
  const busy: SecretSource = {
    resolve: async () => {
      most = Math.max(most, ++asking);
      await new Promise(setImmediate);
      asking -= 1;
      return { found: false, why: 'busy' };
    },
  };
  const names = Array.from({ length: 50 }, (_, index) => `env://N${index}`);
  expect(Object.keys((await resolveSet(busy, 'preview', names, [], createRedactor())).failures)).toHaveLength(50);
  expect(most).toBe(8);
});
