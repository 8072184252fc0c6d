import { randomInt } from 'node:crypto';
import { z } from 'zod';

/** CloudFormation's GenerateSecretString. */
export const generation = z.looseObject({
  PasswordLength: z.coerce.number().int().min(1).max(4096).default(32),
  ExcludeCharacters: z.string().default(''),
  ExcludePunctuation: z.boolean().default(false),
  ExcludeUppercase: z.boolean().default(false),
  ExcludeLowercase: z.boolean().default(false),
  ExcludeNumbers: z.boolean().default(false),
  IncludeSpace: z.boolean().default(false),
  SecretStringTemplate: z.string().optional(),
  GenerateStringKey: z.string().optional(),
});
export type Generation = z.infer<typeof generation>;

const lowercase = 'abcdefghijklmnopqrstuvwxyz';
const numbers = '0123456789';
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** A random value under those rules; with a template, that JSON object with the value added under its key. */
export function generateSecret(rules: Generation): string {
  const alphabet = [
    rules.ExcludeLowercase ? '' : lowercase,
    rules.ExcludeUppercase ? '' : lowercase.toUpperCase(),
    rules.ExcludeNumbers ? '' : numbers,
    rules.ExcludePunctuation ? '' : punctuation,
    rules.IncludeSpace ? ' ' : '',
  ].join('');
  const allowed = [...alphabet].filter((character) => !rules.ExcludeCharacters.includes(character));
  const value = Array.from({ length: rules.PasswordLength }, () => allowed[randomInt(allowed.length)]).join('');
  if (rules.SecretStringTemplate === undefined || rules.GenerateStringKey === undefined) return value;
  return JSON.stringify({ ...z.record(z.string(), z.unknown()).parse(JSON.parse(rules.SecretStringTemplate)), [rules.GenerateStringKey]: value });
}
