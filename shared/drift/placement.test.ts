import { describe, expect, it } from 'vitest';
import { placeOf, resourceAddress } from './address.ts';
import { driftRecord } from './drift-record.ts';
import { anyGraph, type MemberGraph, mapDriftToGraph, nodeOf } from './placement.ts';
import { urnParts } from './urn.ts';

const rooted: MemberGraph = { root: 'shop', has: () => true };
const at = (address: string, graph = rooted) => nodeOf({ member: 'shop', address }, graph);

describe('the node of an address (R3.17)', () => {
  it.each([
    ['aws_vpc.one', 'shop/shop/aws_vpc.one', undefined],
    ['data.aws_ami.base', 'shop/shop/data.aws_ami.base', undefined],
    ['aws_eip.pool[0]', 'shop/shop/aws_eip.pool[0]', 'shop/shop/aws_eip.pool'],
    ['aws_eip.pool["a"]', 'shop/shop/aws_eip.pool["a"]', 'shop/shop/aws_eip.pool'],
    ['aws_eip.pool["a.b[0].c"]', 'shop/shop/aws_eip.pool["a.b[0].c"]', 'shop/shop/aws_eip.pool'],
    ['aws_eip.pool["say \\"]\\""]', 'shop/shop/aws_eip.pool["say \\"]\\""]', 'shop/shop/aws_eip.pool'],
    ['module.app.aws_eip.one', 'shop/shop/module.app/aws_eip.one', undefined],
    ['module.app[0].aws_eip.pool[1]', 'shop/shop/module.app[0]/aws_eip.pool[1]', 'shop/shop/module.app/aws_eip.pool'],
    ['module.app[0].aws_eip.one', 'shop/shop/module.app[0]/aws_eip.one', 'shop/shop/module.app/aws_eip.one'],
    ['module.a["x.y"].module.b.data.t.n', 'shop/shop/module.a["x.y"]/module.b/data.t.n', 'shop/shop/module.a/module.b/data.t.n'],
  ])('%s', (address, node, instanceOf) => {
    expect(at(address)).toEqual(instanceOf === undefined ? { node } : { node, instanceOf });
  });

  it.each(['', '.', 'a..b', 'aws_eip.pool[', 'aws_eip.pool[0]x', 'aws_eip[0].pool', 'module.app[0]', 'module[0].app.b.c', 'a.b[0]['])(
    'is none for what is no address of a resource: %s',
    (address) => {
      expect(at(address)).toEqual({ node: null });
    },
  );

  it('is none where the graph does not hold the block', () => {
    const graph = { root: 'shop', has: (node: string) => node === 'shop/shop/aws_eip.pool' };
    expect(at('aws_eip.pool[0]', graph)).toEqual({ node: 'shop/shop/aws_eip.pool[0]', instanceOf: 'shop/shop/aws_eip.pool' });
    expect(at('aws_eip.other[0]', graph)).toEqual({ node: null });
  });

  it('of a resource of ours is an instance of its line, whatever its key holds', () => {
    const address = resourceAddress('web-env', 'env:preview:feat/"x"]:NAME');
    expect(placeOf(address)).toEqual({ node: address, instanceOf: 'web-env' });
    expect(nodeOf({ member: 'shop', address: 'web-env' }, anyGraph)).toEqual({ node: 'shop/web-env' });
  });
});

describe('the node of a URN (R3.17)', () => {
  it.each([
    ['urn:pulumi:dev.eu::shop::aws:s3/bucket:Bucket::site', 'shop/aws:s3/bucket:Bucket::site'],
    ['urn:pulumi:dev::shop::my:web:Site$aws:s3/bucket:Bucket::site.example', 'shop/my:web:Site$aws:s3/bucket:Bucket::site.example'],
    ['urn:pulumi:dev::shop::aws:s3/bucket:Bucket::a::b', 'shop/aws:s3/bucket:Bucket::a::b'],
    ['urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev', null],
    ['urn:pulumi:dev::shop::pulumi:providers:aws::default', null],
    ['urn:pulumi:dev::shop::my:web:Site$pulumi:providers:aws::inner', null],
    ['urn:pulumi:dev::shop', null],
  ])('%s', (address, node) => {
    expect(at(address)).toEqual({ node });
  });

  it('is told apart into stack, project, type and name', () => {
    expect(urnParts('urn:pulumi:org/dev.eu::shop::a:b:C$d:e:F::x::y')).toEqual({
      stack: 'org/dev.eu',
      project: 'shop',
      qualifiedType: 'a:b:C$d:e:F',
      type: 'd:e:F',
      name: 'x::y',
    });
  });
});

it('fills in every record, and takes out what it said before', () => {
  const record = driftRecord({
    member: 'shop',
    engine: 'tofu',
    address: 'x.y',
    node: 'old',
    instanceOf: 'older',
    observedAt: '2026-11-30T10:00:00Z',
    read: 'plan',
    status: 'in-sync',
  });
  expect(mapDriftToGraph([record], rooted)).toEqual([{ ...record, node: 'shop/shop/x.y', instanceOf: undefined }]);
  expect(mapDriftToGraph([record], { has: () => false })[0]).toMatchObject({ node: null });
});
