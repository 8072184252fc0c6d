import { describe, expect, it } from 'vitest';
import { lines, read, recording } from './reader.fixture.ts';

/** Of each recording what is to come out, as it was read off the recording by hand: status, address, paths of what differs. */
const edited = [
  'drifted module.inner.restapi_object.child api_data.kind api_response data',
  'drifted restapi_object.member["web"] api_data.name api_response data',
  'drifted restapi_object.secretive api_data.password! api_response data!',
  'in-sync restapi_object.member["api.v2"]',
  'in-sync restapi_object.pool[0]',
  'missing local_file.note',
  'missing local_sensitive_file.key',
  'missing restapi_object.pool[1]',
];

const eight = [
  'local_file.note',
  'local_sensitive_file.key',
  'module.inner.restapi_object.child',
  'restapi_object.member["api.v2"]',
  'restapi_object.member["web"]',
  'restapi_object.pool[0]',
  'restapi_object.pool[1]',
  'restapi_object.secretive',
];

const builtIn = [
  'module.app.terraform_data.service',
  'module.regional["eu"].terraform_data.service',
  'module.regional["us"].terraform_data.service',
  'terraform_data.abandoned',
  'terraform_data.edge',
  'terraform_data.legacy',
  'terraform_data.network',
  'terraform_data.old_name',
  'terraform_data.pool[0]',
  'terraform_data.pool[1]',
  'terraform_data.release',
  'terraform_data.tenant["blue"]',
  'terraform_data.tenant["green"]',
];

const nested = [
  'module.outer.module.inner["blue"].terraform_data.leaf',
  'module.outer.module.inner["green/1"].terraform_data.leaf',
  'module.outer.terraform_data.holder[0]',
  'module.outer.terraform_data.holder[1]',
  'terraform_data.nothing',
  'terraform_data.site["eu-west"]',
  'terraform_data.site["us \\"east\\".1"]',
  'terraform_data.swapped',
  'terraform_data.tainted',
  'terraform_data.user',
];
/** What a replacement that broke half way left behind its new object. */
const deposed = 'terraform_data.swapped (deposed f97ed9f1)';

const all = (status: string, addresses: readonly string[]) => addresses.map((address) => `${status} ${address}`);

const obj = 'pulumi-nodejs:dynamic:Obj';
const stackAndGroup = ['in-sync demo:index:Group::grp', 'in-sync pulumi:pulumi:Stack::drift-demo-dev'];
const four = [`${obj}::alpha`, `${obj}::beta.v2`, `${obj}::secretive`, `demo:index:Group$${obj}::grp-child`];
const unseen = (reason: string) => four.map((name) => `not-observed ${name} (${reason})`);

const plans: readonly (readonly [string, string, readonly string[]])[] = [
  ['terraform/plan-create.json', 'terraform', all('pending', builtIn)],
  ['terraform/plan-noop.json', 'terraform', all('in-sync', builtIn)],
  [
    'terraform/plan-mixed.json',
    'terraform',
    [
      'in-sync module.app.terraform_data.service',
      'in-sync module.regional["eu"].terraform_data.service',
      'in-sync module.regional["us"].terraform_data.service',
      // Forgotten: its block says `destroy = false`.
      'undeclared terraform_data.abandoned',
      // Imported: it is there, and in nobody's state.
      'unclaimed terraform_data.adopted',
      'pending terraform_data.after_read',
      'in-sync terraform_data.edge',
      'undeclared terraform_data.legacy',
      'in-sync terraform_data.network',
      // Moved here from old_name.
      'in-sync terraform_data.new_name',
      'in-sync terraform_data.pool[0]',
      'in-sync terraform_data.pool[1]',
      'in-sync terraform_data.release',
      'in-sync terraform_data.tenant["blue"]',
      'in-sync terraform_data.tenant["green"]',
    ],
  ],
  // One is tainted, and will be made anew: that is the plan's own wish, and no drift.
  ['terraform/plan-tainted.json', 'terraform', all('in-sync', nested)],
  ['terraform/plan-deposed.json', 'terraform', [...all('in-sync', nested), `undeclared ${deposed}`]],
  ['terraform-drift/plan-create.json', 'terraform', all('pending', eight)],
  ['terraform-drift/plan-noop.json', 'terraform', all('in-sync', eight)],
  ['terraform-drift/plan-drift.json', 'terraform', edited],
  ['terraform-drift/plan-drift-and-change.json', 'terraform', edited],
  ['terraform-drift/plan-refresh-only.json', 'terraform', edited],
  ['opentofu-drift/plan-drift.json', 'tofu', edited],
  ['opentofu-drift/plan-drift-and-change.json', 'tofu', edited],
  ['opentofu-drift/plan-refresh-only.json', 'tofu', edited],
];

const states: readonly (readonly [string, string, readonly string[]])[] = [
  ['terraform/state.json', 'terraform', all('recorded', builtIn)],
  ['terraform/state-nested.json', 'terraform', all('recorded', nested)],
  ['terraform/state-deposed.json', 'terraform', all('recorded', [...nested, deposed])],
  ['terraform-drift/state-before.json', 'terraform', all('recorded', eight)],
  ['terraform-drift/state-after.json', 'terraform', all('recorded', eight)],
  ['opentofu-drift/state-before.json', 'tofu', all('recorded', eight)],
];

const refreshes: readonly (readonly [string, readonly string[]])[] = [
  ['pulumi/refresh-clean.json', [...stackAndGroup, ...four.map((name) => `in-sync ${name}`)]],
  ['pulumi/refresh-clean.ndjson', [...stackAndGroup, ...four.map((name) => `in-sync ${name}`)]],
  // The document counts three updates and shows none: which of the three it was nobody can say.
  [
    'pulumi/refresh-drift.json',
    [...stackAndGroup, `missing ${obj}::beta.v2`, ...[four[0], four[2], four[3]].map((name) => `not-observed ${name} (cannot-read)`)],
  ],
  [
    'pulumi/refresh-drift.ndjson',
    [
      ...stackAndGroup,
      `missing ${obj}::beta.v2`,
      `drifted ${obj}::alpha name`,
      `drifted demo:index:Group$${obj}::grp-child kind`,
      // The drifted secret is `[secret]` on both sides.
      `drifted ${obj}::secretive [cannot-read]`,
    ],
  ],
  ['pulumi/refresh-provider-down.json', [...stackAndGroup, ...unseen('read-failed')]],
  ['pulumi/refresh-provider-down.ndjson', [...stackAndGroup, ...unseen('read-failed')]],
];

/** The same of the examples that were made from Pulumi's own types: what no recording has (test/recordings/README.md). */
const shop = (name: string) => `urn:pulumi:dev::shop::${name}`;
const ofShop = { stack: shop('pulumi:pulumi:Stack::shop-dev'), db: shop('aws:rds/instance:Instance::main'), assets: shop('aws:s3/bucket:Bucket::assets') };
const logs = shop('aws:s3/bucket:Bucket::logs');
const named = `drifted ${ofShop.db} password! ports[0].to replicas tags.owner tags["team.name"]`;
const documented: readonly (readonly [string, readonly string[]])[] = [
  ['pulumi-documented/refresh-policies.ndjson', [`in-sync ${ofShop.stack}`, `drifted ${ofShop.assets} acl`]],
  ['pulumi-documented/refresh-detailed.ndjson', [`in-sync ${ofShop.stack}`, `in-sync ${shop('pulumi:providers:aws::default')}`, named, `missing ${logs}`]],
  [
    'pulumi-documented/refresh-failed.ndjson',
    [`in-sync ${ofShop.stack}`, `in-sync ${ofShop.assets}`, `not-observed ${ofShop.db} (read-failed)`, `not-observed ${logs} (not-reached)`],
  ],
  ['pulumi-documented/refresh-detailed.json', [`in-sync ${ofShop.stack}`, named, `drifted ${ofShop.assets} acl`, `missing ${logs}`]],
  ['pulumi-documented/refresh-diagnostics.json', [`in-sync ${ofShop.stack}`, `in-sync ${ofShop.assets}`, `not-observed ${ofShop.db} (read-failed)`]],
];

describe('Terraform and OpenTofu (R3.19)', () => {
  it.each(plans)('the plan %s', (file, engine, expected) => {
    const output = read(recording(file));
    expect(lines(output)).toEqual([...expected].sort());
    expect(output).toMatchObject({ kind: 'a Terraform or OpenTofu plan', reading: { engine, read: 'plan' } });
  });

  it.each(states)('the state %s', (file, engine, expected) => {
    const output = read(recording(file));
    expect(lines(output)).toEqual([...expected].sort());
    expect(output).toMatchObject({ kind: 'a Terraform or OpenTofu state', reading: { engine, read: 'state' } });
  });

  it('says when the plan looked, with which version', () => {
    const [first] = read(recording('opentofu-drift/plan-drift.json')).reading.records;
    expect(first).toMatchObject({ observedAt: '2026-11-30T02:15:09Z', evidence: { tool: 'tofu', version: '1.12.6-dev', command: 'tofu show -json <plan>' } });
  });

  it('R3.17: puts each record where its address stands', () => {
    const nodes = read(recording('terraform-drift/plan-drift.json')).reading.records.map(({ node, instanceOf }) => [node, instanceOf]);
    expect(nodes).toContainEqual(['shop/shop/module.inner/restapi_object.child', undefined]);
    expect(nodes).toContainEqual(['shop/shop/restapi_object.pool[1]', 'shop/shop/restapi_object.pool']);
    expect(nodes).toContainEqual(['shop/shop/restapi_object.member["api.v2"]', 'shop/shop/restapi_object.member']);
  });
});

describe('Pulumi (R2.11, R2.12, R2.14)', () => {
  it.each([...refreshes, ...documented])('the refresh %s', (file, expected) => {
    const output = read(recording(file));
    expect(lines(output)).toEqual([...expected].sort());
    expect(output.reading).toMatchObject({ engine: 'pulumi', read: 'refresh' });
  });

  it('R3.17: stands on its qualified type and name, and the stack on nothing', () => {
    const places = read(recording('pulumi/refresh-clean.ndjson')).reading.records.map(({ node }) => node);
    expect(places).toEqual([null, 'shop/demo:index:Group::grp', ...[four[0], four[1], four[2], four[3]].map((name) => `shop/${name}`)]);
  });

  it('is told by the time of its event', () => {
    const alpha = read(recording('pulumi/refresh-drift.ndjson')).reading.records.find(({ address }) => address.endsWith('::alpha'));
    expect(alpha).toMatchObject({ observedAt: '2026-11-30T02:17:56.000Z', evidence: { engineCode: 'update' } });
  });

  it('says what is not clean about a read', () => {
    expect(read(recording('pulumi/refresh-drift.json')).reading.notes).toEqual([expect.stringContaining('counts more changes')]);
    expect(read(recording('pulumi/refresh-provider-down.ndjson')).reading.notes).toEqual([expect.stringContaining('failed')]);
    expect(read(recording('pulumi/refresh-drift.ndjson')).reading.notes).toEqual([]);
    expect(read(recording('pulumi-documented/refresh-diagnostics.json')).reading.notes).toEqual([
      expect.stringContaining('failed'),
      expect.stringContaining('damaged'),
    ]);
  });
});

describe('what is no read is refused, with where it shows', () => {
  it.each([
    ['pulumi/preview-noop.json', '/steps/0/op'],
    ['pulumi/preview-over-drift.json', '/steps/0/op'],
    ['pulumi/preview-replace.json', '/steps/0/op'],
    ['pulumi/preview-refresh.json', '/steps/6/urn'],
    ['pulumi/preview-drift-and-change.json', '/steps/6/urn'],
    ['pulumi/preview-replace.ndjson', 'on line 2'],
    ['pulumi-documented/preview-import.json', '/steps/0/op'],
    ['pulumi-documented/preview-import.ndjson', 'on line 2'],
    ['pulumi-documented/refresh-cancelled.ndjson', 'no summary'],
    ['pulumi/up.json', 'on line 157, column 1'],
    ['pulumi/up-secret-moved.json', '/steps/0/op'],
    ['pulumi/save-plan.json', 'saved plan'],
    ['terraform/plan-mixed.ndjson', 'log of a plan'],
    ['terraform/state-pull.json', 'state file as it is stored'],
  ])('%s', (file, where) => {
    expect(() => read(recording(file))).toThrow(where);
  });
});
