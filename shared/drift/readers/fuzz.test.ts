import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driftRecord } from '../drift-record.ts';
import { driftLine, driftSettle, driftStart, encodeDriftLine } from '../stream.ts';
import { isList, isMap, type Json, type JsonMap } from './json.ts';
import { deepest } from './json-text.ts';
import { bytesOf, read, recorded, recording } from './reader.fixture.ts';
import { UnreadableError } from './unreadable.ts';

const folder = new URL('../../../test/recordings/', import.meta.url);
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:json|ndjson)$/.test(path))
  .sort();
/** One of each kind, where each variant is tried at every place. */
const oneOfEach = ['terraform-drift/plan-drift.json', 'terraform/state.json', 'pulumi/refresh-drift.json', 'pulumi/refresh-drift.ndjson'];

/** The kinds that there is no recording of, each with a row of every section. */
const described: Readonly<Record<string, Json>> = {
  'a choudoufu live plan': {
    estate: 'shop',
    choudoufu_version: '0.15.0',
    bound: [{ addr: 'aws_vpc.a', type: 'aws_vpc', identity: 'CANARY-1', source: 'marker' }],
    omissions: [
      { addr: 'aws_vpc.b', reason: 'ABSENT', detail: 'CANARY-2' },
      { addr: 'aws_vpc.c', reason: 'UNOWNED', detail: '' },
    ],
    unowned: [{ addr: 'aws_vpc.c', type: 'aws_vpc', identity: 'CANARY-3', tofu_estate: 'other' }],
    adoptable: [{ addr: 'aws_vpc.d', type: 'aws_vpc', identity: 'CANARY-4', matched: [] }],
    foreign: [{ type: 'aws_vpc', identity: 'vpc-1' }],
    controller_held: [{ type: 'aws_vpc', identity: 'vpc-2' }],
  },
  'a choudoufu listing': {
    estate: 'shop',
    config_dir: '.',
    items: [{ id: 'arn:x', type: 'aws_vpc', address: 'aws_vpc.a', declared: false, source: 'tagging', tags: { a: 'CANARY-1' } }],
    gaps: [{ address: 'aws_vpc.b', type: 'aws_vpc', rung: 'record', detail: 'CANARY-2' }],
  },
  'a chant live diff': {
    environment: 'p',
    lexicons: {
      aws: {
        resources: {
          missing: ['a'],
          orphan: ['b'],
          disappeared: ['c'],
          unchanged: ['d'],
          runtimeChildren: [{ name: 'e', type: 'Pod', owner: 'd' }],
          driftedSinceSnapshot: [{ name: 'f', type: 'T', changes: [{ path: 'x.y', oldValue: 'CANARY-1', newValue: { z: ['CANARY-2'] } }] }],
          unobserved: [{ name: 'g', reason: 'no-reader', detail: 'CANARY-3' }],
        },
        observed: { d: { type: 'T', attributes: { x: 'CANARY-4' } } },
        deep: {
          drifted: [{ name: 'd', type: 'T', changes: [{ path: 'p', kind: 'changed', declared: 'CANARY-5', live: 1 }] }],
          unobserved: [{ name: 'f', reason: 'filtered' }],
        },
      },
    },
  },
  'a chant component status': {
    env: 'p',
    rows: [{ component: 'web', reconciliation: 'unknown', live: true, detail: 'CANARY-1', unobserved: { reason: 'no-reader' } }],
  },
};

/** A refusal that says where, and repeats nothing; or records. Never another error. */
function outcome(input: Uint8Array): 'read' | 'refused' {
  try {
    read(input);
    return 'read';
  } catch (thrown) {
    if (!(thrown instanceof UnreadableError)) throw thrown;
    expect(thrown.message).not.toContain('CANARY');
    return 'refused';
  }
}

/** The places of a document, so many of them, spread over it. */
function placesOf(value: Json, way: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inside = isList(value)
    ? value.flatMap((item, index) => placesOf(item, [...way, index]))
    : isMap(value)
      ? Object.entries(value).flatMap(([name, held]) => placesOf(held, [...way, name]))
      : [];
  return [way, ...inside];
}

function withAt(value: Json, way: readonly (string | number)[], change: (held: Json) => unknown): unknown {
  const [step, ...rest] = way;
  if (step === undefined) return change(value);
  if (isList(value)) return value.map((item, index) => (index === step ? withAt(item, rest, change) : item));
  return Object.fromEntries(Object.entries(value as JsonMap).map(([name, held]) => [name, name === step ? withAt(held, rest, change) : held]));
}

/** What is put in the place of something: every kind of JSON, and what a mistaken tool would write. */
const swaps: readonly unknown[] = [null, true, 0, -1, 2 ** 53, 1.5, '', 'CANARY-swapped', '\0', '__proto__', [], [null], {}, { a: { b: [] } }];

const documentOf = (path: string): Json =>
  path.endsWith('.ndjson')
    ? recording(path)
        .toString()
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one) as Json)
    : recorded(path);
const written = (path: string, document: unknown): Uint8Array =>
  bytesOf(path.endsWith('.ndjson') && Array.isArray(document) ? document.map((event) => JSON.stringify(event)).join('\n') : (JSON.stringify(document) ?? ''));

describe('a malformed variant of a recording is refused or read rightly, and nothing else happens', () => {
  it.each(all)('%s, cut anywhere', (path) => {
    const bytes = recording(path);
    for (let at = 0; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 24))) {
      // Half a document is none, and half a stream has no summary; what follows the summary says nothing.
      const found = outcome(bytes.subarray(0, at));
      if (!/^\s*$|^[^\n]*"cancelEvent"[^\n]*\s*$/.test(bytes.subarray(at).toString())) expect(found).toBe('refused');
    }
  });

  it.each(oneOfEach)('%s, with something else in any place', (path) => {
    const document = documentOf(path);
    const places = placesOf(document);
    fc.assert(
      fc.property(fc.nat(places.length - 1), fc.constantFrom(...swaps), (place, swap) => {
        outcome(
          written(
            path,
            withAt(document, places[place] ?? [], () => swap),
          ),
        );
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it.each(oneOfEach)('%s, with any key left out, and any list doubled', (path) => {
    const document = documentOf(path);
    const places = placesOf(document);
    fc.assert(
      fc.property(fc.nat(places.length - 1), fc.boolean(), (place, doubled) => {
        const change = (held: Json): unknown => (doubled && isList(held) ? [...held, ...held] : undefined);
        outcome(written(path, withAt(document, places[place] ?? [], change)));
      }),
      { numRuns: 120, seed: 7 },
    );
  });

  it.each(oneOfEach)('%s, with bytes that are no text', (path) => {
    const bytes = recording(path);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.constantFrom(0xff, 0xc0, 0x80, 0x00, 0x1f), (at, byte) => {
        const broken = Buffer.from(bytes);
        broken[at] = byte;
        expect(outcome(broken)).toBe('refused');
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  it.each(oneOfEach)('%s, with a key twice', (path) => {
    const text = recording(path).toString();
    const first = /"(\w+)":/.exec(text)?.[0] ?? '';
    expect(() => read(text.replace(first, `${first}1,${first}`))).toThrow('a key stands twice');
  });
});

describe.each(Object.entries(described))('%s, malformed', (kind, document) => {
  const places = placesOf(document);

  it('is what it is called', () => {
    expect(read(document as object).kind).toBe(kind);
  });

  it('with something else in any place, any key left out, any list doubled, or cut, is refused or read rightly', () => {
    const text = JSON.stringify(document);
    for (const [index, way] of places.entries()) {
      for (const swap of swaps) outcome(bytesOf(JSON.stringify(withAt(document, way, () => swap)) ?? ''));
      outcome(bytesOf(JSON.stringify(withAt(document, way, () => undefined)) ?? ''));
      outcome(bytesOf(JSON.stringify(withAt(document, way, (held) => (isList(held) ? [...held, ...held] : held))) ?? ''));
      expect(outcome(bytesOf(text.slice(0, Math.floor((text.length * index) / places.length))))).toBe('refused');
    }
  });
});

it('a plunge stream that is cut, or whose lines change places or come twice, is refused or read rightly', () => {
  const of = { member: 'theirs', engine: 'plunge', read: 'refresh' } as const;
  const records = ['a', 'b', 'c'].map((name) =>
    driftRecord({
      ...of,
      address: `urn:pulumi:dev::p::t:m:T::${name}`,
      node: null,
      observedAt: '2026-11-30T10:00:00Z',
      status: 'in-sync',
      evidence: { command: 'CANARY' },
    }),
  );
  const text = [driftStart(of, records), ...records.map(driftLine), driftSettle(of, records)].map(encodeDriftLine);
  const whole = text.join('');
  for (let at = 0; at < whole.length; at += 7) outcome(bytesOf(whole.slice(0, at)));
  for (const first of text.keys()) {
    for (const second of text.keys()) {
      const order = text.toSpliced(first, 1, text[second] ?? '');
      if (outcome(bytesOf(order.join(''))) !== 'read') continue;
      // Whoever is expected and not told was not reached, and is never in sync.
      const told = new Set(order.flatMap((one) => /::([abc])"/.exec(one.startsWith('{"type":"drift-record"') ? one : '')?.[1] ?? []));
      for (const { address, status } of read(order.join('')).reading.records) expect(status).toBe(told.has(address.at(-1) ?? '') ? 'in-sync' : 'not-observed');
    }
  }
});

describe('what JSON can hold and a double cannot', () => {
  const drift = (before: string, after: string) =>
    `{"format_version":"1.2","resource_drift":[{"address":"x.y","mode":"managed","type":"x","change":{"actions":["update"],"before":{"n":${before}},"after":{"n":${after}}}}]}`;

  it('keeps numbers beyond 2^53 apart, and shows every digit', () => {
    const { records } = read(drift('9007199254740992', '9007199254740993'), { show: [{ type: 'x', way: ['n'] }] }).reading;
    expect(records[0]?.attributes).toEqual([{ path: 'n', before: 9007199254740992, after: '9007199254740993' }]);
    const huge = read(drift('1e999', '2e999')).reading.records[0];
    expect(huge?.attributes).toEqual([{ path: 'n' }]);
  });

  it('takes two spellings of a small number for the same', () => {
    expect(read(drift('1.0', '1')).reading.records[0]).toMatchObject({ status: 'drifted', attributesUnobserved: { reason: 'cannot-read' } });
  });
});

describe('where it stops being a document', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each([
    ['nothing', '', 'it is empty'],
    ['nothing but space', ' \n\t ', 'it is empty'],
    ['a text that is no JSON', 'Error: CANARY went wrong', 'line 1, column 1'],
    ['a list', '[]', 'no map'],
    ['a lone word', 'null', 'no map'],
    ['JSON of some other kind', '{"CANARY":1}', 'no kind that a reader knows'],
    ['half a character', '{"format_version":"\\ud800"}', 'half a character, on line 1, column 19'],
    ['a control character', '{\n"format_version":"\u0001"}', 'control character stands in a text, on line 2, column 19'],
    ['an escape of another language', '{"a":"\\x41"}', 'column 7'],
    ['a comma too many', '{"a":1,}', 'a key is missing, on line 1, column 8'],
    ['a number of another language', '{"a":01}', 'column 7'],
    ['a mark of the end of a file', '{"a":1}\0', 'something follows'],
    ['too deep', nested(deepest + 2), `deeper than ${deepest}`],
    ['much too deep', nested(100_000), `deeper than ${deepest}`],
  ])('%s', (_, text, where) => {
    expect(() => read(text)).toThrow(where);
    expect(() => read(text)).not.toThrow('CANARY');
  });

  it.each([
    ['UTF-16, as PowerShell writes it', Buffer.from('\ufeff{"format_version":"1.0"}', 'utf16le'), 'UTF-16'],
    ['Latin-1', Buffer.from('{\n"caf\u00e9":1}', 'latin1'), 'on line 2'],
  ])('%s', (_, bytes, where) => {
    expect(() => read(bytes)).toThrow(where);
  });

  it('refuses what is too large before it reads it', () => {
    expect(() => read(new Uint8Array(129 * 1024 * 1024))).toThrow('larger than 128 MiB');
  });

  it('takes a mark of the byte order, and ends of lines of either kind', () => {
    expect(read('\ufeff{\r\n"format_version": "1.0",\r\n"values": null}\r\n').reading.records).toEqual([]);
    expect(read(recording('pulumi/refresh-clean.ndjson').toString().replaceAll('\n', '\r\n')).reading.records).toHaveLength(6);
  });
});
