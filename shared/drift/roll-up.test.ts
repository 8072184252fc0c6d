import { describe, expect, it } from 'vitest';
import { driftRecord } from './drift-record.ts';
import { type Status, statuses } from './record.ts';
import { rolledUp, rollUpByBlock, rollUpOrder } from './roll-up.ts';

const record = (node: string | null, status: Status, instanceOf?: string) =>
  driftRecord({
    member: 'shop',
    engine: 'terraform',
    address: node ?? 'lost',
    node,
    ...(instanceOf === undefined ? {} : { instanceOf }),
    observedAt: '2026-11-30T10:00:00Z',
    read: 'plan',
    status,
    ...(status === 'not-observed' ? { unobserved: { reason: 'not-reached' } } : {}),
  });

describe('the roll-up by block (R3.18)', () => {
  it('says of every two statuses the one that stands first in its order, and the order holds every status once', () => {
    expect([...rollUpOrder].sort()).toEqual([...statuses].sort());
    expect(rollUpOrder).toEqual(['not-observed', 'drifted', 'missing', 'unclaimed', 'undeclared', 'pending', 'in-sync', 'recorded', 'runtime']);
    for (const [first, a] of rollUpOrder.entries()) {
      for (const b of rollUpOrder.slice(first)) expect([rolledUp([a, b]), rolledUp([b, a])]).toEqual([a, a]);
    }
  });

  it('groups instances under their block, leaves single resources alone, and keeps what stands on no node together', () => {
    const blocks = rollUpByBlock([
      record('shop/root/aws_eip.pool[0]', 'in-sync', 'shop/root/aws_eip.pool'),
      record('shop/root/aws_vpc.one', 'recorded'),
      record('shop/root/aws_eip.pool[1]', 'drifted', 'shop/root/aws_eip.pool'),
      record(null, 'runtime'),
    ]);
    expect(blocks.map(({ node, status, records }) => [node, status, records.length])).toEqual([
      ['shop/root/aws_eip.pool', 'drifted', 2],
      ['shop/root/aws_vpc.one', 'recorded', 1],
      [null, 'runtime', 1],
    ]);
    expect(blocks[0]?.counts).toMatchObject({ 'in-sync': 1, drifted: 1, missing: 0 });
  });
});
