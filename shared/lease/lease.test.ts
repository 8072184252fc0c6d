import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import type { Effect } from '../../test/ports/faults.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryTable, written } from '../../test/ports/memory-table.ts';
import { createLedgerLine, LedgerMoved, readLedgerLine, saveLedgerLine } from '../ledger/ledger-line.ts';
import { headKey, leaseKey, ledgerKey } from '../table/keys.ts';
import { enterLease, grantLease, isLive, type Lease, readLease, releaseLease, waitForLease } from './lease.ts';

const scope = 'repo#main#preview#pr-7';
const ttl = 900_000;
const skew = 30_000;
const { pk } = leaseKey(scope);
const isLease = written(pk, 'LEASE');

function bench() {
  const memory = memoryTable();
  const clock = manualClock();
  const world = { table: memory.table, ids: countingIds(), clock, timing: { leaseTtl: ttl, skew } };
  const lease = async () => (await readLease(world, scope)) as Lease;
  return { memory, clock, world, lease, grant: (run: string) => grantLease(world, scope, run), enter: (run: string) => enterLease(world, scope, run) };
}

describe('a grant (P3)', () => {
  test('of a lease that never was has fence 1', async () => {
    const { grant, lease } = bench();
    expect(await grant('one')).toMatchObject({ granted: true, tenure: { fence: 1 } });
    expect(await lease()).toMatchObject({ holder: 'one', fence: 1, sealedAt: 1, released: false });
  });

  test.each([
    ['released', 'yes'],
    ['sealedAt', 'never'],
    ['waiters', 'two'],
  ])('of a lease whose `%s` is damaged is refused, and tried no second time (I11)', async (attribute, value) => {
    const { grant, memory } = bench();
    await grant('one');
    await memory.table.write(leaseKey(scope), { set: { [attribute]: value } }, { is: 'always' });
    const calls = memory.calls.length;
    await expect(grant('two')).rejects.toMatchObject({ code: 'RECEIPT_CORRUPT' });
    expect(memory.calls.length).toBeLessThan(calls + 4);
  });

  test('of a lease that ran out raises the fence and names whose it was (R1.90)', async () => {
    const { grant, clock } = bench();
    await grant('one');
    clock.advance(ttl + 1);
    expect(await grant('two')).toMatchObject({ granted: true, tenure: { fence: 2 }, tookOver: 'one' });
  });

  test('of a released lease raises the fence and took nothing over', async () => {
    const { grant, world } = bench();
    await grant('one');
    await releaseLease(world, scope, 'one');
    const granted = await grant('two');
    expect(granted).toMatchObject({ granted: true, tenure: { fence: 2 } });
    expect(granted).not.toHaveProperty('tookOver');
  });

  test('of our own live lease has the same fence, so that a duplicate does not fence the run out', async () => {
    const { grant } = bench();
    await grant('one');
    expect(await grant('one')).toMatchObject({ granted: true, tenure: { fence: 1 } });
  });

  test("of somebody's live lease is refused, saying whose it is (R1.43)", async () => {
    const { grant, clock } = bench();
    await grant('one');
    clock.advance(ttl);
    expect(await grant('two')).toMatchObject({ granted: false, lease: { holder: 'one', fence: 1 } });
  });

  test('asked for by two at the same instant goes to one of them', async () => {
    const { grant, lease } = bench();
    const grants = await Promise.all([grant('one'), grant('two')]);
    expect(grants.filter((one) => one.granted)).toHaveLength(1);
    expect((await lease()).fence).toBe(1);
  });
});

describe('a deadline is an instant on the own clock, two skews before anybody else may start (P1.2, P3, R1.91)', () => {
  test('from when the grant was sent', async () => {
    const { grant, clock } = bench();
    const sent = clock.now();
    expect(await grant('one')).toMatchObject({ tenure: { deadline: sent + ttl - 2 * skew } });
  });

  test('and never after the lease ends', async () => {
    const { grant, enter, clock } = bench();
    const sent = clock.now();
    await grant('one');
    clock.advance(ttl / 4);
    expect(await enter('one')).toMatchObject({ tenure: { deadline: sent + ttl - 2 * skew } });
  });
});

describe('entering (P3)', () => {
  test('renews when less than two thirds is left (R1.44, R1.87)', async () => {
    const { grant, enter, lease, clock } = bench();
    await grant('one');
    clock.advance(ttl / 3);
    await enter('one');
    expect((await lease()).expiresAt).toBe(clock.now() - ttl / 3 + ttl);
    clock.advance(1);
    await enter('one');
    expect((await lease()).expiresAt).toBe(clock.now() + ttl);
    expect((await lease()).fence).toBe(1);
  });

  test('grants again what ran out and nobody took, under the next fence', async () => {
    const { grant, enter, clock } = bench();
    await grant('one');
    clock.advance(ttl + 1);
    expect(await enter('one')).toMatchObject({ ours: true, tenure: { fence: 2 } });
  });

  test('finds a lease taken whose holder is another run, be it live, run out or released (R1.89)', async () => {
    const { grant, enter, clock, world } = bench();
    await grant('one');
    clock.advance(ttl + 1);
    await grant('two');
    expect(await enter('one')).toMatchObject({ ours: false, lease: { holder: 'two' } });
    clock.advance(ttl + 1);
    expect(await enter('one')).toMatchObject({ ours: false });
    await releaseLease(world, scope, 'two');
    expect(await enter('one')).toMatchObject({ ours: false });
  });

  test('finds nothing where no lease ever was', async () => {
    expect(await bench().enter('one')).toEqual({ ours: false, lease: undefined });
  });

  test('loses against another run that takes the lease between the reading and the grant', async () => {
    const { grant, enter, clock, memory } = bench();
    await grant('one');
    clock.advance(ttl + 1);
    memory.faults.before(isLease, () => grant('two'));
    expect(await enter('one')).toMatchObject({ ours: false, lease: { holder: 'two', fence: 2 } });
  });
});

describe('sealing (P3)', () => {
  async function withLine(b: ReturnType<typeof bench>) {
    const granted = await b.grant('one');
    if (!granted.granted) throw new Error('not granted');
    await createLedgerLine(b.world, scope, granted.tenure, 'one', { line: 'a', adapter: 'x', op: 'y', needs: [] });
    return granted.tenure;
  }

  test('raises the fence of every ledger line and leaves version and content, so that a late worker is refused (I9, R1.88)', async () => {
    const b = bench();
    const late = await withLine(b);
    const before = await readLedgerLine(b.memory.table, scope, 'a');
    if (!before) throw new Error('no line');
    b.clock.advance(ttl + 1);
    await b.grant('two');
    expect(await readLedgerLine(b.memory.table, scope, 'a')).toEqual({ ...before, fence: 2 });
    await expect(saveLedgerLine(b.world, scope, late, 'one', before, { entries: [] })).rejects.toBeInstanceOf(LedgerMoved);
  });

  test('comes before the mark, and the mark before the grant is answered', async () => {
    const b = bench();
    await withLine(b);
    b.clock.advance(ttl + 1);
    const from = b.memory.writes.length;
    await b.grant('two');
    const order = b.memory.writes.slice(from).map((one) => `${one.key.sk}${'set' in one.change && one.change.set?.['sealedAt'] ? ' sealed' : ''}`);
    expect(order).toEqual(['LEASE', 'LEDGER#a', 'LEASE sealed']);
  });

  test.each(['grant', 'enter'] as const)('that a death cut off is done again by the next step (%s)', async (next) => {
    const b = bench();
    await withLine(b);
    b.clock.advance(ttl + 1);
    b.memory.faults.fail(written(pk, 'LEDGER#'), new Error('died while it sealed'));
    await expect(b.grant('two')).rejects.toThrow('died');
    expect(await b.lease()).toMatchObject({ holder: 'two', fence: 2, sealedAt: 1 });
    expect(b.memory.peek(pk, 'LEDGER#a')?.['fence']).toBe(1);
    await b[next]('two');
    expect(await b.lease()).toMatchObject({ fence: 2, sealedAt: 2 });
    expect(b.memory.peek(pk, 'LEDGER#a')?.['fence']).toBe(2);
  });

  test('makes no item: a ledger line that goes meanwhile stays away', async () => {
    const b = bench();
    await withLine(b);
    b.clock.advance(ttl + 1);
    b.memory.faults.before(written(pk, 'LEDGER#'), () => b.memory.table.write(ledgerKey(scope, 'a'), { delete: true }, { is: 'always' }));
    await b.grant('two');
    expect(b.memory.peek(pk, 'LEDGER#a')).toBeUndefined();
    expect(b.memory.peek(pk, headKey(scope).sk)).toBeUndefined();
  });
});

describe('waiting and release (P3)', () => {
  test('release gives the waiters back and keeps the item, so that the fence never starts again', async () => {
    const { grant, world, lease } = bench();
    await grant('one');
    const seen = await lease();
    expect(await waitForLease(world, scope, 'two', seen)).toBe('waiting');
    expect(await waitForLease(world, scope, 'three', seen)).toBe('waiting');
    expect(await releaseLease(world, scope, 'one')).toEqual(['three', 'two']);
    expect(await lease()).toMatchObject({ released: true, fence: 1, waiters: [] });
  });

  test('whoever saw the lease before it was released does not wait for a wake-up that never comes', async () => {
    const { grant, world, lease } = bench();
    await grant('one');
    const seen = await lease();
    await releaseLease(world, scope, 'one');
    expect(await waitForLease(world, scope, 'two', seen)).toBe('free');
  });

  test('nor under a fence that is not the one seen', async () => {
    const { grant, world, lease, clock } = bench();
    await grant('one');
    const seen = await lease();
    clock.advance(ttl + 1);
    await grant('two');
    expect(await waitForLease(world, scope, 'three', seen)).toBe('free');
  });

  test('a release is no release of what another run holds by now (I9)', async () => {
    const { grant, world, lease, clock } = bench();
    await grant('one');
    clock.advance(ttl + 1);
    await grant('two');
    expect(await releaseLease(world, scope, 'one')).toEqual([]);
    expect(isLive(await lease(), clock.now())).toBe(true);
  });

  test('a waiter that comes between the reading and the release is woken, too', async () => {
    const { grant, world, lease, memory } = bench();
    await grant('one');
    const seen = await lease();
    memory.faults.before(
      (call) => isLease(call) && call.op === 'write' && 'set' in call.change && call.change.set?.['released'] === true,
      () => waitForLease(world, scope, 'two', seen),
    );
    expect(await releaseLease(world, scope, 'one')).toEqual(['two']);
  });
});

describe.each<Effect>(['done', 'never'])('with an answer lost (%s), every write of a lease is recognised (P4)', (effect) => {
  test('the grant of a new lease', async () => {
    const { grant, memory, lease } = bench();
    memory.faults.loseAnswer(isLease, effect);
    expect(await grant('one')).toMatchObject({ granted: true, tenure: { fence: 1 } });
    expect(await lease()).toMatchObject({ fence: 1, sealedAt: 1 });
  });

  test('the mark that it is sealed', async () => {
    const { grant, memory, lease } = bench();
    let writes = 0;
    memory.faults.loseAnswer((call) => isLease(call) && ++writes === 2, effect);
    await grant('one');
    expect(await lease()).toMatchObject({ fence: 1, sealedAt: 1 });
  });

  test('a takeover, an own lease granted again, and the renewal', async () => {
    const { grant, enter, memory, lease, clock } = bench();
    await grant('one');
    clock.advance(ttl + 1);
    memory.faults.loseAnswer(isLease, effect);
    expect(await grant('two')).toMatchObject({ granted: true, tenure: { fence: 2 }, tookOver: 'one' });
    clock.advance(ttl + 1);
    memory.faults.loseAnswer(isLease, effect);
    expect(await enter('two')).toMatchObject({ ours: true, tenure: { fence: 3 } });
    clock.advance(ttl / 2);
    memory.faults.loseAnswer(isLease, effect);
    expect(await enter('two')).toMatchObject({ ours: true, tenure: { fence: 3, deadline: clock.now() + ttl - 2 * skew } });
    expect((await lease()).expiresAt).toBe(clock.now() + ttl);
  });

  test('the raising of a fence', async () => {
    const b = bench();
    const granted = await b.grant('one');
    if (!granted.granted) throw new Error('not granted');
    await createLedgerLine(b.world, scope, granted.tenure, 'one', { line: 'a', adapter: 'x', op: 'y', needs: [] });
    b.clock.advance(ttl + 1);
    b.memory.faults.loseAnswer(written(pk, 'LEDGER#'), effect);
    await b.grant('two');
    expect(b.memory.peek(pk, 'LEDGER#a')?.['fence']).toBe(2);
  });

  test('the note of a waiter, and the release with its waiters', async () => {
    const { grant, world, lease, memory } = bench();
    await grant('one');
    const seen = await lease();
    memory.faults.loseAnswer(isLease, effect);
    expect(await waitForLease(world, scope, 'two', seen)).toBe('waiting');
    memory.faults.loseAnswer(isLease, effect);
    expect(await releaseLease(world, scope, 'one')).toEqual(['two']);
    expect(await lease()).toMatchObject({ released: true, waiters: [] });
  });
});

describe('a lease that policy gives a time of its own (P3)', () => {
  const own = 2 * ttl;

  test('stands that long, and whoever enters it keeps to that without knowing the policy', async () => {
    const { world, clock, lease, enter } = bench();
    const granted = await grantLease(world, scope, 'one', { ttl: own });
    expect(granted).toMatchObject({ granted: true, tenure: { deadline: clock.now() + own - 2 * skew } });
    expect(await lease()).toMatchObject({ ttl: own, expiresAt: clock.now() + own });
    clock.advance(own / 2);
    expect(await enter('one')).toMatchObject({ ours: true, tenure: { fence: 1, deadline: clock.now() + own - 2 * skew } });
    clock.advance(own + 1);
    expect(await enter('one')).toMatchObject({ ours: true, tenure: { fence: 2, deadline: clock.now() + own - 2 * skew } });
    expect(await lease()).toMatchObject({ expiresAt: clock.now() + own });
  });

  test('is that run’s alone: the next one has its own, or the stack’s', async () => {
    const { world, clock, lease, grant } = bench();
    await grantLease(world, scope, 'one', { ttl: own });
    clock.advance(own + 1);
    await grant('two');
    expect(await lease()).toMatchObject({ holder: 'two', expiresAt: clock.now() + ttl });
    expect(await lease()).not.toHaveProperty('ttl');
  });

  test('is never below what the stack’s own work needs', async () => {
    const { world, clock, lease } = bench();
    await grantLease({ ...world, timing: { ...world.timing, leastLeaseTtl: ttl } }, scope, 'one', { ttl: 1000 });
    expect(await lease()).toMatchObject({ expiresAt: clock.now() + ttl });
  });
});
