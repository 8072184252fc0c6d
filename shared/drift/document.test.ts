import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countsOf, driftDocument, driftDocumentDigest, parseDriftDocument } from './document.ts';
import { driftRecord } from './drift-record.ts';
import { type DriftFields, statuses } from './record.ts';

const record = (more: Partial<DriftFields> = {}) =>
  driftRecord({ member: 'shop', engine: 'tofu', address: 'a', node: null, observedAt: '2026-11-30T10:00:00Z', read: 'plan', status: 'in-sync', ...more });

describe('the document (R3.13)', () => {
  it('sorts by member, address and read in code units, and keeps one of each, the last', () => {
    const given = [
      record({ address: 'b' }),
      record({ address: 'Z' }),
      record({ address: 'ä' }),
      record({ member: 'app', address: 'z' }),
      record({ address: 'b', read: 'state', status: 'recorded' }),
      record({ address: 'b', status: 'missing' }),
    ];
    const { records } = driftDocument(given);
    expect(records.map(({ member, address, read, status }) => [member, address, read, status])).toEqual([
      ['app', 'z', 'plan', 'in-sync'],
      ['shop', 'Z', 'plan', 'in-sync'],
      ['shop', 'b', 'plan', 'missing'],
      ['shop', 'b', 'state', 'recorded'],
      ['shop', 'ä', 'plan', 'in-sync'],
    ]);
  });

  it('counts every status, those with none too, and says who wrote it when that is known', () => {
    const empty = driftDocument([]);
    expect(empty).toMatchObject({ drift: 'v1', records: [] });
    expect(Object.entries(empty.counts)).toEqual(statuses.map((status) => [status, 0]));
    expect(empty).not.toHaveProperty('lockkeeper');
    expect(driftDocument([record(), record({ address: 'b', status: 'missing' })], '1.2.3')).toMatchObject({
      lockkeeper: '1.2.3',
      counts: { 'in-sync': 1, missing: 1, drifted: 0 },
    });
  });

  it('tells two addresses apart whatever stands in them', () => {
    expect(countsOf(driftDocument([record({ member: 'a","b', address: 'c' }), record({ member: 'a', address: 'b","c' })]).records)['in-sync']).toBe(2);
  });
});

describe('its digest (R3.15)', () => {
  const digest = (...records: ReturnType<typeof record>[]) => driftDocumentDigest({ records });

  it('does not change with when it was read, by what, or in which order', () => {
    const [a, b] = [record(), record({ address: 'b' })];
    const later = record({ observedAt: '2027-01-01T00:00:00+01:00', evidence: { tool: 'tofu', version: '1.12.6' } });
    expect(digest(a, b)).toMatch(/^[0-9a-f]{64}$/);
    expect(digest(b, later)).toBe(digest(a, b));
  });

  it.each([
    ['status', { status: 'missing' }],
    ['node', { node: 'shop/root/a' }],
    ['attributes', { status: 'drifted', attributes: [{ path: 'x' }] }],
    ['ownership', { ownership: { verdict: 'owned', by: 'state' } }],
  ] as const)('changes with %s', (_, more) => {
    expect(digest(record(more))).not.toBe(digest(record()));
  });

  it('is the same in every version: these bytes are frozen', () => {
    const bytes = '[{"address":"a","engine":"tofu","member":"shop","node":null,"read":"plan","status":"in-sync"}]';
    expect(digest(record())).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(digest(record())).toBe('592d5f10926832e721a980e70b5ec4626f3605e1a88f4edca3a8d567e66f99a2');
  });
});

describe('reading one', () => {
  const text = (more: object = {}) => JSON.stringify({ ...driftDocument([record(), record({ address: 'b' })]), ...more });
  const refused = (given: string): unknown => {
    try {
      parseDriftDocument(given);
      return undefined;
    } catch (thrown) {
      const { code, details } = (thrown as { problem: { code: string; details: object } }).problem;
      expect(String(thrown)).not.toContain('CANARY');
      return { code, ...details };
    }
  };
  const at = (pointer: string) => ({ code: 'DRIFT_INPUT_INVALID', pointer });

  it('gives back what was written, with fields of a later version (R3.14)', () => {
    const later = { summary: { lines: 2 }, records: [{ ...record(), confidence: 1 }], counts: { ...driftDocument([record()]).counts, later: 9 } };
    expect(parseDriftDocument(text())).toEqual(driftDocument([record(), record({ address: 'b' })]));
    expect(parseDriftDocument(text(later))).toMatchObject({ summary: { lines: 2 }, records: [{ confidence: 1 }] });
  });

  it('refuses everything else with the place where it is wrong, and nothing of what stands there', () => {
    expect(refused('')).toEqual(at(''));
    expect(refused('{"CANARY')).toEqual(at(''));
    expect(refused('["CANARY"]')).toEqual(at(''));
    expect(refused(text({ drift: 'v2' }))).toEqual(at('/drift'));
    expect(refused(text({ records: 'CANARY' }))).toEqual(at('/records'));
    expect(refused(text({ records: [record(), { ...record(), status: 'CANARY' }] }))).toEqual(at('/records/1'));
    expect(refused(text({ records: [null] }))).toEqual(at('/records/0'));
    expect(refused(text({ records: [record()] }))).toEqual(at('/counts'));
    expect(refused(text({ counts: undefined }))).toEqual(at('/counts'));
  });

  it('refuses with that code, and nothing else, whatever a document is spoilt by', () => {
    const whole = text({ later: { a: [1] } });
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length), fc.oneof(fc.string(), fc.json(), fc.constant('['.repeat(5000))), (from, to, put) => {
        try {
          JSON.stringify(parseDriftDocument(whole.slice(0, Math.min(from, to)) + put + whole.slice(Math.max(from, to))));
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'DRIFT_INPUT_INVALID' });
        }
      }),
      { numRuns: 300 },
    );
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(refused(whole.replace('[1]', deep))).toEqual(at(''));
    expect(refused(whole.replace('"node":null', `"node":null,"later":${deep}`))).toEqual(at('/records/0'));
  });
});
