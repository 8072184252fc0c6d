import { describe, expect, test } from 'vitest';
import { withoutCredentials } from './credentials.ts';
import { createRedactor, type Redactor, redacted } from './redactor.ts';

const withValues = (...values: string[]): Redactor => {
  const redactor = createRedactor();
  for (const value of values) redactor.register(value);
  return redactor;
};

describe('text', () => {
  test('a registered value is masked wherever it stands', () => {
    expect(withValues('hunter2').mask('hunter2, and again: xhunter2x')).toBe('[REDACTED], and again: x[REDACTED]x');
  });

  test('of two values that overlap nothing of either survives', () => {
    expect(withValues('abcdef', 'defghi').mask('<abcdefghi>')).toBe('<[REDACTED]>');
  });

  test('the longer of two values that start alike is masked whole', () => {
    expect(withValues('pass', 'password-long').mask('pass password-long')).toBe('[REDACTED] [REDACTED]');
  });

  test('values under four characters are counted by name and left alone', () => {
    const redactor = createRedactor();
    redactor.register('abc', 'SHORT_TOKEN');
    redactor.register('abc', 'SHORT_TOKEN');
    redactor.register('');
    expect(redactor.mask('abc')).toBe('abc');
    expect(redactor.short()).toBe(1);
    expect(redactor.shortNames()).toEqual(['SHORT_TOKEN']);
  });

  test('a value cut off after its first sixteen characters or before its last is still masked', () => {
    const redactor = withValues('sk_live_0123456789abcdefghijklmnop');
    expect(redactor.mask('got sk_live_0123456789…')).toBe('got [REDACTED]…');
    expect(redactor.mask('…9abcdefghijklmnop.')).toBe('…[REDACTED].');
    expect(redactor.mask('sk_live_0123')).toBe('sk_live_0123');
  });

  test('lines of a multi-line value are masked alone, whatever ends them', () => {
    const redactor = withValues('first-line\r\nshort\nlast-line-here\n');
    expect(redactor.mask('<last-line-here> <first-line> <short>')).toBe('<[REDACTED]> <[REDACTED]> <short>');
  });

  test('a multi-line value is masked when its white space was flattened', () => {
    const redactor = withValues('one two\n  three\n');
    expect(redactor.mask('[one two three] [onetwothree]')).toBe('[[REDACTED]] [[REDACTED]]');
  });

  test('a password in a URL is masked as written and decoded', () => {
    const redactor = withValues('postgresql://owner:p%40ss%2Fw0rd@db.example/app');
    expect(redactor.mask('p%40ss%2Fw0rd p@ss/w0rd owner')).toBe('[REDACTED] [REDACTED] owner');
  });

  test.each([
    ['a query parameter', 'https://example.test/?user=me&password=s3cr3t-q', 's3cr3t-q'],
    ['a key-value connection string', "host=db password='s3 cr3t' user=me", 's3 cr3t'],
    ['a semicolon connection string', 'Server=db;Pwd=s3cr3t-p;User=me', 's3cr3t-p'],
    ['a token as the user of an https URL', 'https://ghs_token123@github.test/a/b.git', 'ghs_token123'],
  ])('the password in %s is masked alone', (_where, value, password) => {
    expect(withValues(value).mask(`it was ${password}!`)).toBe('it was [REDACTED]!');
  });
});

describe('the environment', () => {
  test('variables named like credentials are registered, and credentials inside the others (R1.28)', () => {
    const redactor = createRedactor();
    redactor.registerEnvironment({
      NEON_API_KEY: 'neon-value',
      vercel_token: 'vercel-value',
      DB_PASSWD: 'passwd-value',
      MY_APIKEY: 'apikey-value',
      DATABASE_URL: 'postgres://me:pw-in-url@db/app',
      HOME: '/home/me',
      KEYBOARD: 'dvorak',
      EMPTY_SECRET: '',
      GONE_SECRET: undefined,
    });
    expect(redactor.mask('neon-value vercel-value passwd-value apikey-value pw-in-url')).toBe(Array(5).fill(redacted).join(' '));
    expect(redactor.mask('/home/me dvorak postgres://me')).toBe('/home/me dvorak postgres://me');
  });
});

test('a program that is started sees no credential but those it needs (I1)', () => {
  const environment = { PATH: '/bin', VERCEL_TOKEN: 'v', GH_TOKEN: 'g', DATABASE_URL: 'postgres://me:pw-in-url@db/app', HOME: '/home/me' };
  expect(withoutCredentials(environment)).toEqual({ PATH: '/bin', HOME: '/home/me' });
  expect(withoutCredentials(environment, /^GH_/)).toEqual({ PATH: '/bin', GH_TOKEN: 'g', HOME: '/home/me' });
});

describe('JSON', () => {
  test('strings and keys are masked, closed fields are not (R1.104, R1.105)', () => {
    const redactor = withValues('complete', 'tok-1234');
    expect(redactor.maskJson({ status: 'complete', note: 'complete', 'x tok-1234': [{ a: 'tok-1234' }], codes: [1, null, true] })).toEqual({
      status: 'complete',
      note: redacted,
      'x [REDACTED]': [{ a: redacted }],
      codes: [1, null, true],
    });
  });

  test('times and ids that Lockkeeper made stay readable whatever was registered', () => {
    const redactor = withValues('2026', '01JAAAAA');
    const made = { startedAt: '2026-01-01T00:00:00Z', version: '01JAAAAABBBB', commit: '20260000' };
    expect(redactor.maskJson({ ...made, note: 'in 2026' })).toEqual({ ...made, note: 'in [REDACTED]' });
  });

  test('a closed field that holds more than a string is walked', () => {
    expect(withValues('tok-1234').maskJson({ state: { text: 'tok-1234' } })).toEqual({ state: { text: redacted } });
  });

  test('the list of closed fields can be another one', () => {
    const redactor = createRedactor(new Set(['verdict']));
    redactor.register('fine-value');
    expect(redactor.maskJson({ verdict: 'fine-value', status: 'fine-value' })).toEqual({ verdict: 'fine-value', status: redacted });
  });

  test('two keys that both carry the value stay two keys', () => {
    expect(withValues('tok-1234', 'tok-5678').maskJson({ 'tok-1234': 1, 'tok-5678': 2 })).toEqual({ [redacted]: 1, '[REDACTED] (2)': 2 });
  });

  test('sets and maps are walked, and a key called __proto__ stays a key', () => {
    const redactor = withValues('tok-1234');
    expect(redactor.maskJson(new Set(['tok-1234', 'b']))).toEqual(new Set([redacted, 'b']));
    expect(redactor.maskJson(new Map([['tok-1234', 'tok-1234']]))).toEqual(new Map([[redacted, redacted]]));
    expect(JSON.stringify(redactor.maskJson(JSON.parse('{"__proto__":"tok-1234"}')))).toBe('{"__proto__":"[REDACTED]"}');
  });

  test('a number is masked when it is a registered value of six digits or more, and only then', () => {
    const redactor = withValues('845213', '1767');
    expect(redactor.maskJson({ pin: 845213, at: 1767225600000, year: 1767 })).toEqual({ pin: redacted, at: 1767225600000, year: 1767 });
  });

  test('a number that lost its zeros, its sign or its last digits on the way is masked as well', () => {
    const redactor = withValues('007123', '-482913', '90071992547409931234');
    expect(redactor.maskJson([7123, 482913, -7123, 90071992547409931234n, Number('90071992547409931234'), 7124])).toEqual([...Array(5).fill(redacted), 7124]);
  });

  test('what was handed in is left as it was', () => {
    const given = { note: 'tok-1234' };
    withValues('tok-1234').maskJson(given);
    expect(given).toEqual({ note: 'tok-1234' });
  });
});

test('short words are not looked for over a line end, nor is anything that only sounds like an escape', () => {
  const redactor = withValues('create', 'tok-1234');
  expect(redactor.mask('recre\nate it & tok-; %zz \\q')).toBe('recre\nate it & tok-; %zz \\q');
});

test('what stands around a value that was found in an escaped text stays as it is', () => {
  expect(withValues('p&ss<w>rd').mask('a &amp; p&amp;ss&lt;w&#62;rd &amp; b')).toBe('a &amp; [REDACTED] &amp; b');
});

test('contains sees every spelling and every fragment that mask would mask', () => {
  const redactor = withValues('sk_live_0123456789abcdefghijklmnop');
  expect(redactor.contains(`x${Buffer.from('sk_live_0123456789abcdefghijklmnop').toString('hex')}`)).toBe(true);
  expect(redactor.contains('sk_live_01234567')).toBe(true);
  expect(redactor.contains('sk_live_')).toBe(false);
});
