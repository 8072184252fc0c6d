import { afterEach, beforeEach, expect, test } from 'vitest';
import { shareProcessEnvironment, withVariables } from './environment.ts';

const base = process.env;
let release: () => void;
beforeEach(() => {
  release = shareProcessEnvironment();
});
afterEach(() => {
  release();
  delete process.env['LK_TEST'];
});

test('each function sees its own variables, also after it has waited, and the process’s beneath them', async () => {
  process.env['LK_TEST'] = 'process';
  const seen = await Promise.all(
    ['a', 'b'].map((value) =>
      withVariables({ ...(value === 'a' ? { LK_TEST: value } : {}) }, async () => {
        await new Promise(setImmediate);
        return process.env['LK_TEST'];
      }),
    ),
  );
  expect(seen).toEqual(['a', 'process']);
});

test('what a function sets, also twice, or deletes stays with it', () => {
  const variables = { LK_TEST: 'own' };
  withVariables(variables, () => {
    process.env['LK_TEST'] = 'once';
    process.env['LK_TEST'] = 'twice';
    expect(process.env['LK_TEST']).toBe('twice');
    delete process.env['LK_TEST'];
    expect('LK_TEST' in process.env).toBe(false);
  });
  expect(process.env['LK_TEST']).toBeUndefined();
});

test('a function’s variables are enumerated with the process’s', () => {
  withVariables({ LK_TEST: 'own' }, () => {
    expect({ ...process.env }['LK_TEST']).toBe('own');
    expect(Object.keys(process.env)).toContain('PATH');
  });
});

test('the process has its environment back when the last stack has released it', () => {
  const second = shareProcessEnvironment();
  second();
  second();
  expect(process.env).not.toBe(base);
  release();
  expect(process.env).toBe(base);
});
