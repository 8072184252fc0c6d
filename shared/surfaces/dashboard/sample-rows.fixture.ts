import type { Row } from '../../dashboard/row.ts';

const commit = '1f0c9d2a6b7e4f31a0d5c8e9b2a4f6071c3d5e79';
const asOf = { fence: 4, at: '2026-01-06T09:00:00.000Z' };
const digest = (letter: string): string => letter.repeat(64);

/** A row of production of that plan about which nothing is known but what is given. */
export const sampleRow = (plan: string, facts: Partial<Row> = {}): Row => ({
  repository: '7101',
  plan,
  environment: 'production',
  seen: { run: 'f00d5ca1ab1e0000f00d5ca1ab1e0000', commit, asOf },
  version: 'v1',
  ...facts,
});

/** One row in each state. */
export const sampleRows: readonly Row[] = [
  sampleRow('billing', {
    pending: {
      run: 'aaaa5ca1ab1e0000f00d5ca1ab1e0000',
      commit,
      asOf,
      digest: digest('a'),
      counts: { create: 1, update: 1, delete: 1 },
      changes: [
        {
          line: 'payments-db',
          change: {
            key: 'k1',
            kind: 'create',
            label: 'branch payments',
            fields: [{ path: 'name', before: { state: 'absent' }, after: { state: 'literal', value: 'payments' } }],
          },
        },
        {
          line: 'site-env',
          drifted: 'changed',
          change: {
            key: 'k2',
            kind: 'update',
            label: 'API_URL (production)',
            fields: [{ path: 'value', before: { state: 'literal', value: 'https://old.example' }, after: { state: 'literal', value: 'https://new.example' } }],
          },
        },
        { line: 'old-env', change: { key: 'k3', kind: 'delete', label: 'OLD_URL (production)', fields: [] } },
      ],
    },
    drift: {
      run: 'aaaa5ca1ab1e0000f00d5ca1ab1e0000',
      commit,
      asOf,
      digest: digest('b'),
      counts: { changed: 1 },
      resources: [
        {
          line: 'sign-in',
          label: 'redirect of sign-in',
          kind: 'changed',
          fields: [{ path: 'url' }],
          firstSeen: '2026-01-05T03:00:00.000Z',
          lastRun: 'bbbb5ca1ab1e0000f00d5ca1ab1e0000',
        },
      ],
    },
  }),
  sampleRow('catalog', {
    drift: {
      run: 'cccc5ca1ab1e0000f00d5ca1ab1e0000',
      commit,
      asOf,
      digest: digest('c'),
      counts: { changed: 1, gone: 1 },
      resources: [
        {
          line: 'catalog-env',
          label: 'SEARCH_URL (production)',
          kind: 'changed',
          fields: [{ path: 'value', before: 'https://search.example', after: 'https://typo.example' }],
          firstSeen: '2026-01-05T21:00:00.000Z',
          lastClean: '2026-01-05T15:00:00.000Z',
          lastRun: 'dddd5ca1ab1e0000f00d5ca1ab1e0000',
        },
        { line: 'catalog-db', label: 'branch catalog', kind: 'gone', fields: [], firstSeen: '2026-01-05T21:00:00.000Z' },
      ],
    },
    check: { run: 'eeee5ca1ab1e0000f00d5ca1ab1e0000', commit, asOf, code: 'PROVIDER_TIMEOUT', times: 3, since: '2026-01-06T03:00:00.000Z' },
  }),
  sampleRow('checkout', {
    open: { run: '11115ca1ab1e0000f00d5ca1ab1e0000', kind: 'apply', commit, startedAt: '2026-01-06T09:10:00.000Z', by: 'mona', box: 'repair' },
  }),
  sampleRow('mail', {
    failed: {
      run: '22225ca1ab1e0000f00d5ca1ab1e0000',
      commit,
      asOf,
      code: 'PROVIDER_AUTH',
      message: 'Vercel answered 403: the token may not read this project',
    },
  }),
  sampleRow('search', {
    applied: { run: '33335ca1ab1e0000f00d5ca1ab1e0000', commit, at: '2026-01-06T08:40:00.000Z', by: 'grace' },
    lastFailed: { run: '44445ca1ab1e0000f00d5ca1ab1e0000', status: 'failed', code: 'DRIFT_CHANGED', at: '2026-01-06T08:55:00.000Z' },
  }),
  sampleRow('web', { applied: { run: '55555ca1ab1e0000f00d5ca1ab1e0000', commit, at: '2026-01-06T08:00:00.000Z' } }),
];
