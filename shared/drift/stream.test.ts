import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LockkeeperError } from '../errors/error.ts';
import { driftRecord } from './drift-record.ts';
import { foldDriftLines } from './fold-stream.ts';
import { type DriftFields, statuses } from './record.ts';
import { decodeDriftLine, decodeDriftLines, driftLine, driftSettle, driftStart, encodeDriftLine } from './stream.ts';

const now = '2026-11-30T12:00:00Z';
const of = { member: 'shop', engine: 'plunge', read: 'refresh' } as const;
const record = (address: string, more: Partial<DriftFields> = {}) =>
  driftRecord({ ...of, address, node: null, observedAt: '2026-11-30T10:00:00Z', status: 'in-sync', ...more });

const start = (...expected: string[]) =>
  encodeDriftLine(
    driftStart(
      of,
      expected.map((address) => ({ address })),
    ),
  );
const told = (...args: Parameters<typeof record>) => encodeDriftLine(driftLine(record(...args)));
const settle = (...records: ReturnType<typeof record>[]) => encodeDriftLine(driftSettle(of, records));
const lines = (...objects: object[]) => objects.map((one) => `${JSON.stringify(one)}\n`).join('');

const fold = (text: string) => {
  const { records, doubts } = foldDriftLines(decodeDriftLines(text), now);
  return { found: records.map(({ address, read, status }) => [address, read, status].join(' ')), doubts };
};
const refusedAt = (text: string): unknown => {
  try {
    foldDriftLines(decodeDriftLines(text), now);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError)) throw thrown;
    expect(JSON.stringify(thrown.problem)).not.toContain('CANARY');
    return [thrown.code, thrown.problem.details?.['line']];
  }
};

describe('a whole stream (R3.25)', () => {
  it('comes to its records, sorted; a later line replaces an earlier one', () => {
    const text = start('a', 'b') + told('b') + told('a') + told('b', { status: 'missing' }) + settle(record('a'), record('b', { status: 'missing' }));
    expect(fold(text)).toEqual({ found: ['a refresh in-sync', 'b refresh missing'], doubts: [] });
  });

  it('says not-observed, not-reached of what was expected and nobody answered, where it would have stood', () => {
    const expected = [{ address: 'a', node: 'shop/a["x"]', instanceOf: 'shop/a', resourceType: 't' }, { address: 'b' }];
    const first = driftStart(of, expected, { at: '2026-11-30T11:00:00Z', fellBackFrom: 'live-read', evidence: { tool: 'plunge' } });
    const text = encodeDriftLine(first) + told('b') + settle(record('b'));
    expect(foldDriftLines(decodeDriftLines(text), now).records[0]).toEqual({
      ...of,
      address: 'a',
      resourceType: 't',
      node: 'shop/a["x"]',
      instanceOf: 'shop/a',
      observedAt: '2026-11-30T11:00:00Z',
      fellBackFrom: 'live-read',
      status: 'not-observed',
      unobserved: { reason: 'not-reached' },
      evidence: { tool: 'plunge' },
    });
  });

  it('takes an answer under another read for one, in the same read, beside it or before it', () => {
    const state = { ...of, read: 'state' } as const;
    const recorded = () => told('a', { read: 'state', status: 'recorded' });
    const ofState = encodeDriftLine(driftStart(state, []));
    const settled = (counts: object) => lines({ type: 'drift-settle', drift: 'v1', ...state, counts });
    expect(fold(start('a') + recorded() + settle(record('a', { read: 'state', status: 'recorded' }))).found).toEqual(['a state recorded']);
    expect(fold(ofState + start('a') + recorded() + settle() + settled({ recorded: 1 })).found).toEqual(['a state recorded']);
    expect(fold(ofState + recorded() + settled({ recorded: 1 }) + start('a') + settle()).found).toEqual(['a state recorded']);
  });

  it('may hold one read after the other, and the same one again: what the second did not reach was not reached', () => {
    const second = start('a', 'b') + told('b') + settle(record('b'));
    expect(fold(start('a') + told('a') + settle(record('a')) + second).found).toEqual(['a refresh not-observed', 'b refresh in-sync']);
  });

  it('takes bare addresses, other ends of lines, empty lines and a mark at the beginning', () => {
    const text = `\ufeff${lines({ type: 'drift-start', drift: 'v1', ...of, expected: ['a', { address: 'b' }] })}\n\r\n${told('a').trim()}\r\n${settle(record('a')).trim()}`;
    expect(fold(text)).toEqual({ found: ['a refresh in-sync', 'b refresh not-observed'], doubts: [] });
  });

  it('carries fields that this version does not know, and what a read says it cost (R3.14, R3.26)', () => {
    const text = told('a').replace('{', '{"confidence":0.5,');
    expect(foldDriftLines(decodeDriftLines(start() + text + settle(record('a'))), now).records[0]).toMatchObject({ confidence: 0.5 });
    const end = { type: 'drift-settle', drift: 'v1', ...of, counts: {}, reads: { calls: 7 }, later: true };
    expect(decodeDriftLine(JSON.stringify(end), 1)).toMatchObject({ reads: { calls: 7 }, later: true });
  });

  it('takes a settle that leaves out statuses with none, and one that counts what was not reached', () => {
    const end = (counts: object) => lines({ type: 'drift-settle', drift: 'v1', ...of, counts });
    expect(fold(start('a', 'b') + told('a') + end({ 'in-sync': 1 })).doubts).toEqual([]);
    expect(fold(start('a', 'b') + told('a') + end({ 'in-sync': 1, 'not-observed': 1 })).doubts).toEqual([]);
  });
});

describe('a stream that is not whole', () => {
  it('cut between two lines keeps what was told, and the rest was not reached', () => {
    expect(fold(start('a', 'b') + told('a'))).toEqual({ found: ['a refresh in-sync', 'b refresh not-observed'], doubts: [{ what: 'cut', line: 2 }] });
  });

  it('cut within a line keeps what was told before it', () => {
    const text = start('a', 'b') + told('a') + told('b').slice(0, 30);
    expect(fold(text)).toEqual({ found: ['a refresh in-sync', 'b refresh not-observed'], doubts: [{ what: 'cut', line: 3 }] });
  });

  it('that counts other than it told says so', () => {
    expect(fold(start('a', 'b') + told('a') + settle(record('a'), record('b')))).toMatchObject({ doubts: [{ what: 'miscounted', line: 3 }] });
  });

  it('with lines of a type that nobody knows passes them over and says so', () => {
    expect(fold(start('a') + lines({ type: 'drift-progress', at: 'CANARY' }) + told('a') + settle(record('a')))).toEqual({
      found: ['a refresh in-sync'],
      doubts: [{ what: 'unknown-type', line: 2 }],
    });
  });

  it.each([
    ['nothing at all', '', 1],
    ['a record before a start', told('a'), 1],
    ['a record after its settle', start('a') + settle() + told('a'), 3],
    ['a record of another member', start('a') + told('a', { member: 'CANARY' }), 2],
    ['a settle of a read that has not begun', settle(), 1],
    ['a second settle', start() + settle() + settle(), 3],
    ['two starts of one read', start('a') + start('a'), 2],
    ['a line that is no JSON', `${start('a')}CANARY\n${told('a')}`, 2],
    ['a line that is no object', `${start('a')}["CANARY"]\n`, 2],
    ['a line without a type', start('a') + lines({ CANARY: 1 }), 2],
    ['a record that breaks a rule', start('a') + lines({ type: 'drift-record', ...record('a'), status: 'CANARY' }), 2],
    ['another version', lines({ type: 'drift-start', drift: 'v2', ...of, expected: [] }), 1],
    ['no list of what is expected', lines({ type: 'drift-start', drift: 'v1', ...of, expected: 'CANARY' }), 1],
    ['something expected without an address', lines({ type: 'drift-start', drift: 'v1', ...of, expected: [{ node: 'CANARY' }] }), 1],
    ['an engine that nobody knows', lines({ type: 'drift-start', drift: 'v1', ...of, engine: 'CANARY', expected: [] }), 1],
    ['no member', lines({ type: 'drift-start', drift: 'v1', ...of, member: '', expected: [] }), 1],
    ['a time that is none', lines({ type: 'drift-start', drift: 'v1', ...of, expected: ['a'], at: '2026' }), 1],
    ['evidence in no form', lines({ type: 'drift-start', drift: 'v1', ...of, expected: ['a'], evidence: 'CANARY' }), 1],
    ['counts that are none', start() + lines({ type: 'drift-settle', drift: 'v1', ...of, counts: { drifted: 'CANARY' } }), 2],
  ])('is refused for %s, with the number of the line and nothing of it (I1)', (_, text, line) => {
    expect(refusedAt(text)).toEqual(['DRIFT_INPUT_INVALID', line]);
  });
});

it('what is written is read back as it was', () => {
  const status = fc.constantFrom(...statuses.filter((one) => one !== 'not-observed'));
  const found = fc.array(fc.tuple(fc.string({ minLength: 1, unit: 'grapheme' }), status), { maxLength: 8 });
  fc.assert(
    fc.property(found, (pairs) => {
      const records = [...new Map(pairs).entries()].map(([address, one]) => record(address, { status: one }));
      const text = start(...records.map(({ address }) => address)) + records.map((one) => encodeDriftLine(driftLine(one))).join('') + settle(...records);
      const folded = foldDriftLines(decodeDriftLines(text), now);
      expect(folded.doubts).toEqual([]);
      expect(new Set(folded.records.map((one) => JSON.stringify(one)))).toEqual(new Set(records.map((one) => JSON.stringify(one))));
    }),
    { numRuns: 50 },
  );
});

it('whatever a stream is cut or spoilt by, it is folded or refused, and never by another error', () => {
  const whole = start('a', 'b') + told('a') + told('b', { status: 'drifted', attributes: [{ path: 'x', after: 1 }] }) + settle(record('a'));
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(whole.length), fc.string(), (from, to, put) => {
      try {
        foldDriftLines(decodeDriftLines(whole.slice(0, Math.min(from, to)) + put + whole.slice(Math.max(from, to))), now);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(LockkeeperError);
      }
    }),
    { numRuns: 300 },
  );
});
