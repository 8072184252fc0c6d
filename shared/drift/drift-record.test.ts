import { describe, expect, it } from 'vitest';
import { DriftRecordError, driftRecord } from './drift-record.ts';
import { type DriftFields, engines, reads, statuses, unobservedReasons } from './record.ts';

const fields: DriftFields = {
  member: 'shop',
  engine: 'terraform',
  address: 'aws_eip.pool[0]',
  node: null,
  observedAt: '2026-11-30T10:00:00Z',
  read: 'plan',
  status: 'in-sync',
};

/** The rule that a record breaks; undefined when it breaks none. */
function broken(more: object): string | undefined {
  try {
    driftRecord({ ...fields, ...more });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DriftRecordError) return thrown.rule;
    throw thrown;
  }
}

const unobserved = { reason: 'read-failed' } as const;

describe('what a record holds', () => {
  it('is what was given, its fields in their order and its attributes by path in code units (R3.2, R3.12)', () => {
    const attributes = [{ path: 'a[10]', before: 1, after: 2 }, { path: 'Z' }, { path: 'a' }];
    const record = driftRecord({ attributes, ...fields, status: 'drifted' });
    expect(Object.keys(record)).toEqual(['member', 'engine', 'address', 'node', 'observedAt', 'read', 'status', 'attributes']);
    expect(record.attributes?.map(({ path }) => path)).toEqual(['Z', 'a', 'a[10]']);
  });

  it('takes every engine, read, status and reason of its lists, lockkeeper among the engines (R3.3, R3.4, R3.5, R3.8)', () => {
    expect(engines).toContain('lockkeeper');
    expect(statuses).toHaveLength(9);
    for (const engine of engines) expect(broken({ engine })).toBeUndefined();
    for (const read of reads) expect(broken({ read, status: 'pending' })).toBeUndefined();
    for (const status of statuses) expect(broken({ status, ...(status === 'not-observed' ? { unobserved } : {}) })).toBeUndefined();
    for (const reason of unobservedReasons) expect(broken({ status: 'not-observed', unobserved: { reason } })).toBeUndefined();
  });

  it('says whose a thing is with words of closed lists, and keeps the engine’s own (R3.6, R3.7)', () => {
    const ownership = { verdict: 'adoptable', by: 'label', markerOnObject: false, ownedBy: 'ops', adopt: true };
    const evidence = { tool: 'choudoufu', version: '1.2.0', command: 'live-plan -json', engineCode: 'UNOWNED' };
    expect(driftRecord({ ...fields, ...({ ownership, evidence } as object) })).toMatchObject({ ownership, evidence });
    expect(broken({ ownership: { ...ownership, verdict: 'mine' } })).toBe('form');
    expect(broken({ ownership: { ...ownership, by: 'guess' } })).toBe('form');
  });

  it('carries a field that this version does not know, at any place (R3.14)', () => {
    const later = { confidence: 0.5, evidence: { tool: 'x', region: 'eu' }, attributes: [{ path: 'a', why: 'rounded' }], status: 'drifted' };
    expect(driftRecord({ ...fields, ...(later as object) })).toMatchObject(later);
  });

  it('leaves out a field that is there and undefined', () => {
    expect(driftRecord({ ...fields, ...({ resourceType: undefined } as object) })).not.toHaveProperty('resourceType');
  });
});

describe('what is refused', () => {
  it.each(['in-sync', 'drifted', 'missing', 'unclaimed', 'undeclared', 'runtime'] as const)('a state read that says %s (R3.9)', (status) => {
    expect(broken({ read: 'state', status })).toBe('state-read');
  });

  it('what was not observed without a reason, and a reason on what was (R3.5, R3.9)', () => {
    expect(broken({ status: 'not-observed' })).toBe('reason');
    expect(broken({ status: 'missing', unobserved })).toBe('observed');
    expect(broken({ status: 'not-observed', unobserved: { reason: 'because' } })).toBe('form');
  });

  it('paths on what did not drift, and unread attributes where nobody knows whether it is there (R3.2, R3.20)', () => {
    expect(broken({ attributes: [] })).toBe('attributes');
    expect(broken({ status: 'missing', attributesUnobserved: unobserved })).toBe('presence');
    expect(broken({ attributesUnobserved: unobserved })).toBeUndefined();
  });

  it('a path that stands twice', () => {
    expect(broken({ status: 'drifted', attributes: [{ path: 'a' }, { path: 'a', after: 1 }] })).toBe('form');
  });

  it('an instance on no node', () => {
    expect(broken({ instanceOf: 'shop/root/aws_eip.pool' })).toBe('node');
    expect(broken({ node: 'shop/root/aws_eip.pool[0]', instanceOf: 'shop/root/aws_eip.pool' })).toBeUndefined();
  });

  it.each([
    ['member', ''],
    ['member', 7],
    ['engine', 'ansible'],
    ['address', undefined],
    ['address', '\ud800'],
    ['node', undefined],
    ['read', 'guess'],
    ['status', 'fine'],
    ['observedAt', 'yesterday'],
    ['observedAt', '2026-13-45T99:00:00Z'],
    ['resourceType', null],
    ['attributes', {}],
    ['evidence', 'terraform'],
    ['later', Number.NaN],
  ])('%s: %s', (name, value) => {
    expect(broken({ [name]: value })).toBe('form');
  });

  it('values that nobody could write down: deeper than 64 levels, or no JSON', () => {
    const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
    expect(broken({ status: 'drifted', attributes: [{ path: 'a', after: deep }] })).toBe('form');
    expect(broken({ status: 'drifted', attributes: [{ path: 'a', after: () => 1 }] })).toBe('form');
  });

  it('whatever is no map at all, without another kind of error', () => {
    for (const odd of [null, undefined, 7, 'record', [], [fields]]) expect(() => driftRecord(odd as never)).toThrow(DriftRecordError);
  });

  it('with an error that names member, address, read, status and rule, and none of the values (R3.10, I1)', () => {
    const attributes = [{ path: 'a', before: 'CANARY-in-a-broken-record' }];
    let error: DriftRecordError | undefined;
    try {
      driftRecord({ ...fields, read: 'state', status: 'drifted', attributes });
    } catch (thrown) {
      if (thrown instanceof DriftRecordError) error = thrown;
    }
    expect(error?.code).toBe('DRIFT_RECORD_INVALID');
    expect(error?.problem.details).toEqual({ member: 'shop', address: 'aws_eip.pool[0]', read: 'state', status: 'drifted', rule: 'state-read' });
    for (const word of ['shop', 'aws_eip.pool[0]', 'state', 'drifted', 'state-read']) expect(error?.message).toContain(word);
    expect(JSON.stringify(error?.problem)).not.toContain('CANARY');
  });
});

describe('what has the name of a secret (R3.9, R3.11, I1)', () => {
  const drifted = (...attributes: object[]) =>
    driftRecord({ ...fields, status: 'drifted', attributes: attributes as never }).attributes?.map(({ path, ...rest }) => [path, rest]);

  it('loses both values when the planner marked it, and keeps its path and its fingerprints', () => {
    const fingerprints = { key: 'k1', before: 'aa', after: 'bb' };
    expect(drifted({ path: 'a', before: 'x', after: 'y', sensitive: true, fingerprints })).toEqual([['a', { fingerprints, sensitive: true }]]);
  });

  it.each(['db_password', 'tags["api_token"]', "tags['api_token']", 'clientSecret', 'env[0].API-KEY', 'users[2].password2', 'headers.Authorization', 'dsn'])(
    'loses both values at %s',
    (path) => {
      expect(drifted({ path, before: 'CANARY-1', after: 'CANARY-2' })).toEqual([[path, { sensitive: true }]]);
    },
  );

  it.each([
    ['a map with such a key', { nested: [{ db_password: 'CANARY' }] }],
    ['JSON text', '{"db":{"password":"CANARY"}}'],
    ['JSON text in JSON text', JSON.stringify({ body: JSON.stringify({ api_token: 'CANARY' }) })],
    ['a connection string', 'postgres://app:CANARY@db.example/shop'],
  ])('loses both values that hold %s', (_, after) => {
    expect(drifted({ path: 'config', before: {}, after })).toEqual([['config', { sensitive: true }]]);
    expect(drifted({ path: 'config', before: after })).toEqual([['config', { sensitive: true }]]);
  });

  it.each(['name', 'size', 'partition', 'keys', 'monkey', 'tags["team"]', 'compass', 'passengers'])('keeps what stands at %s', (path) => {
    expect(drifted({ path, before: 'a', after: 'b' })).toEqual([[path, { before: 'a', after: 'b' }]]);
  });

  it('is not carried in a field that nobody knows', () => {
    const later = { later: { db_password: 'CANARY', text: '{"token":"CANARY"}', size: 3 }, apiToken: 'CANARY' };
    expect(driftRecord({ ...fields, ...(later as object) })).toMatchObject({ later: { db_password: '(sensitive)', text: '(sensitive)', size: 3 } });
    expect(JSON.stringify(driftRecord({ ...fields, ...(later as object) }))).not.toContain('CANARY');
  });
});
