import { describe, expect, it } from 'vitest';
import { event, line, preview, recording, root, stream, summary, urn } from './pulumi.fixture.ts';

const lines = (output: Uint8Array, saved?: Uint8Array): string[] => preview(output, {}, saved).changes.map(line);

describe('a preview of Pulumi', () => {
  it.each([
    ['preview-noop.json', []],
    ['preview-over-drift.json', []],
    [
      'preview-refresh.json',
      [
        'update demo:index:Group$pulumi-nodejs:dynamic:Obj::grp-child kind',
        'update pulumi-nodejs:dynamic:Obj::alpha name',
        'create pulumi-nodejs:dynamic:Obj::beta.v2',
        'update pulumi-nodejs:dynamic:Obj::secretive',
      ],
    ],
    [
      'preview-drift-and-change.json',
      [
        'update demo:index:Group$pulumi-nodejs:dynamic:Obj::grp-child kind',
        'update pulumi-nodejs:dynamic:Obj::alpha name',
        'create pulumi-nodejs:dynamic:Obj::beta.v2',
        'update pulumi-nodejs:dynamic:Obj::secretive title',
      ],
    ],
    [
      'preview-replace.ndjson',
      [
        'delete+create pulumi-nodejs:dynamic:Obj::alpha id!',
        'update pulumi-nodejs:dynamic:Obj::beta.v2 size',
        'delete+create pulumi-nodejs:dynamic:Obj::secretive id!',
      ],
    ],
  ] as const)('as recorded in %s', (name, expected) => {
    expect(lines(recording(name))).toEqual(expected);
  });

  it('as one document does not say how a replacement is made: the saved plan does, and without it nothing is guessed', () => {
    const document = JSON.parse(recording('preview-replace.json').toString());
    document.steps = document.steps.filter((step: { urn: string; op: string }) => step.op !== 'replace' || step.urn.endsWith('::alpha'));
    document.changeSummary.replace = 1;
    const alone = Buffer.from(JSON.stringify(document));
    expect(() => lines(alone)).toThrow('does not say in which order');
    const saved = {
      manifest: {},
      resourcePlans: { 'urn:pulumi:dev::drift-demo::pulumi-nodejs:dynamic:Obj::alpha': { steps: ['delete-replaced', 'replace', 'create-replacement'] } },
    };
    expect(lines(alone, Buffer.from(JSON.stringify(saved)))[0]).toBe('delete+create pulumi-nodejs:dynamic:Obj::alpha id!');
  });

  it('tells the stream and the document of one preview alike, fingerprints included, though they write a secret in two ways', () => {
    const [streamed, whole] = [preview(recording('preview-replace.ndjson')), preview(recording('preview-replace.json'), {}, recordedPlan())];
    expect(whole.changes).toEqual(streamed.changes);
  });

  it('keeps both orders of a replacement apart', () => {
    const [old, now] = [{ inputs: { size: 1 } }, { inputs: { size: 2 } }];
    const parts = (...ops: readonly string[]) =>
      stream(...ops.map((op) => event('begun', op, urn('a'), old, op === 'delete-replaced' ? undefined : now)), summary({ replace: 1 }));
    expect(lines(parts('create-replacement', 'replace', 'delete-replaced'))).toEqual(['create+delete aws:s3/bucket:Bucket::a size']);
    expect(lines(parts('delete-replaced', 'replace', 'create-replacement'))).toEqual(['delete+create aws:s3/bucket:Bucket::a size']);
  });

  it.each([
    ['a read', [event('begun', 'read', urn('a'), undefined, {})], ['read aws:s3/bucket:Bucket::a']],
    ['an import', [event('begun', 'import', urn('a'), {}, {})], ['import aws:s3/bucket:Bucket::a']],
    ['a resource that is kept when it is deleted', [event('begun', 'delete', urn('a'), { retainOnDelete: true })], ['forget aws:s3/bucket:Bucket::a']],
    ['what was read and is no longer asked for', [event('begun', 'discard', urn('a'), {})], ['forget aws:s3/bucket:Bucket::a']],
    [
      'a resource under another name',
      [event('begun', 'same', urn('b'), { urn: urn('a') }, {})],
      ['none aws:s3/bucket:Bucket::b (was aws:s3/bucket:Bucket::a)'],
    ],
    [
      'what an earlier replacement left behind',
      [event('begun', 'same', urn('a'), {}, {}), event('begun', 'delete-replaced', urn('a'), { id: 'old', delete: true })],
      ['delete aws:s3/bucket:Bucket::a (deposed cba06b57)'],
    ],
    [
      'a replacement beside what an earlier one left behind',
      [
        event('begun', 'create-replacement', urn('a'), { id: 'i' }, {}),
        event('begun', 'replace', urn('a'), { id: 'i' }, {}),
        event('begun', 'delete-replaced', urn('a'), { id: 'i' }),
        event('begun', 'delete-replaced', urn('a'), { id: 'old', delete: true }),
      ],
      ['create+delete aws:s3/bucket:Bucket::a', 'delete aws:s3/bucket:Bucket::a (deposed cba06b57)'],
    ],
    ['a resource whose name holds dots and colons', [event('begun', 'create', urn('a.b::c.v2'), undefined, {})], ['create aws:s3/bucket:Bucket::a.b::c.v2']],
    ['the stack itself', [event('begun', 'create', root, undefined, {})], []],
    [
      'outputs of the stack',
      [event('begun', 'same', root, {}, {}), event('ended', 'same', root, { outputs: { url: 'a', gone: 1 } }, { outputs: { url: 'b', fresh: 1 } })],
      ['create output.fresh', 'delete output.gone', 'update output.url'],
    ],
    ['a component', [event('begun', 'create', urn('g', 'shop:index:Group'), undefined, {})], ['create shop:index:Group::g']],
  ])('names %s', (_, events, expected) => {
    expect(lines(stream(...events, summary({})))).toEqual(expected);
  });

  it.each([
    ['an operation that is not known', stream(event('begun', 'transmute', urn('a'), {}, {}), summary({})), '`transmute` is no operation that is known'],
    [
      'a resource of which two things are said',
      stream(event('begun', 'create', urn('a'), undefined, {}), event('begun', 'create', urn('a'), undefined, {}), summary({})),
      'two things are said',
    ],
    ['a stream that was cut', stream(event('begun', 'create', urn('a'), undefined, {})), 'no summary'],
    ['R2.13: a summary that counts more than its events', stream(event('begun', 'update', urn('a'), {}, {}), summary({ update: 2 })), 'counts more'],
    ['a summary of a preview that failed', stream(summary({}, { result: 'failed' })), 'it failed'],
    ['a state that may be damaged', stream(summary({}, { maybeCorrupt: true })), 'may be damaged'],
    ['a line that is no event', Buffer.from('Previewing update (dev)\n'), 'no JSON value'],
    ['half a line', Buffer.from('{"sequence":1,\n'), 'ends in the middle'],
    ['what has no URN', stream({ resourcePreEvent: { metadata: { op: 'create', urn: 'bucket', old: null, new: null } } }, summary({})), 'URN'],
  ])('refuses %s', (_, output, says) => {
    expect(() => lines(output)).toThrow(says);
  });

  it('names paths as the provider does where it does, those that replace marked; else where what is asked for differs', () => {
    const detailedDiff = { 'tags.Name': { diffKind: 'update', inputDiff: true }, 'list[0].x': { diffKind: 'add-replace' } };
    const [old, now] = [{ inputs: { a: 1, b: { c: [1, 2] } } }, { inputs: { a: 1, b: { c: [1, 3] } } }];
    expect(lines(stream(event('begun', 'update', urn('a'), old, now, { detailedDiff }), summary({})))).toEqual([
      'update aws:s3/bucket:Bucket::a list[0].x! tags.Name',
    ]);
    expect(lines(stream(event('begun', 'update', urn('a'), old, now), summary({})))).toEqual(['update aws:s3/bucket:Bucket::a b.c[1]']);
    expect(lines(stream(event('begun', 'update', urn('a'), old, now, { diffs: ['b'] }), summary({})))).toEqual(['update aws:s3/bucket:Bucket::a b']);
  });

  it('fingerprints what is there and what is to be; a secret counts as a secret, whatever it is', () => {
    const secret = (ciphertext: string) => ({ '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', ciphertext });
    const of = (old: object, now: object) => preview(stream(event('begun', 'update', urn('a'), old, now), summary({}))).changes[0];
    const first = of({ outputs: { size: 1 } }, { inputs: { size: 2, password: secret('[secret]') } });
    expect(of({ outputs: { size: 1 } }, { inputs: { size: 2, password: '[secret]' } })).toEqual(first);
    expect(of({ outputs: { size: 9 } }, { inputs: { size: 2, password: '[secret]' } })?.before).not.toEqual(first?.before);
    expect(of({ outputs: { size: 1 } }, { inputs: { size: 3, password: '[secret]' } })?.after).not.toEqual(first?.after);
    expect(of({ id: 'other', outputs: { size: 1 } }, { inputs: { size: 2, password: '[secret]' } })?.before).not.toEqual(first?.before);
  });

  it('shows the values of listed attributes, and never one that is or holds a secret, or has the name of one', () => {
    const old = { inputs: {}, outputs: { size: 1, user: { name: 'a', db_password: 'CANARY-1' }, url: 'a', key: '[secret]' } };
    const now = { inputs: { size: 2, user: { name: 'b', db_password: 'CANARY-2' }, url: 'https://x:CANARY-3@host', key: 'CANARY-4' } };
    const show = ['size', 'user', 'user.name', 'user.db_password', 'url', 'key', 'same'].map((path) => `aws:s3/bucket:Bucket#${path}`);
    const { changes } = preview(stream(event('begun', 'update', urn('a'), old, now), summary({})), { show });
    expect(changes[0]?.shown).toEqual([
      { path: 'size', before: 1, after: 2 },
      { path: 'user.name', before: 'a', after: 'b' },
    ]);
    expect(JSON.stringify(changes)).not.toContain('CANARY');
  });

  it('shows no value that is known only when it is applied', () => {
    const now = { inputs: { size: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' } };
    const { changes } = preview(stream(event('begun', 'update', urn('a'), { outputs: { size: 1 } }, now), summary({})), {
      show: ['aws:s3/bucket:Bucket#size'],
    });
    expect(changes[0]?.shown).toEqual([{ path: 'size', before: 1 }]);
  });

  it('tells no value of a recording but in fingerprints', () => {
    for (const name of ['preview-replace.ndjson', 'preview-drift-and-change.json', 'preview-refresh.json']) {
      const text = JSON.stringify(preview(recording(name)).changes);
      for (const value of ['edited-by-hand', '"first"', '"two"', 'CANARY', 'program text']) expect(text).not.toContain(value);
    }
  });
});

/** The saved plan of the recording is of another preview: the order for each replacement of this one. */
function recordedPlan(): Buffer {
  const steps = ['delete-replaced', 'replace', 'create-replacement'];
  const names = ['alpha', 'secretive'].map((name) => `urn:pulumi:dev::drift-demo::pulumi-nodejs:dynamic:Obj::${name}`);
  return Buffer.from(JSON.stringify({ manifest: {}, resourcePlans: Object.fromEntries(names.map((name) => [name, { steps }])) }));
}
