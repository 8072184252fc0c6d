import { describe, expect, it } from 'vitest';
import { context, line, lines, read } from './reader.fixture.ts';
import { readTerraformState } from './terraform-state.ts';

/** Plans and states in small, after the format that HashiCorp publishes, for what the recordings do not hold. */
const row = (address: string, actions: readonly string[], more: object = {}, change: object = {}) => ({
  address,
  mode: 'managed',
  type: 'aws_vpc',
  provider_name: 'registry.terraform.io/hashicorp/aws',
  change: {
    actions,
    before: actions[0] === 'create' ? null : { a: 1 },
    after: actions.includes('delete') ? null : { a: 2 },
    before_sensitive: {},
    after_sensitive: {},
    ...change,
  },
  ...more,
});
const plan = (more: object) => ({ format_version: '1.2', terraform_version: '1.11.4', ...more });
const inState = (...addresses: readonly string[]) => ({
  prior_state: {
    format_version: '1.0',
    values: { root_module: { resources: addresses.map((address) => ({ address, mode: 'managed', type: 'aws_vpc', values: {} })) } },
  },
});
const declares = (...names: readonly string[]) => ({
  configuration: { root_module: { resources: names.map((name) => ({ address: `aws_vpc.${name}`, mode: 'managed', type: 'aws_vpc', name })) } },
});

describe('a plan (R3.19)', () => {
  it.each([
    ['nothing at all', { resource_changes: [], configuration: {} }, []],
    [
      'a deposed object beside its address',
      { resource_changes: [row('aws_vpc.a', ['no-op']), row('aws_vpc.a', ['delete'], { deposed: 'ab12cd34' })] },
      ['in-sync aws_vpc.a', 'undeclared aws_vpc.a (deposed ab12cd34)'],
    ],
    [
      'a deposed object that drifted, and one that is gone',
      {
        resource_drift: [row('aws_vpc.a', ['update'], { deposed: 'ab12cd34' }), row('aws_vpc.a', ['delete'], { deposed: 'ef56' })],
        resource_changes: [row('aws_vpc.a', ['no-op'])],
      },
      ['drifted aws_vpc.a (deposed ab12cd34) a', 'in-sync aws_vpc.a', 'missing aws_vpc.a (deposed ef56)'],
    ],
    ['what is gone, and declared no more', { resource_drift: [row('aws_vpc.a', ['delete'])], resource_changes: [] }, ['missing aws_vpc.a']],
    [
      'deletes with a reason, of an instance and of a module',
      {
        resource_changes: [
          row('aws_vpc.a[1]', ['delete'], { action_reason: 'delete_because_count_index' }),
          row('module.m["x"].aws_vpc.b', ['delete'], { action_reason: 'delete_because_each_key' }),
        ],
        ...declares('a'),
      },
      ['undeclared aws_vpc.a[1]', 'undeclared module.m["x"].aws_vpc.b'],
    ],
    [
      'a plan that destroys: its blocks are still there, in modules too',
      {
        resource_changes: [row('aws_vpc.a["x[0]"]', ['delete']), row('module.m[0].module.n.aws_vpc.b', ['delete']), row('aws_vpc.other', ['delete'])],
        configuration: {
          root_module: {
            resources: [{ type: 'aws_vpc', name: 'a' }],
            module_calls: { m: { module: { module_calls: { n: { module: { resources: [{ type: 'aws_vpc', name: 'b' }] } } } } } },
          },
        },
      },
      ['in-sync aws_vpc.a["x[0]"]', 'in-sync module.m[0].module.n.aws_vpc.b', 'undeclared aws_vpc.other'],
    ],
    [
      'either order of a replacement',
      { resource_changes: [row('aws_vpc.a', ['delete', 'create']), row('aws_vpc.b', ['create', 'delete'])] },
      ['in-sync aws_vpc.a', 'in-sync aws_vpc.b'],
    ],
    ['what is imported and changed', { resource_changes: [row('aws_vpc.a', ['update'], {}, { importing: { id: 'vpc-1' } })] }, ['unclaimed aws_vpc.a']],
    ['what only moved', { resource_drift: [row('aws_vpc.new', ['no-op'], { previous_address: 'aws_vpc.old' })] }, ['in-sync aws_vpc.new']],
    [
      'data sources and what is ephemeral, which have no records',
      {
        resource_changes: [
          { ...row('data.aws_ami.a', ['read']), mode: 'data' },
          { ...row('ephemeral.aws_secret.a', ['read']), mode: 'ephemeral' },
        ],
      },
      [],
    ],
    [
      'what was put off',
      {
        deferred_changes: [{ reason: 'instance_count_unknown', resource_change: row('aws_vpc.later', ['create']) }],
        resource_changes: [row('aws_vpc.a', ['no-op'])],
      },
      ['in-sync aws_vpc.a', 'not-observed aws_vpc.later (not-reached)'],
    ],
    [
      'a plan of a part: what it left out',
      { resource_changes: [row('aws_vpc.a', ['no-op'])], ...inState('aws_vpc.a', 'aws_vpc.b') },
      ['in-sync aws_vpc.a', 'not-observed aws_vpc.b (filtered)'],
    ],
    [
      'a refresh of a part',
      { complete: false, resource_drift: [row('aws_vpc.a', ['update'])], ...inState('aws_vpc.a', 'aws_vpc.b') },
      ['drifted aws_vpc.a a', 'not-observed aws_vpc.b (filtered)'],
    ],
    [
      'a plan that broke off',
      { errored: true, complete: false, resource_changes: [row('aws_vpc.a', ['no-op'])], ...inState('aws_vpc.a', 'aws_vpc.b') },
      ['in-sync aws_vpc.a', 'not-observed aws_vpc.b (read-failed)'],
    ],
    [
      'paths of every form, one of each',
      {
        resource_drift: [
          row(
            'aws_vpc.a',
            ['update'],
            {},
            { before: { tags: { 'a.b': 1, c: 1 }, list: [1, { x: 1 }], gone: 1 }, after: { tags: { 'a.b': 2, c: 1 }, list: [1, { x: 2 }, 3], come: 1 } },
          ),
        ],
      },
      ['drifted aws_vpc.a come gone list[1].x list[2] tags["a.b"]'],
    ],
    [
      'an update that shows nothing',
      { resource_drift: [row('aws_vpc.a', ['update'], {}, { before: { a: 1 }, after: { a: 1 } })] },
      ['drifted aws_vpc.a [cannot-read]'],
    ],
    [
      'marks of a whole, of a part, and of what holds a marked part',
      {
        resource_drift: [
          row(
            'aws_vpc.a',
            ['update'],
            {},
            {
              before: { whole: { x: 1 }, part: [{ y: 1, z: 1 }], holder: null },
              after: { whole: { x: 2 }, part: [{ y: 2, z: 2 }], holder: { deep: 1 } },
              before_sensitive: { whole: true, part: [{ y: true }] },
              after_sensitive: { holder: { deep: true } },
            },
          ),
        ],
      },
      ['drifted aws_vpc.a holder! part[0].y! part[0].z whole.x!'],
    ],
  ])('%s', (_, more, expected) => {
    expect(lines(read(plan(more)))).toEqual(expected);
  });

  it('places what was left behind where its address stands', () => {
    const [record] = read(plan({ resource_changes: [row('aws_vpc.a[0]', ['delete'], { deposed: 'ab12' })] })).reading.records;
    expect(record).toMatchObject({ address: 'aws_vpc.a[0] (deposed ab12)', node: 'shop/shop/aws_vpc.a[0]', instanceOf: 'shop/shop/aws_vpc.a' });
  });

  it.each([
    ['an action that nobody knows', { resource_changes: [row('aws_vpc.a', ['explode'])] }, '/resource_changes/0/change/actions'],
    ['drift that was created', { resource_drift: [row('aws_vpc.a', ['create'])] }, '/resource_drift/0/change/actions'],
    ['one address twice', { resource_changes: [row('aws_vpc.a', ['no-op']), row('aws_vpc.a', ['no-op'])] }, '/resource_changes/1'],
    ['a mode that nobody knows', { resource_changes: [{ ...row('aws_vpc.a', ['no-op']), mode: 'CANARY' }] }, '/resource_changes/0/mode'],
    ['an address that is none', { resource_changes: [row('CANARY vpc[', ['no-op'])] }, '/resource_changes/0/address'],
    ['an update from nothing', { resource_drift: [row('aws_vpc.a', ['update'], {}, { before: null })] }, '/resource_drift/0/change/before'],
    ['rows that are no list', { resource_changes: {} }, '/resource_changes'],
    ['a format of another age', { format_version: '2.0', resource_changes: [] }, '/format_version'],
    ['a version that is a sentence', { terraform_version: 'CANARY version', resource_changes: [] }, '/terraform_version'],
    ['a time that is none', { timestamp: 'CANARY', resource_changes: [] }, '/timestamp'],
  ])('refuses %s, with its place', (_, more, where) => {
    const refused = () => read(plan(more));
    expect(refused).toThrow(where);
    expect(refused).not.toThrow('CANARY');
  });

  it('is of the engine that the caller names where it does not say itself, and of no other tool’s', () => {
    const builtIn = plan({ resource_changes: [{ ...row('terraform_data.a', ['no-op']), provider_name: 'terraform.io/builtin/terraform' }] });
    expect(read(builtIn).reading.engine).toBe('terraform');
    expect(read(builtIn, { engine: 'tofu' }).reading.engine).toBe('tofu');
    expect(() => read(builtIn, { engine: 'pulumi' })).toThrow('not pulumi');
  });
});

describe('a state (R3.9, R3.19)', () => {
  const state = { format_version: '1.0', values: inState('aws_vpc.a', 'aws_vpc.b[0]').prior_state.values };

  it('says what was recorded, and nothing of what is live', () => {
    expect(readTerraformState(state, context).records.map(line)).toEqual(['recorded aws_vpc.a', 'recorded aws_vpc.b[0]']);
  });

  it('of nothing says nothing', () => {
    expect(read({ format_version: '1.0' }).reading.records).toEqual([]);
    expect(read({ format_version: '1.0', values: { root_module: {} } }).reading.records).toEqual([]);
  });

  it('keeps what was left behind apart', () => {
    const resource = { address: 'aws_vpc.a', mode: 'managed', type: 'aws_vpc', values: {} };
    const both = {
      format_version: '1.0',
      values: { root_module: { child_modules: [{ address: 'module.m', resources: [resource, { ...resource, deposed_key: 'ab12' }] }] } },
    };
    expect(lines(read(both))).toEqual(['recorded aws_vpc.a', 'recorded aws_vpc.a (deposed ab12)']);
  });
});
