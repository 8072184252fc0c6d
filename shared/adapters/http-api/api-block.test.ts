import { describe, expect, test } from 'vitest';
import { apiBlock, identityOf, provider, providerFor, writesEnvironment } from './api-block.ts';
import { connection, credentialsFor } from './auth.ts';

const base_url = 'https://api.example.com/v1/';
const wrong = (block: object) =>
  (apiBlock.safeParse({ base_url, ...block }).error?.issues ?? []).map((issue) => {
    const own = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
    return `${issue.path.join('.')}: ${own.message}`;
  });

describe('the block of an API', () => {
  test.each([
    { auth: { bearer_env: 'UNLEASH_TOKEN' } },
    { auth: { header: 'X-Api-Key', value_env: 'DD_APIKEY' } },
    { auth: { basic: { user_env: 'ACCOUNT', password_env: 'TWILIO_PASSWORD' } } },
    { headers: { 'X-Org': 'acme' }, encoding: 'form', production: true, account: 'acme', base_url_env: 'UNLEASH_URL' },
  ])('takes %j', (block) => {
    expect(wrong(block)).toEqual([]);
  });

  test.each([
    ['a credential written out', { auth: { bearer_env: 'sk_live_123' } }, /ends with `TOKEN`/],
    ['a variable that does not look like a credential', { auth: { bearer_env: 'HOME' } }, /ends with `TOKEN`/],
    ['a header of the client', { headers: { 'Content-Type': 'text/plain' } }, /written by Lockkeeper/],
    ['a host header', { headers: { Host: 'other' } }, /written by Lockkeeper/],
    ['a credential in a header', { headers: { Authorization: 'Bearer x' } }, /name its variable in `auth`/],
    ['a key in a header', { headers: { 'X-Api-Key': 'x' } }, /name its variable in `auth`/],
    ['an unknown key', { recipe: 'x' }, /recipe/],
    ['a credential in clear', { base_url: 'http://api.example.com', auth: { bearer_env: 'A_TOKEN' } }, /in clear/],
    ['a variable that is none of an address', { base_url_env: 'UNLEASH' }, /ends with `_URL`/],
  ])('refuses %s', (_what, block, message) => {
    expect(wrong(block).join()).toMatch(message);
  });

  test.each([
    'ftp://x.example',
    'https://me:secret@x.example',
    'https://@x.example',
    'https://x.example/?a=b',
    'https://x.example/#a',
    'x.example',
    'https://',
  ])('refuses %s as an address', (address) => {
    expect(wrong({ base_url: address })).toEqual([
      'base_url: write an http or https address without a user, a query or a fragment, as in `https://api.example.com/v1`',
    ]);
  });

  test('is one of several by name', () => {
    expect(provider.safeParse({ unleash: { base_url }, 'Split IO': { base_url } }).error?.issues[0]?.path).toEqual(['Split IO']);
  });
});

const blocks = { unleash: { base_url, auth: { bearer_env: 'UNLEASH_TOKEN' } }, split: { base_url: 'https://api.split.example', production: true } };
const none = () => undefined;

describe('a line has its own API’s block alone (R1.76)', () => {
  test('so that another API’s change re-identifies nothing', () => {
    expect(providerFor(blocks, { api: 'unleash' }, none)).toEqual({ unleash: blocks.unleash });
  });

  test('and an API without a block is named, with the nearest one there is', () => {
    const message = '`providers.http` has no API `unleahs` (did you mean `unleash`?): use `unleash` or `split`, or add it';
    expect(() => providerFor(blocks, { api: 'unleahs' }, none)).toThrow(expect.objectContaining({ code: 'PLAN_INVALID', message }));
    expect(() => providerFor(blocks, { api: 'toString' }, none)).toThrow(expect.objectContaining({ code: 'PLAN_INVALID' }));
  });

  test('with the address its variable has, if that is set, and never the variable', () => {
    const named = { unleash: { ...blocks.unleash, base_url_env: 'UNLEASH_URL' } };
    const set = (value: string) => providerFor(named, { api: 'unleash' }, (name) => (name === 'UNLEASH_URL' ? value : undefined));
    expect(set('https://eu.example.com')).toEqual({ unleash: { ...blocks.unleash, base_url: 'https://eu.example.com' } });
    expect(set('')).toEqual({ unleash: blocks.unleash });
    expect(() => set('https://me:hunter2@eu.example.com')).toThrow(
      expect.objectContaining({ code: 'PLAN_INVALID', message: expect.not.stringContaining('hunter2') }),
    );
  });

  test('and writes production when the block says so (R1.26)', () => {
    expect(writesEnvironment(providerFor(blocks, { api: 'split' }, none))).toBe('production');
    expect(writesEnvironment(providerFor(blocks, { api: 'unleash' }, none))).toBeUndefined();
  });
});

describe('the identity of what is behind an API (R1.74)', () => {
  test('is its address in one spelling', () => {
    expect(identityOf({ unleash: { base_url: 'HTTPS://API.example.com:443/v1//' } })).toEqual({ base_url: 'https://api.example.com/v1' });
  });

  test('and its account; neither its name nor a header nor the name of a credential is part of it', () => {
    const one = { base_url, account: 'acme' };
    const other = { ...one, auth: { bearer_env: 'OTHER_TOKEN' }, headers: { 'X-Org': 'b' }, encoding: 'form' };
    expect(identityOf({ a: one })).toEqual(identityOf({ b: other }));
    expect(identityOf({ a: one })).not.toEqual(identityOf({ a: { ...one, account: 'other' } }));
  });
});

describe('the credential', () => {
  const value = ({ variable }: { variable: string }) => `${variable}-value`;

  test('is a bearer token, a header or basic, as the block says, beside its own headers', () => {
    const headers = (auth: object) => connection({ a: { base_url, auth, headers: { 'X-Org': 'acme' } } as never }, value).headers;
    expect(headers({ bearer_env: 'A_TOKEN' })).toEqual({ 'X-Org': 'acme', authorization: 'Bearer A_TOKEN-value' });
    expect(headers({ header: 'X-Api-Key', value_env: 'A_KEY' })).toEqual({ 'X-Org': 'acme', 'X-Api-Key': 'A_KEY-value' });
    const basic = { basic: { user_env: 'WHO', password_env: 'A_PASSWORD' } };
    expect(headers(basic)['authorization']).toBe(`Basic ${btoa('WHO-value:A_PASSWORD-value')}`);
    expect(credentialsFor({ a: { base_url, auth: basic } })).toEqual([{ variable: 'WHO' }, { variable: 'A_PASSWORD' }]);
  });
});
