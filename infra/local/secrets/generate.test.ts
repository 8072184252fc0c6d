import { expect, test } from 'vitest';
import { generateSecret, generation } from './generate.ts';

const made = (rules: Record<string, unknown>) => generateSecret(generation.parse(rules));

test('a generated secret has the length asked for and none of what is excluded', () => {
  expect(made({ PasswordLength: 500, ExcludePunctuation: true, ExcludeUppercase: true, ExcludeCharacters: 'ghijklmnopqrstuvwxyz' })).toMatch(/^[0-9a-f]{500}$/);
});

test('with a template it is that object and the value under its key', () => {
  const value = JSON.parse(made({ SecretStringTemplate: '{"id":"1"}', GenerateStringKey: 'key', PasswordLength: 8 }));
  expect(value).toEqual({ id: '1', key: expect.stringMatching(/^.{8}$/) });
});

test('two are not the same', () => {
  expect(made({})).not.toBe(made({}));
});
