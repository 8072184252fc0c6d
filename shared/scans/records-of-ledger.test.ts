import { describe, expect, it } from 'vitest';
import type { Entry } from '../ledger/entry.ts';
import { recordsOfLedger } from './records-of-ledger.ts';

const entry = (key: string, more: Partial<Entry> = {}): Entry => ({
  adapter: 'vercel',
  op: 'env',
  opVersion: 1,
  provider: {},
  account: {},
  key,
  id: 'id-1',
  label: key,
  createdBy: 'lockkeeper',
  run: 'r1',
  fence: 1,
  sequence: '1',
  ...more,
});
const read = (ledger: readonly { line: string; entries: readonly Entry[] }[], ...declared: string[]) =>
  recordsOfLedger({
    plan: 'shop',
    ledger,
    declared: declared.map((id) => ({ id, adapter: 'vercel', op: 'env' })),
    observedAt: '2026-11-30T10:00:00.000Z',
  }).map(({ address, status, read: way, unobserved, ownership, evidence }) => ({ address, status, way, unobserved, ownership, evidence }));

describe('what is recorded, as drift records (R3.9, R3.19)', () => {
  it('is `recorded` of what the ledger holds, and `pending` of a declared line of which it holds nothing', () => {
    expect(
      read(
        [
          { line: 'web', entries: [entry('a'), entry('b')] },
          { line: 'gone', entries: [] },
        ],
        'web',
        'db',
        'gone',
      ),
    ).toMatchObject([
      { address: 'web["a"]', status: 'recorded', way: 'state', ownership: { verdict: 'owned', by: 'record' } },
      { address: 'web["b"]', status: 'recorded' },
      { address: 'db', status: 'pending' },
      { address: 'gone', status: 'pending' },
    ]);
  });

  it('says of a creation that was begun that nobody knows, and of an orphan what it is', () => {
    expect(read([{ line: 'web', entries: [entry('a', { createdBy: 'intent' }), entry('b', { orphan: true })] }])).toMatchObject([
      { address: 'web["a"]', status: 'not-observed', unobserved: { reason: 'in-motion' } },
      { address: 'web["b"]', status: 'recorded', evidence: { engineCode: 'orphan' } },
    ]);
  });
});
