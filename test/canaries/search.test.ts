import { expect, it } from 'vitest';
import { openSearch, type Tally, tallyText } from './search.ts';
import { canaries } from './values.ts';

const looked = canaries.filter(({ isWord }) => !isWord);

it('there are twelve kinds of canaries and more', () => {
  expect(canaries.length).toBeGreaterThanOrEqual(12);
  expect(new Set(canaries.map(({ value }) => value)).size).toBe(canaries.length);
});

const encodings: Record<string, (value: string) => string> = {
  'as it is': (value) => value,
  'in JSON': (value) => JSON.stringify({ value }),
  'in JSON in JSON': (value) => JSON.stringify(JSON.stringify({ value })),
  'in a URL': (value) => `https://example.test/?v=${encodeURIComponent(value)}`,
  'in a form': (value) => new URLSearchParams({ value }).toString(),
  'in base64': (value) => Buffer.from(value).toString('base64'),
  'in base64url, behind other bytes': (value) => Buffer.from(`ab${value}cd`).toString('base64url'),
  'in hex': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  'in HTML': (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
};

it.each(Object.entries(encodings))('each of them is found %s (I1)', (_how, encode) => {
  for (const { name, value } of looked) {
    const search = openSearch();
    search.learn(name, value);
    expect(search.look('log', [`before ${encode(value)} after`])).toEqual([`${name} is in the log`]);
  }
});

it('nothing is found where there is nothing, each text is counted once, and a value learnt later is looked for in all of them', () => {
  const tally: Tally = new Map();
  const search = openSearch(tally);
  for (const { name, value } of looked) search.learn(name, value);
  expect(search.look('table', ['{"status":"created"}'])).toEqual([]);
  expect(search.look('table', ['{"status":"created"}'])).toEqual([]);
  expect(tally.get('table')).toBe(20);
  search.learn('a status', 'created"');
  expect(search.look('table', ['{"status":"created"}'])).toEqual(['a status is in the table']);
  expect(tallyText(tally)).toBe('  table: 40 bytes');
});
