import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRedactor } from '../redact/redactor.ts';
import { keyOfRun, sealingKey } from '../secrets/keys.ts';
import { openSealed, sealOutputs } from './sealed-outputs.ts';

const stack = sealingKey('a'.repeat(64), randomBytes);
const secrets = { ofOutputs: keyOfRun(stack, 'salt') };
const spec = { id: 'db' } as never;

test('Sealed outputs open with every text and number in them registered, and no boolean: `true` stands everywhere (R1.102, I1)', () => {
  const redactor = createRedactor();
  const outputs = { url: 'postgres://u:one-password@h/db', pin: 48_151_623, ready: true, off: false };
  const sealed = sealOutputs(secrets.ofOutputs, 'r1', 'db', outputs);

  expect(openSealed({ redactor }, secrets, { run: 'r1', spec, sealed })).toEqual(outputs);

  expect(redactor.mask('it is true, not false: one-password, 48151623')).toBe('it is true, not false: [REDACTED], [REDACTED]');
});

test('Sealed outputs open for their own line and run alone', () => {
  const world = { redactor: createRedactor() };
  const sealed = sealOutputs(secrets.ofOutputs, 'r1', 'db', { url: 'x' });

  expect(() => openSealed(world, secrets, { run: 'r2', spec, sealed })).toThrow();
  expect(() => openSealed(world, secrets, { run: 'r1', spec: { id: 'env' } as never, sealed })).toThrow();
  expect(openSealed(world, secrets, { run: 'r1', spec })).toEqual({});
});

test('What was sealed under a key that the run has forgotten is nothing, and no error: its round is over (I1)', () => {
  const world = { redactor: createRedactor() };
  const sealed = sealOutputs(keyOfRun(stack, 'another salt'), 'r1', 'db', { url: 'x' });

  expect(openSealed(world, secrets, { run: 'r1', spec, sealed })).toEqual({});
});
