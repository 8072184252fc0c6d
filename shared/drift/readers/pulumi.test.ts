import { describe, expect, it } from 'vitest';
import { lines, read, recording } from './reader.fixture.ts';

/** Refreshes in small, for what the recordings do not hold: paths that a provider names, older releases, and what does not hang together. */
const urn = (name: string) => `urn:pulumi:dev::drift-demo::aws:s3/bucket:Bucket::${name}`;
const state = (name: string, outputs: object) => ({ urn: urn(name), custom: true, type: 'aws:s3/bucket:Bucket', outputs });
const secret = (ciphertext = '[secret]') => ({ '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', ciphertext });

const pre = (name: string, op = 'refresh') => ({ resourcePreEvent: { metadata: { op, urn: urn(name), type: 'aws:s3/bucket:Bucket' } } });
const post = (name: string, op: string, old: object | null, now: object | null, more: object = {}) => ({
  resOutputsEvent: {
    metadata: { op, urn: urn(name), type: 'aws:s3/bucket:Bucket', old: old && state(name, old), new: now && state(name, now), detailedDiff: null, ...more },
  },
});
const summary = (resourceChanges: object, result = 'succeeded') => ({ summaryEvent: { maybeCorrupt: false, resourceChanges, result } });
const stream = (...events: readonly object[]) => events.map((event, sequence) => JSON.stringify({ sequence, timestamp: 1796005076, ...event })).join('\n');

describe('an event stream (R2.12, R2.14)', () => {
  it.each([
    [
      'the paths that the tool names, before what the states show',
      [
        pre('a'),
        post(
          'a',
          'update',
          { acl: 'x', other: 1 },
          { acl: 'y', other: 2 },
          { detailedDiff: { acl: { kind: 'update' }, 'tags["a.b"]': { kind: 'add' }, 'list[0].x': {} } },
        ),
        summary({ update: 1 }),
      ],
      ['drifted aws:s3/bucket:Bucket::a acl list[0].x tags["a.b"]'],
    ],
    [
      'the names of its properties',
      [pre('a'), post('a', 'update', { acl: 'x' }, { acl: 'x' }, { diffs: ['acl'] }), summary({ update: 1 })],
      ['drifted aws:s3/bucket:Bucket::a acl'],
    ],
    [
      'a secret, whichever side wraps it',
      [pre('a'), post('a', 'update', { s: secret(), t: 'CANARY' }, { s: 'CANARY-clear', t: secret() }, {}), summary({ update: 1 })],
      ['drifted aws:s3/bucket:Bucket::a s! t!'],
    ],
    [
      'what older releases call the end of a refresh',
      [
        ...['a', 'b', 'c'].map((name) => pre(name)),
        post('a', 'refresh', { acl: 'x' }, { acl: 'x' }),
        post('b', 'refresh', { acl: 'x' }, { acl: 'y' }),
        post('c', 'refresh', { acl: 'x' }, null),
        summary({ same: 1, update: 1, delete: 1 }),
      ],
      ['drifted aws:s3/bucket:Bucket::b acl', 'in-sync aws:s3/bucket:Bucket::a', 'missing aws:s3/bucket:Bucket::c'],
    ],
    [
      'what failed, and what was not come to',
      [
        pre('a'),
        pre('b'),
        pre('c'),
        { resOpFailedEvent: { metadata: { op: 'refresh', urn: urn('a'), type: 'aws:s3/bucket:Bucket' }, status: 1 } },
        { diagnosticEvent: { urn: urn('b'), severity: 'error', message: 'CANARY' } },
        summary({}, 'failed'),
      ],
      [
        'not-observed aws:s3/bucket:Bucket::a (read-failed)',
        'not-observed aws:s3/bucket:Bucket::b (read-failed)',
        'not-observed aws:s3/bucket:Bucket::c (not-reached)',
      ],
    ],
  ])('%s', (_, events, expected) => {
    const output = read(stream(...events));
    expect(lines(output)).toEqual(expected);
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it.each([
    ['no summary (R2.13)', [pre('a'), post('a', 'same', {}, {})], 'no summary: it was cut, or it is no stream of a refresh, on line 3'],
    [
      'a summary that counts more updates than there are (R2.13)',
      [pre('a'), post('a', 'same', {}, {}), summary({ same: 1, update: 1 })],
      'counts more of one operation than the events tell, on line 3',
    ],
    [
      'a summary that counts more deletes than there are (R2.13)',
      [pre('a'), post('a', 'update', {}, { x: 1 }), summary({ update: 1, delete: 1 })],
      'on line 3',
    ],
    ['two summaries', [summary({}), summary({})], 'on line 2'],
    ['a summary of something else', [pre('a'), post('a', 'same', {}, {}), summary({ create: 1 })], 'on line 3'],
    ['an end of another operation', [pre('a'), post('a', 'replace', {}, {}), summary({})], '/resOutputsEvent/metadata/op, on line 2'],
    ['an end without a beginning', [post('a', 'same', {}, {}), summary({ same: 1 })], 'has not begun, at /resOutputsEvent/metadata/urn, on line 1'],
    ['two ends', [pre('a'), post('a', 'same', {}, {}), post('a', 'update', {}, { x: 1 }), summary({ same: 1, update: 1 })], 'on line 3'],
    ['what is no URN', [{ resourcePreEvent: { metadata: { op: 'refresh', urn: 'CANARY' } } }, summary({})], '/resourcePreEvent/metadata/urn, on line 1'],
    ['an event of two kinds', [{ newEvent: {}, otherEvent: {} }, summary({})], 'on line 1'],
    ['an event of none', [{ new: {} }, summary({})], 'on line 1'],
    ['a line that is no JSON', [], 'on line 2'],
  ])('refuses %s', (what, events, where) => {
    const text = what === 'a line that is no JSON' ? `${stream(pre('a'))}\nwarning: CANARY\n${stream(summary({}))}` : stream(...events);
    expect(() => read(text)).toThrow(where);
    expect(() => read(text)).not.toThrow('CANARY');
  });

  it('passes over events that say nothing of a resource, and those of a later release', () => {
    const events = [
      { preludeEvent: { config: {} } },
      pre('a'),
      { laterEvent: { op: 'CANARY' } },
      post('a', 'same', {}, {}),
      summary({ same: 1 }),
      { cancelEvent: {} },
    ];
    expect(lines(read(stream(...events)))).toEqual(['in-sync aws:s3/bucket:Bucket::a']);
  });

  it('notes that the state may be damaged', () => {
    const damaged = { summaryEvent: { ...summary({ same: 1 }).summaryEvent, maybeCorrupt: true } };
    expect(read(stream(pre('a'), post('a', 'same', {}, {}), damaged)).reading.notes).toEqual([expect.stringContaining('damaged')]);
  });

  it('does not call a preview a refresh, though both say `same`', () => {
    expect(() => read(stream(pre('a', 'same'), post('a', 'same', {}, {}), summary({ same: 1 })))).toThrow('no refresh');
  });
});

const step = (name: string, op: string, old: object, now?: object, more: object = {}) => ({
  op,
  urn: urn(name),
  oldState: state(name, old),
  ...(now && { newState: state(name, now) }),
  ...more,
});
const document = (steps: readonly object[], changeSummary: object | null, more: object = {}) => ({ config: {}, steps, duration: 1, changeSummary, ...more });

describe('one document (R3.19)', () => {
  it.each([
    [
      'an older release whose states differ',
      document([step('a', 'refresh', { acl: 'x' }, { acl: 'y' }), step('b', 'refresh', {}, {})], { same: 1, update: 1 }),
      ['drifted aws:s3/bucket:Bucket::a acl', 'in-sync aws:s3/bucket:Bucket::b'],
    ],
    [
      'a refresh with no new state',
      document([step('a', 'refresh', {}), step('b', 'refresh', {}, {})], { same: 1, delete: 1 }),
      ['in-sync aws:s3/bucket:Bucket::b', 'missing aws:s3/bucket:Bucket::a'],
    ],
    [
      'as many changes as are shown, and one more',
      document([step('a', 'refresh', { acl: 'x' }, { acl: 'y' }), step('b', 'refresh', {}, {})], { update: 2 }),
      ['drifted aws:s3/bucket:Bucket::a acl', 'not-observed aws:s3/bucket:Bucket::b (cannot-read)'],
    ],
    [
      'fewer resources counted than there are, and nobody says why',
      document([step('a', 'refresh', {}, {}), step('b', 'refresh', {}, {})], { same: 1 }),
      ['not-observed aws:s3/bucket:Bucket::a (read-failed)', 'not-observed aws:s3/bucket:Bucket::b (read-failed)'],
    ],
    [
      'paths that the tool names',
      document([step('a', 'refresh', { acl: 'x' }, { acl: 'x' }, { detailedDiff: { acl: {} } })], { update: 1 }),
      ['drifted aws:s3/bucket:Bucket::a acl'],
    ],
    ['nothing', document([], {}), []],
  ])('%s', (_, given, expected) => {
    expect(lines(read(given))).toEqual(expected);
  });

  it.each([
    ['no summary', document([step('a', 'refresh', {}, {})], null), '/changeSummary'],
    ['a count that is none', document([step('a', 'refresh', {}, {})], { same: -1 }), '/changeSummary/(member 1)'],
    ['nothing but deletes: it may be a preview', document([step('a', 'delete', {})], { delete: 1 }), '/steps'],
  ])('refuses %s', (_, given, where) => {
    expect(() => read(given)).toThrow(where);
  });

  it('R2.15: takes no value from the check, though the events are full of them', () => {
    const text = JSON.stringify(read(recording('pulumi/refresh-drift.ndjson')));
    for (const value of ['first', 'edited-by-hand', 'trimmed', 'child"']) expect(text).not.toContain(`"${value}`);
  });
});
