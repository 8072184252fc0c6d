import { describe, expect, it } from 'vitest';
import type { Json } from '../../drift/readers/json.ts';
import { whole } from '../../drift/readers/place.ts';
import { differsFrom } from './differs.ts';
import type { Exported } from './exported.ts';
import { doneOf, exportedState, managedIn } from './exported.ts';
import { previewOutput } from './preview.ts';
import { event, type Held, recording, root, stream, summary, urn } from './pulumi.fixture.ts';
import { stateAt } from './state.ts';
import { readUpdate } from './update.ts';

const read = (output: Uint8Array) => {
  const reader = readUpdate(() => undefined);
  for (const line of Buffer.from(output).toString('utf8').split('\n')) reader.take(line);
  return reader.sofar();
};
const updating = (changes: Readonly<Record<string, number>>) => summary(changes, { isPreview: false });
const stepsIn = (...events: readonly object[]) => previewOutput(stream(...events, summary({}))).steps;
const endedIn = (...events: readonly object[]) => read(stream(...events.flatMap((one) => [begunOf(one), one]))).done;
const begunOf = (ended: object): object => ({ resourcePreEvent: (ended as { resOutputsEvent: object }).resOutputsEvent });
const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

describe('what an update wrote', () => {
  it('is read as it was recorded: a document of its preview, and events over many lines', () => {
    const output = read(recording('up.json'));
    expect(output).toMatchObject({ wrote: true, unread: false, summary: { failed: false } });
    expect(output.done.filter(({ op }) => op !== 'same').map(({ op, urn: of }) => `${op} ${of.split('::').at(-1)}`)).toEqual(['update secretive']);
    expect([...output.failed]).toEqual([]);
  });

  it.each(['up-violates-plan.json', 'up-secret-moved.json', 'up-plan-already-applied.json'])(
    'that was refused in its preview, as in %s, has written nothing',
    (name) => {
      expect(read(recording(name))).toMatchObject({ wrote: false, done: [], said: [{ severity: 'error' }] });
    },
  );

  it('is not kept in memory without bound: a value that does not end is let go of', () => {
    const reader = readUpdate(() => undefined);
    const line = `{"a":"${'x'.repeat(1_000_000)}",`;
    for (let at = 0; at < 40; at++) reader.take(line);
    expect(reader.sofar()).toMatchObject({ unread: true, wrote: true });
  });

  it('names what failed, and what had begun and not ended; a look is nothing that was written', () => {
    const output = read(
      stream(
        event('begun', 'same', urn('s'), {}, {}),
        event('begun', 'read', urn('r'), undefined, {}),
        event('begun', 'create', urn('a'), undefined, {}),
        event('ended', 'create', urn('a'), undefined, {}),
        event('begun', 'create', urn('b'), undefined, {}),
        { resOpFailedEvent: { metadata: { op: 'create', urn: urn('b') }, status: 0, steps: 1 } },
        event('begun', 'update', urn('c'), {}, {}),
      ),
    );
    expect([...output.failed]).toEqual([urn('b'), urn('c')]);
    expect(output).toMatchObject({ wrote: true, summary: undefined });
    expect(read(stream(event('begun', 'same', urn('s'), {}, {}), event('begun', 'read', urn('r'), undefined, {})))).toMatchObject({ wrote: false });
  });

  it('leaves a preview out that is told as a stream', () => {
    const planning = (one: object) =>
      Object.fromEntries(Object.entries(one).map(([key, body]) => [key, typeof body === 'object' ? { ...body, planning: true } : body]));
    const events = [event('begun', 'create', urn('a'), undefined, {}), event('ended', 'create', urn('a'), undefined, {})];
    expect(read(stream(...events.map(planning), summary({ create: 1 })))).toMatchObject({ wrote: false, done: [], summary: undefined, unread: false });
  });

  it('leaves the refresh before an update out, whatever it found', () => {
    const output = read(
      stream(
        event('begun', 'refresh', urn('a'), {}, {}),
        event('ended', 'update', urn('a'), {}, {}),
        event('begun', 'refresh', urn('b'), {}, {}),
        event('ended', 'delete', urn('b'), {}),
        event('begun', 'update', urn('a'), {}, {}),
        event('ended', 'update', urn('a'), {}, {}),
        updating({ update: 1 }),
      ),
    );
    expect(output.done.map(({ op, urn: of }) => `${op} ${of}`)).toEqual([`update ${urn('a')}`]);
    expect(output.unread).toBe(false);
  });

  it.each([
    ['a line that is no event', Buffer.from('error: panic\n')],
    ['R2.13: a summary that counts more than its events', stream(updating({ create: 1 }))],
    ['an event without a URN', stream({ resourcePreEvent: { metadata: { op: 'create', urn: 'x', old: null, new: null } } })],
  ])('is not gone by with %s, and what it did has to be looked for', (_, output) => {
    expect(read(output)).toMatchObject({ unread: true, wrote: true });
  });
});

describe('what an update did beside what was foretold', () => {
  const foretold = stepsIn(
    event('begun', 'create', urn('a'), undefined, { inputs: { size: 1, of: unknown, tags: [unknown, 'x'] } }),
    event('begun', 'update', urn('b'), { inputs: { size: 1 } }, { inputs: { size: 2 } }),
    event('begun', 'same', urn('c'), {}, {}),
    event('begun', 'same', root, {}, {}),
  );

  it.each([
    [
      'nothing, where every value came true',
      [event('ended', 'create', urn('a'), undefined, { inputs: { size: 1, of: 'id-7', tags: [3, 'x'] } }), event('ended', 'same', urn('c'), {}, {})],
      [],
    ],
    ['another value', [event('ended', 'create', urn('a'), undefined, { inputs: { size: 9, of: 'id-7', tags: [3, 'x'] } })], [urn('a')]],
    ['one value more', [event('ended', 'create', urn('a'), undefined, { inputs: { size: 1, of: 'id-7', tags: [3, 'x'], more: 1 } })], [urn('a')]],
    ['another operation', [event('ended', 'delete', urn('b'), { inputs: { size: 1 } })], [urn('b')]],
    ['something that nobody foretold', [event('ended', 'update', urn('c'), {}, {}), event('ended', 'create', urn('d'), undefined, {})], [urn('c'), urn('d')]],
    ['no look at what is there', [event('ended', 'read', urn('e'), undefined, {}), event('ended', 'update', root, {}, {})], []],
  ])('is %s', (_, events, expected) => {
    expect(differsFrom(foretold, endedIn(...events))).toEqual(expected);
  });
});

describe('what is done of an update that broke off', () => {
  const resource = (of: string, held: Held = {}) => stateAt(whole({ urn: of, id: 'i', custom: true, inputs: {}, outputs: {}, ...held } as unknown as Json));
  const state = (...resources: readonly ReturnType<typeof resource>[]): Exported => ({ resources: resources.flatMap((one) => one ?? []), pending: new Set() });
  const created = stepsIn(event('begun', 'create', urn('a'), undefined, { inputs: { size: 1 } }));
  const updated = stepsIn(event('begun', 'update', urn('a'), { inputs: { size: 1 }, outputs: { size: 1 } }, { inputs: { size: 2 } }));
  const deleted = stepsIn(event('begun', 'delete', urn('a'), { id: 'i' }));
  const replaced = stepsIn(
    ...['create-replacement', 'replace', 'delete-replaced'].map((op) =>
      event('begun', op, urn('a'), { id: 'i', inputs: { key: 1 } }, op === 'delete-replaced' ? undefined : { inputs: { key: 2 } }),
    ),
  );

  it.each([
    ['a create that is in the state', created, state(resource(urn('a'), { inputs: { size: 1 } })), true],
    ['a create that is not', created, state(), false],
    ['a create whose operation was cut off', created, { ...state(resource(urn('a'), { inputs: { size: 1 } })), pending: new Set([urn('a')]) }, false],
    ['an update that the state shows', updated, state(resource(urn('a'), { inputs: { size: 2 }, outputs: { size: 2 } })), true],
    ['an update that it does not', updated, state(resource(urn('a'), { inputs: { size: 1 }, outputs: { size: 1 } })), false],
    ['a deletion', deleted, state(), true],
    ['a deletion that has not been', deleted, state(resource(urn('a'))), false],
    ['a replacement that is whole', replaced, state(resource(urn('a'), { id: 'j', inputs: { key: 2 } })), true],
    [
      'half a replacement, the old one still there',
      replaced,
      state(resource(urn('a'), { id: 'j', inputs: { key: 2 } }), resource(urn('a'), { delete: true })),
      false,
    ],
  ])('by the state: %s', (_, foretold, now, is) => {
    expect(doneOf(foretold, [], now)).toEqual(is ? { done: [urn('a')], notDone: [] } : { done: [], notDone: [urn('a')] });
  });

  it('by what the update said, where the state cannot be read or tells no difference', () => {
    const told = endedIn(event('ended', 'create', urn('a'), undefined, { inputs: { size: 1 } }));
    expect(doneOf(created, told, undefined)).toMatchObject({ done: [urn('a')] });
    expect(doneOf(created, [], undefined)).toMatchObject({ notDone: [urn('a')] });
    const same = stepsIn(event('begun', 'update', urn('a'), { inputs: { password: '[secret]' } }, { inputs: { password: '[secret]' } }));
    const there = state(resource(urn('a'), { inputs: { password: '[secret]' } }));
    expect(doneOf(same, [], there)).toMatchObject({ notDone: [urn('a')] });
    expect(doneOf(same, endedIn(event('ended', 'update', urn('a'), {}, {})), there)).toMatchObject({ done: [urn('a')] });
  });

  it('takes from an export what is managed: neither the stack, nor providers, nor what was left behind', () => {
    const of = (name: string, more: object = {}) => ({ urn: urn(name), type: 'aws:s3/bucket:Bucket', custom: true, ...more });
    const resources = [{ urn: root }, { urn: urn('default', 'pulumi:providers:aws') }, of('a'), of('b', { delete: true })];
    const exported = exportedState({ version: 3, deployment: { resources, pending_operations: [{ resource: of('a'), type: 'creating' }] } } as unknown as Json);
    expect(managedIn(exported)).toEqual([urn('a')]);
    expect([...exported.pending]).toEqual([urn('a')]);
    expect(managedIn(exportedState({ version: 3 }))).toEqual([]);
  });
});

describe('no output of Pulumi, cut anywhere,', () => {
  it('makes a reader fail but as one that cannot be read', () => {
    for (const name of ['preview-replace.ndjson', 'preview-replace.json', 'up.json']) {
      const bytes = recording(name);
      for (let end = 1; end < bytes.length; end += 997) {
        const cut = bytes.subarray(0, end);
        expect(() => read(cut)).not.toThrow();
        try {
          previewOutput(cut);
        } catch (thrown) {
          expect((thrown as Error).name, (thrown as Error).stack ?? '').toBe('LockkeeperError');
        }
      }
    }
  });
});
