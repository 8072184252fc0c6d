import { describe, expect, it } from 'vitest';
import { driftRecord } from '../drift-record.ts';
import { driftLine, driftSettle, driftStart, encodeDriftLine } from '../stream.ts';
import { readPlungeResource } from './plunge-stream.ts';
import { bytesOf, context, line, lines, read } from './reader.fixture.ts';

/**
 * Readers from description: of these tools there is no recording. The examples are made by hand in the field names that the tools publish.
 */
const bound = (addr: string, source: string, type = addr.split('.')[0]) => ({ addr, type, identity: `id-of-${addr}`, source });
const omitted = (addr: string, reason: string) => ({ addr, reason, detail: 'CANARY-detail-of-an-omission' });
const livePlan = (more: object = {}) => ({
  estate: 'shop-production',
  choudoufu_version: '0.15.0',
  upstream_version: '1.13.0-dev',
  bound: [],
  omissions: [],
  unowned: [],
  diagnostics: [{ severity: 'warning', summary: 'CANARY-summary', detail: 'CANARY-detail-of-a-warning' }],
  ...more,
});

describe('choudoufu live-plan (R3.19)', () => {
  it.each([
    ['nothing at all', {}, []],
    ['no lists, as Go writes them', { bound: null, omissions: null, unowned: null }, []],
    [
      'what is bound, however it was found',
      {
        bound: [
          bound('aws_vpc.main', 'marker'),
          bound('aws_eip.pool[1]', 'record'),
          bound('aws_s3_bucket.logs["a.b"]', 'derived'),
          bound('aws_eip.x', 'cache'),
        ],
      },
      ['in-sync aws_eip.pool[1]', 'in-sync aws_eip.x', 'in-sync aws_s3_bucket.logs["a.b"]', 'in-sync aws_vpc.main'],
    ],
    [
      'what is there and not ours, told by omission and by row',
      {
        omissions: [omitted('aws_log.free', 'UNOWNED'), omitted('aws_log.held', 'UNOWNED')],
        unowned: [
          { addr: 'aws_log.free', type: 'aws_log', identity: '/free', adopt_tofu_estate: 'shop-production', adopt_tofu_address: 'aws_log.free' },
          { addr: 'aws_log.held', type: 'aws_log', identity: '/held', tofu_estate: 'other' },
        ],
      },
      ['unclaimed aws_log.free', 'unclaimed aws_log.held'],
    ],
    [
      'what is not there, and what could not be told',
      {
        omissions: [
          omitted('aws_a.absent', 'ABSENT'),
          omitted('aws_a.unimportable', 'VERIFIED_NOT_IMPORTABLE'),
          omitted('aws_a.elsewhere', 'OUT_OF_SCOPE'),
          omitted('aws_a.undiscovered', 'NEEDS_DISCOVERY'),
          omitted('aws_a.later', 'SOMETHING_NEW'),
        ],
      },
      [
        'not-observed aws_a.elsewhere (filtered)',
        'not-observed aws_a.later (read-failed)',
        'not-observed aws_a.undiscovered (not-reached)',
        'not-observed aws_a.unimportable (read-failed)',
        'pending aws_a.absent',
      ],
    ],
    [
      'what matches by its content alone',
      { omissions: [omitted('aws_vpc.main', 'NEEDS_DISCOVERY')], adoptable: [{ addr: 'aws_vpc.main', type: 'aws_vpc', identity: 'vpc-1', matched: [] }] },
      ['unclaimed aws_vpc.main'],
    ],
    [
      'what nobody declares, and what a controller holds',
      {
        foreign: [{ type: 'aws_s3_bucket', identity: 'somebody-elses' }],
        controller_held: [
          { type: 'aws_s3_bucket', identity: 'made-by-ack', controller: 'ACK' },
          { addr: 'aws_s3_bucket.gone', type: 'aws_s3_bucket', identity: 'x' },
        ],
      },
      ['runtime aws_s3_bucket.gone', 'runtime aws_s3_bucket["made-by-ack"]', 'undeclared aws_s3_bucket["somebody-elses"]'],
    ],
  ])('%s', (_, more, expected) => {
    const output = read(livePlan(more));
    expect(lines(output)).toEqual(expected);
    expect(output).toMatchObject({ kind: 'a choudoufu live plan', reading: { engine: 'choudoufu', read: 'ownership' } });
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it('keeps whose it is, by what that is known, and the engine’s own word (R3.6, R3.7)', () => {
    const unowned = [
      { addr: 'aws_log.free', type: 'aws_log', identity: '/free', adopt_tofu_estate: 'shop-production' },
      { addr: 'aws_log.held', type: 'aws_log', identity: '/held', tofu_estate: 'other' },
      { addr: 'aws_log.odd', type: 'aws_log', identity: '/odd' },
    ];
    const { records } = read(livePlan({ bound: [bound('aws_vpc.main', 'marker'), bound('aws_vpc.old', 'record')], unowned })).reading;
    expect(Object.fromEntries(records.map(({ address, ownership }) => [address, ownership]))).toEqual({
      'aws_vpc.main': { verdict: 'owned', by: 'marker', markerOnObject: true },
      'aws_vpc.old': { verdict: 'owned', by: 'record', markerOnObject: false },
      'aws_log.free': { verdict: 'adoptable', by: 'marker', markerOnObject: false, adopt: true },
      'aws_log.held': { verdict: 'foreign', by: 'marker', markerOnObject: true, ownedBy: 'other' },
      'aws_log.odd': { verdict: 'unknown', by: 'marker', markerOnObject: false, adopt: false },
    });
    expect(records.find(({ address }) => address === 'aws_log.odd')?.evidence).toMatchObject({ tool: 'choudoufu', version: '0.15.0', engineCode: 'UNOWNED' });
  });

  it('R3.21: an UNOWNED omission without a row of what holds it was not observed', () => {
    const [record] = read(livePlan({ omissions: [omitted('aws_log.lost', 'UNOWNED')] })).reading.records;
    expect(record).toMatchObject({ status: 'not-observed', unobserved: { reason: 'read-failed' }, evidence: { engineCode: 'UNOWNED' } });
  });

  it.each([
    ['a section that is missing', { bound: undefined, omissions: [] }, 'no kind that a reader knows'],
    ['two rows of one address', { bound: [bound('aws_vpc.main', 'marker'), bound('aws_vpc.main', 'record')] }, '/bound/1'],
    ['an instance that is bound and left out', { bound: [bound('aws_vpc.main', 'marker')], omissions: [omitted('aws_vpc.main', 'ABSENT')] }, '/omissions/0'],
    ['a source that nobody knows', { bound: [bound('aws_vpc.main', 'guessed')] }, '/bound/0/source'],
    ['what is no address', { bound: [bound('aws_vpc.main[', 'marker')] }, '/bound/0/addr'],
    ['a reason that is a sentence', { omissions: [omitted('aws_vpc.main', 'CANARY because of it')] }, '/omissions/0/reason'],
  ])('refuses %s, with its place', (_, more, where) => {
    const refused = () => read(JSON.parse(JSON.stringify(livePlan(more))) as object);
    expect(refused).toThrow(where);
    expect(refused).not.toThrow('CANARY');
  });
});

const item = (address: string, declared: boolean, more: object = {}) => ({
  id: `arn:aws:x:::${address}`,
  type: 'aws_s3_bucket',
  address,
  declared,
  source: 'tagging',
  tags: { owner: 'CANARY-in-a-tag' },
  ...more,
});
const gap = (address: string, rung: string) => ({ address, type: 'aws_rule', rung, detail: 'CANARY-detail-of-a-gap' });
const listing = (more: object = {}) => ({
  estate: 'shop-production',
  consistent: true,
  stabilized: true,
  attempts: 2,
  config_dir: '.',
  items: [],
  gaps: [],
  ...more,
});

describe('choudoufu live-ls (R3.19)', () => {
  it.each([
    ['nothing', {}, []],
    ['what is declared, of which a listing says nothing more', { items: [item('aws_s3_bucket.a', true)] }, []],
    ['what is not declared', { items: [item('aws_s3_bucket.a', true), item('aws_s3_bucket.old[0]', false)] }, ['undeclared aws_s3_bucket.old[0]']],
    ['what carries no address', { items: [item('', false)] }, ['undeclared aws_s3_bucket["arn:aws:x:::"]']],
    ['what a controller holds', { items: [item('', false, { held_by: 'Helm release' })] }, ['runtime aws_s3_bucket["arn:aws:x:::"]']],
    [
      'what it cannot see',
      { gaps: [gap('aws_rule.https', 'declaration-carried'), gap('aws_rule.ssh', 'record')] },
      ['not-observed aws_rule.https (cannot-read)', 'not-observed aws_rule.ssh (cannot-read)'],
    ],
  ])('%s', (_, more, expected) => {
    const output = read(listing(more));
    expect(lines(output)).toEqual(expected);
    expect(output.kind).toBe('a choudoufu listing');
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it('beside a live plan keeps the answers of the plan, and asks for the gaps that are left', () => {
    const plan = livePlan({ bound: [bound('aws_s3_bucket.a', 'marker')], omissions: [omitted('aws_rule.https', 'ABSENT')] });
    const list = listing({
      items: [item('aws_s3_bucket.a', true), item('aws_s3_bucket.old', false)],
      gaps: [gap('aws_rule.https', 'record'), gap('aws_rule.ssh', 'record')],
    });
    const expected = ['in-sync aws_s3_bucket.a', 'not-observed aws_rule.ssh (cannot-read)', 'pending aws_rule.https', 'undeclared aws_s3_bucket.old'];
    expect(lines(read(plan, { beside: bytesOf(list) }))).toEqual(expected);
    expect(lines(read(list, { beside: bytesOf(plan) }))).toEqual(expected);
  });

  it('says nothing of what is undeclared when it was not told what is declared', () => {
    expect(() => read(listing({ config_dir: undefined, items: [item('aws_s3_bucket.a', false)] }))).toThrow('/config_dir');
  });

  it('notes that it was not compared with what is declared', () => {
    expect(read(listing({ gaps_skipped: 'CANARY-why' })).reading.notes).toEqual([expect.not.stringContaining('CANARY')]);
  });
});

describe('choudoufu live-plan with a plan beside it (R3.19)', () => {
  const change = (address: string, actions: readonly string[], before: object | null, after: object | null, more: object = {}) => ({
    address,
    mode: 'managed',
    type: 'aws_vpc',
    provider_name: 'registry.opentofu.org/hashicorp/aws',
    change: { actions, before, after, before_sensitive: {}, after_sensitive: {}, ...more },
  });
  const live = livePlan({
    bound: ['a', 'b', 'c', 'd'].map((name) => bound(`aws_vpc.${name}`, 'marker')),
    omissions: [omitted('aws_vpc.e', 'ABSENT')],
  });
  const beside = bytesOf({
    format_version: '1.2',
    resource_changes: [
      change('aws_vpc.a', ['no-op'], { cidr: 'x' }, { cidr: 'x' }),
      change('aws_vpc.b', ['update'], { cidr: 'live', secret: 'CANARY-live' }, { cidr: 'wanted', secret: 'CANARY-wanted' }),
      change('aws_vpc.c', ['delete', 'create'], { cidr: 'live' }, { cidr: 'wanted' }),
      change('aws_vpc.d', ['update'], { note: 'CANARY-marked' }, { note: 'CANARY-other' }, { before_sensitive: { note: true } }),
      change('aws_vpc.e', ['create'], null, { cidr: 'x' }),
    ],
  });

  it('is drift where the plan would change what is bound, and nowhere else', () => {
    const output = read(live, { beside, show: [{ type: 'aws_vpc', way: ['cidr'] }] });
    expect(lines(output)).toEqual([
      'drifted aws_vpc.b cidr secret!',
      'drifted aws_vpc.c cidr',
      'drifted aws_vpc.d note!',
      'in-sync aws_vpc.a',
      'pending aws_vpc.e',
    ]);
    const b = output.reading.records.find(({ address }) => address === 'aws_vpc.b');
    expect(b).toMatchObject({ read: 'plan', ownership: { verdict: 'owned', by: 'marker' } });
    expect(b?.attributes?.[0]).toEqual({ path: 'cidr', before: 'wanted', after: 'live' });
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it('takes no other two documents together', () => {
    expect(() => read(live, { beside: bytesOf(live) })).toThrow('nothing reads');
  });
});

const lexicon = (resources: object, more: object = {}) => ({
  environment: 'production',
  lexicons: {
    aws: {
      resources: {
        missing: [],
        orphan: [],
        runtimeChildren: [],
        disappeared: [],
        newlyObserved: [],
        driftedSinceSnapshot: [],
        unchanged: [],
        unobserved: [],
        ...resources,
      },
      observed: { site: { type: 'AWS::S3::Bucket', attributes: { note: 'CANARY-observed' } } },
      ...more,
    },
  },
});
const drift = (name: string, ...paths: readonly string[]) => ({
  name,
  type: 'AWS::S3::Bucket',
  changes: paths.map((path) => ({ path, oldValue: 'CANARY-old', newValue: 'CANARY-new' })),
});

describe('chant lifecycle diff --live (R3.19)', () => {
  it.each([
    ['no lexicon', { environment: 'production', lexicons: {} }, []],
    ['what is as it was, and what is new', lexicon({ unchanged: ['site'], newlyObserved: ['logs'] }), ['in-sync logs', 'in-sync site']],
    [
      'what changed since the snapshot',
      lexicon({ driftedSinceSnapshot: [drift('site', 'status', 'attributes.tags["a.b"]')] }),
      ['drifted site attributes.tags["a.b"] status'],
    ],
    [
      'what is gone, and what was never there',
      lexicon({ missing: ['never', 'gone'], disappeared: ['gone'] }),
      // A declared entity that was in the snapshot is in both lists.
      ['missing gone', 'pending never'],
    ],
    [
      'what nobody declares, and what a declared thing runs',
      lexicon({ orphan: ['stray'], unchanged: ['stray'], runtimeChildren: [{ name: 'pod-1', type: 'Pod', owner: 'web' }] }),
      ['runtime pod-1', 'undeclared stray'],
    ],
    [
      'what could not be looked at',
      lexicon({
        unobserved: [
          { name: 'a', reason: 'no-reader', detail: 'CANARY-why' },
          { name: 'b', reason: 'no-credentials' },
          { name: 'c', reason: 'filtered' },
        ],
      }),
      ['not-observed a (cannot-read)', 'not-observed b (read-failed)', 'not-observed c (filtered)'],
    ],
    [
      'artifacts alone, which nobody declares',
      { environment: 'production', lexicons: { helm: { artifacts: { added: [], removed: [], changed: [], unchanged: ['x'] } } } },
      [],
    ],
  ])('%s', (_, document, expected) => {
    const output = read(document);
    expect(lines(output)).toEqual(expected);
    expect(output).toMatchObject({ kind: 'a chant live diff', reading: { engine: 'chant', read: 'live-read' } });
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it('refuses one name in two lexicons', () => {
    const both = { environment: 'p', lexicons: { a: { resources: { unchanged: ['CANARY-x'] } }, b: { resources: { unchanged: ['CANARY-x'] } } } };
    expect(() => read(both)).toThrow(/two lexicons.*\/lexicons\/\(member 2\)/);
    expect(() => read(both)).not.toThrow('CANARY');
  });
});

describe('the deep read over it (R3.20)', () => {
  const deep = (more: object) => ({ deep: { drifted: [], accepted: [], unchanged: [], unobserved: [], undeclaredEntities: [], ...more } });
  const property = (path: string, kind: string) => ({ path, kind, declared: 'CANARY-declared', live: 'CANARY-live' });
  const entity = (name: string, ...changes: readonly object[]) => ({ name, type: 'AWS::S3::Bucket', changes });

  it.each([
    [
      'a property that changed or is gone is drift',
      deep({ drifted: [entity('site', property('Tags[0].Value', 'changed'), property('Acl', 'absent'))] }),
      ['drifted site Acl Tags[0].Value'],
    ],
    ['one that nobody declared is none', deep({ drifted: [entity('site', property('Arn', 'undeclared'))] }), ['in-sync site']],
    ['a hole leaves the status alone', deep({ unobserved: [{ name: 'site', reason: 'no-reader' }] }), ['in-sync site [cannot-read]']],
    ['what was accepted is none', deep({ accepted: [entity('site', property('Acl', 'changed'))] }), ['in-sync site']],
  ])('%s', (_, more, expected) => {
    const output = read(lexicon({ unchanged: ['site'] }, more));
    expect(lines(output)).toEqual(expected);
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it('does not bring back what is gone, and makes a record of what the thin read does not know', () => {
    const more = deep({
      drifted: [entity('gone', property('Acl', 'changed'))],
      unobserved: [
        { name: 'gone', reason: 'no-reader' },
        { name: 'other', reason: 'no-reader' },
      ],
    });
    expect(lines(read(lexicon({ disappeared: ['gone'] }, more)))).toEqual(['missing gone', 'not-observed other (cannot-read)']);
  });
});

describe('chant components status (R3.19)', () => {
  const row = (component: string, reconciliation: string, more: object = {}) => ({
    component,
    env: 'production',
    reconciliation,
    detail: 'CANARY-detail',
    ...more,
  });

  it.each([
    ['none', [], []],
    ['confirmed', [row('web', 'reconciled', { live: true })], ['in-sync web']],
    ['not as it was released', [row('web', 'drifted', { live: true })], ['drifted web [cannot-read]']],
    ['gone', [row('web', 'stale', { live: false })], ['missing web']],
    [
      'there without a release, and not there either',
      [row('web', 'unrecorded', { live: true }), row('api', 'unrecorded', { live: false })],
      ['drifted web [cannot-read]', 'pending api'],
    ],
    [
      'unknown, because it could not be read or nobody asked',
      [row('web', 'unknown', { unobserved: { reason: 'no-reader', detail: 'CANARY' } }), row('api', 'unknown')],
      ['not-observed api (filtered)', 'not-observed web (cannot-read)'],
    ],
  ])('%s', (_, rows, expected) => {
    const output = read({ env: 'production', rows, malformedLedgerLines: 0 });
    expect(lines(output)).toEqual(expected);
    expect(output.kind).toBe('a chant component status');
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it.each([
    ['a verdict that nobody knows', [row('web', 'fine')], '/rows/0/reconciliation'],
    ['a component twice', [row('web', 'reconciled'), row('web', 'stale')], '/rows/1'],
    ['a row without a name', [{ reconciliation: 'stale' }], '/rows/0/component'],
  ])('refuses %s', (_, rows, where) => {
    expect(() => read({ env: 'production', rows })).toThrow(where);
  });
});

describe('plunge’s stream (R3.19, R3.25)', () => {
  const of = { member: 'their-name', engine: 'plunge', read: 'refresh' } as const;
  const urn = (name: string) => `urn:pulumi:dev::drift-demo::aws:s3/bucket:Bucket::${name}`;
  const record = (name: string, status: 'in-sync' | 'drifted' | 'missing') =>
    driftRecord({
      ...of,
      address: urn(name),
      resourceType: 'aws:s3/bucket:Bucket',
      node: 'their/node',
      observedAt: '2026-11-30T10:00:00Z',
      status,
      ...(status === 'drifted' ? { attributes: [{ path: 'acl', before: 'CANARY-before', after: 'CANARY-after' }, { path: 'password' }] } : {}),
      evidence: { tool: 'plunge', command: 'CANARY-command', engineCode: 'update' },
    });
  const stream = (...records: readonly ReturnType<typeof record>[]) =>
    [
      driftStart(
        of,
        records.map(({ address }) => ({ address })),
      ),
      ...records.map(driftLine),
      driftSettle(of, records),
    ]
      .map(encodeDriftLine)
      .join('');
  const whole = stream(record('a', 'in-sync'), record('b', 'drifted'), record('c', 'missing'));

  it.each([
    ['nothing', stream(), []],
    ['as it is', whole, ['drifted aws:s3/bucket:Bucket::b acl password!', 'in-sync aws:s3/bucket:Bucket::a', 'missing aws:s3/bucket:Bucket::c']],
    [
      'one that was cut',
      whole.split('\n').slice(0, 2).join('\n'),
      ['in-sync aws:s3/bucket:Bucket::a', 'not-observed aws:s3/bucket:Bucket::b (not-reached)', 'not-observed aws:s3/bucket:Bucket::c (not-reached)'],
    ],
    [
      'with lines of a later version',
      whole.replace('\n', '\n{"type":"drift-progress","note":"CANARY"}\n'),
      ['drifted aws:s3/bucket:Bucket::b acl password!', 'in-sync aws:s3/bucket:Bucket::a', 'missing aws:s3/bucket:Bucket::c'],
    ],
  ])('%s', (_, text, expected) => {
    const output = read(text);
    expect(lines(output)).toEqual(expected);
    expect(output).toMatchObject({ kind: 'a plunge stream', reading: { engine: 'plunge', read: 'refresh' } });
    expect(JSON.stringify(output)).not.toContain('CANARY');
  });

  it('gets our member, and its place by the rule of URNs', () => {
    expect(read(whole).reading.records[0]).toMatchObject({ member: 'shop', node: 'shop/aws:s3/bucket:Bucket::a', evidence: { engineCode: 'update' } });
  });

  it('shows a value where the list says so', () => {
    const [, b] = read(whole, { show: [{ type: 'aws:s3/bucket:Bucket', way: ['acl'] }] }).reading.records;
    expect(b?.attributes?.[0]).toEqual({ path: 'acl', before: 'CANARY-before', after: 'CANARY-after' });
  });

  it.each([
    ['its record', whole, 'in-sync'],
    ['not reached, of a stream that does not speak of it', stream(), 'not-reached'],
    ['its record, of one that is cut behind it', `${whole}{"type":"dri`, 'in-sync'],
    ['a read that failed, of one that does not decode', `${whole}what\n`, 'read-failed'],
    ['a read that failed, of no stream at all', 'error: CANARY', 'read-failed'],
  ])('R3.22: of one URN: %s', (_, text, expected) => {
    expect(line(readPlungeResource(bytesOf(text), urn('a'), context))).toContain(expected);
  });

  it.each([
    ['a line that is none', whole.replace('\n', '\n[]\n'), 'on line 2'],
    ['another engine’s', whole.replaceAll('"plunge"', '"pulumi"'), 'another engine'],
    ['lines of something else', '{"a":1}\n{"a":2}\n', 'on line 1'],
  ])('refuses %s', (_, text, where) => {
    expect(() => read(text)).toThrow(where);
  });
});
