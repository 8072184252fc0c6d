import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSearch } from '../../../test/canaries/search.ts';
import { canaries } from '../../../test/canaries/values.ts';
import { problemOf } from '../../errors/error.ts';
import { fingerprintKey } from '../../secrets/keys.ts';
import { driftDocument } from '../document.ts';
import { driftLine, encodeDriftLine } from '../stream.ts';
import { isList, isMap, type Json } from './json.ts';
import { bytesOf, read, recorded, recording } from './reader.fixture.ts';
import type { Shown } from './show.ts';

const folder = new URL('../../../test/recordings/', import.meta.url);
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:json|ndjson)$/.test(path))
  .sort();
const key = fingerprintKey('a key of more than thirty-two characters');

/** Every attribute of every type in the recordings, and then some. */
const everything: readonly Shown[] = [
  'terraform_data',
  'restapi_object',
  'local_file',
  'local_sensitive_file',
  'pulumi-nodejs:dynamic:Obj',
  'demo:index:Group',
  'aws:s3/bucket:Bucket',
  'aws:rds/instance:Instance',
].flatMap((type) =>
  [
    'input',
    'output',
    'triggers_replace',
    'id',
    'api_data',
    'api_response',
    'create_response',
    'data',
    'content',
    'content_base64',
    'filename',
    'name',
    'kind',
    'key',
    'password',
    'title',
    'acl',
    'ports',
    'tags',
    'replicas',
  ].map((attribute) => ({ type, way: [attribute] })),
);

const modes = [{ show: [] }, { show: everything }, { show: [], key }, { show: everything, key }] as const;

/** All that may ever be written of an input: the document, the stream, what is said beside it; or the refusal. */
function told(input: Uint8Array, mode: (typeof modes)[number]): string[] {
  try {
    const { reading, kind } = read(input, mode);
    return [JSON.stringify(driftDocument(reading.records)), ...reading.records.map((record) => encodeDriftLine(driftLine(record))), ...reading.notes, kind];
  } catch (thrown) {
    return [JSON.stringify(problemOf(thrown)), String(thrown)];
  }
}

describe('nothing that is secret comes out (I1, R2.15, R3.9)', () => {
  it.each(all)('of %s, in any mode and any spelling', (path) => {
    const bytes = recording(path);
    const search = openSearch();
    for (const value of new Set(bytes.toString().match(/CANARY-[A-Za-z0-9-]+/g) ?? [])) search.learn(value, value);
    for (const mode of modes) expect(search.look(path, told(bytes, mode))).toEqual([]);
  });

  it('shows what the list names and nobody marks, so that the search is no search of nothing', () => {
    const shown = told(recording('terraform-drift/plan-drift.json'), { show: everything }).join('');
    expect(shown).toContain('edited-by-hand');
    expect(told(recording('terraform-drift/plan-drift.json'), { show: [], key }).join('')).not.toContain('edited-by-hand');
    expect(told(recording('pulumi/refresh-drift.ndjson'), { show: everything }).join('')).toContain('edited-by-hand');
  });
});

/** Where a tool writes values: the marks, the names and the addresses beside them stay what they are. */
const holders = new Set(['before', 'after', 'values', 'value', 'outputs', 'inputs', 'config', 'default', 'constant_value', 'message', 'importing', 'id']);

function planted(value: Json, plant: () => string, within = false): Json {
  if (isList(value)) return value.map((item) => planted(item, plant, within));
  if (isMap(value)) {
    // `values` of a state's root holds modules and `value` of a change holds its sides: only the leaves below an attribute are planted.
    const inside = (name: string) => within || (holders.has(name) && !(isMap(value[name]) && 'root_module' in value[name]));
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, planted(held, plant, inside(name))]));
  }
  return within && typeof value === 'string' ? plant() : value;
}

const documents = all.filter((path) => path.endsWith('.json') && path !== 'pulumi/up.json');

describe('a canary in every place of an attribute', () => {
  it.each(documents)('%s', (path) => {
    const search = openSearch();
    let count = 0;
    const document = planted(recorded(path), () => {
      const value = `CANARY-planted-${count++}-${path.length}`;
      return value;
    });
    search.learn('planted', 'CANARY-planted-');
    expect(count).toBeGreaterThan(0);
    expect(search.look(path, told(bytesOf(document as object), { show: [] }))).toEqual([]);
    expect(search.look(path, told(bytesOf(document as object), { show: [], key }))).toEqual([]);
  });

  it.each(canaries.filter(({ isWord }) => isWord !== true))('$name, marked once, in no other place of the same document', ({ value }) => {
    const search = openSearch();
    search.learn('it', value);
    const change = (before: object, after: object, before_sensitive: object, after_sensitive: object) => ({
      actions: ['update'],
      before,
      after,
      before_sensitive,
      after_sensitive,
    });
    const row = (name: string, change_: object) => ({ address: `terraform_data.${name}`, mode: 'managed', type: 'terraform_data', name, change: change_ });
    const document = {
      format_version: '1.2',
      resource_drift: [
        // As the tool does: `output` repeats `input`, and the mark stands at `input` alone.
        row(
          'tenant',
          change({ input: { note: value }, output: { note: 'was' } }, { input: { note: 'is' }, output: { note: value } }, { input: { note: true } }, {}),
        ),
        row('other', change({ input: `around ${value} it`, output: 'x' }, { input: 'y', output: [value] }, {}, {})),
        // A name keeps what is short: names come from sources that people read (masking.ts).
        ...(value.length < 8 ? [] : [row('keys', change({ input: {} }, { input: { [value]: 1, plain: 1 } }, {}, {}))]),
      ],
    };
    const show = [
      { type: 'terraform_data', way: ['input'] },
      { type: 'terraform_data', way: ['output'] },
    ];
    const output = told(bytesOf(document), { show, key } as (typeof modes)[number]);
    expect(search.look('output', output)).toEqual([]);
    expect(output.join('')).toContain('"path":"output.note"');
  });

  it('masks the leaves of a marked value that is itself JSON (terraform-drift)', () => {
    const change = {
      actions: ['update'],
      before: { data: '{"pin":"CANARY-leaf-of-json","n":[7391846205]}', copy: 'a', pin: 1 },
      after: { data: '', copy: 'CANARY-leaf-of-json', pin: 7391846205 },
      before_sensitive: { data: true },
      after_sensitive: {},
    };
    const document = { format_version: '1.2', resource_drift: [{ address: 'x.y', mode: 'managed', type: 'x', change }] };
    const { records } = read(document, { show: ['data', 'copy', 'pin'].map((name) => ({ type: 'x', way: [name] })) }).reading;
    expect(records[0]?.attributes).toEqual([
      { path: 'copy', sensitive: true },
      { path: 'data', sensitive: true },
      { path: 'pin', sensitive: true },
    ]);
  });

  it('is in no instance key either, and two keys that carried one stay two', () => {
    const secrets = ['CANARY-key-one-77aa', 'CANARY-key-two-88bb'];
    const row = (key: string) => ({
      address: `module.m["${key}"].x.y["${key}"]`,
      mode: 'managed',
      type: 'x',
      change: { actions: ['delete'], before: {}, after: null },
    });
    const outputs = Object.fromEntries(
      secrets.map((before, index) => [`o${index}`, { actions: ['no-op'], before, after: before, before_sensitive: true, after_sensitive: true }]),
    );
    const { records } = read({ format_version: '1.2', resource_drift: secrets.map(row), output_changes: outputs }).reading;
    expect(JSON.stringify(records)).not.toContain('CANARY');
    expect(new Set(records.map(({ address }) => address)).size).toBe(2);
    expect(driftDocument(records).counts.missing).toBe(2);
  });

  it('knows the variables that the configuration calls sensitive, and their defaults', () => {
    const change = {
      actions: ['update'],
      before: { a: 'CANARY-of-a-variable', b: 'x' },
      after: { a: 'y', b: 'CANARY-of-a-default' },
      before_sensitive: {},
      after_sensitive: {},
    };
    const document = {
      format_version: '1.2',
      variables: { password: { value: 'CANARY-of-a-variable' }, title: { value: 'y' } },
      resource_drift: [{ address: 'x.y', mode: 'managed', type: 'x', change }],
      configuration: { root_module: { variables: { password: { sensitive: true, default: 'CANARY-of-a-default' }, title: {} } } },
    };
    const show = [
      { type: 'x', way: ['a'] },
      { type: 'x', way: ['b'] },
    ];
    expect(read(document, { show }).reading.records[0]?.attributes).toEqual([
      { path: 'a', sensitive: true },
      { path: 'b', sensitive: true },
    ]);
  });

  it('tells by fingerprints that a value that is not shown changed again, and nothing else of it', () => {
    const attributesWith = (after: string) => {
      const change = { actions: ['update'], before: { note: 'a' }, after: { note: after }, before_sensitive: {}, after_sensitive: {} };
      return read({ format_version: '1.2', resource_drift: [{ address: 'x.y', mode: 'managed', type: 'x', change }] }, { key }).reading.records[0]
        ?.attributes?.[0];
    };
    const [one, again, other] = [attributesWith('b'), attributesWith('b'), attributesWith('c')];
    expect(one).toEqual(again);
    expect(one).toMatchObject({ path: 'note', fingerprints: { key: key.id } });
    expect(one?.fingerprints?.before).toBe(other?.fingerprints?.before);
    expect(one?.fingerprints?.after).not.toBe(other?.fingerprints?.after);
    expect(Object.keys(one ?? {}).sort()).toEqual(['fingerprints', 'path']);
  });
});
