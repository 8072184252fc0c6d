import { describe, expect, test } from 'vitest';
import { countingIds } from '../../test/ports/counting-ids.ts';
import type { Effect } from '../../test/ports/faults.ts';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryTable, type TableCall, written } from '../../test/ports/memory-table.ts';
import { grantLease, releaseLease, type Tenure } from '../lease/lease.ts';
import { type Claim, dropClaim, moveClaim, readClaim, takeClaim } from './claim.ts';
import type { Entry, LedgerLine } from './entry.ts';
import { type Identity, identityHash } from './identity.ts';
import { createLedgerLine, readLedgerLine, saveLedgerLine } from './ledger-line.ts';

const here = 'repo#main#preview#pr-7';
const there = 'repo#main#preview#pr-8';
const thing: Identity = { adapter: 'example', account: { place: 'here' }, key: 'thing:x' };
const entry: Entry = {
  ...thing,
  op: 'things',
  opVersion: 1,
  provider: {},
  label: 'thing x',
  createdBy: 'intent',
  run: 'one',
  fence: 1,
  sequence: '1',
};
const isClaim = written('CLAIM#');

function bench() {
  const memory = memoryTable();
  const clock = manualClock();
  const world = { table: memory.table, ids: countingIds(), clock, timing: { leaseTtl: 900_000, skew: 0 } };
  const claim = async () => (await readClaim(world, thing)) as Claim;
  const owner = async () => {
    const found = await readClaim(world, thing);
    return found && `${found.scope} ${found.line}`;
  };
  const take = (scope: string, line = 'a') => takeClaim(world, thing, scope, line);
  async function hold(scope: string, run: string): Promise<Tenure> {
    const granted = await grantLease(world, scope, run);
    if (!granted.granted) throw new Error('not granted');
    return granted.tenure;
  }
  async function record(scope: string, tenure: Tenure): Promise<void> {
    await createLedgerLine(world, scope, tenure, 'one', { line: 'a', adapter: 'example', op: 'things', needs: [] });
    await saveLedgerLine(world, scope, tenure, 'one', (await readLedgerLine(memory.table, scope, 'a')) as LedgerLine, { entries: [entry] });
  }
  return { memory, clock, world, claim, owner, take, hold, record };
}

describe('an identity (R1.74, R1.97)', () => {
  test('is one thing whatever the order of its account’s fields', () => {
    const one = { adapter: 'vercel', account: { project: 'p', team: 't' }, key: 'k' };
    const other = { adapter: 'vercel', account: { team: 't', project: 'p' }, key: 'k' };
    expect(identityHash(one)).toBe(identityHash(other));
  });

  test.each<Partial<Identity>>([{ adapter: 'other' }, { account: { place: 'there' } }, { key: 'thing:y' }])('is another with %o', (change) => {
    expect(identityHash({ ...thing, ...change })).not.toBe(identityHash(thing));
  });
});

describe('taking a claim (P4)', () => {
  test('that nobody has makes us its owner', async () => {
    const { take, owner } = bench();
    expect(await take(here)).toMatchObject({ ours: true });
    expect(await owner()).toBe(`${here} a`);
  });

  test('that is ours writes it afresh, so that whoever saw the old one cannot steal it', async () => {
    const { take, claim } = bench();
    await take(here);
    const before = await claim();
    const again = await take(here);
    expect(again).toMatchObject({ ours: true });
    expect((await claim()).writeId).not.toBe(before.writeId);
    expect(again.ours && again.writeId).toBe((await claim()).writeId);
  });

  test('whose owner holds a live lease is refused, entry or not (R1.86)', async () => {
    const { take, hold, owner } = bench();
    await hold(here, 'one');
    await take(here);
    expect(await take(there)).toMatchObject({ ours: false, owner: { scope: here, line: 'a' } });
    expect(await owner()).toBe(`${here} a`);
  });

  test('whose owner has an entry is refused, lease or not', async () => {
    const { take, hold, record, world } = bench();
    await record(here, await hold(here, 'one'));
    await take(here);
    await releaseLease(world, here, 'one');
    expect(await take(there)).toMatchObject({ ours: false });
  });

  test('whose owner has neither is taken over', async () => {
    const { take, hold, owner, clock } = bench();
    await hold(here, 'one');
    await take(here);
    clock.advance(900_001);
    expect(await take(there)).toMatchObject({ ours: true });
    expect(await owner()).toBe(`${there} a`);
  });

  test('reads claim, then lease, then ledger line, in this order', async () => {
    const { take, hold, memory, clock } = bench();
    await hold(here, 'one');
    await take(here);
    clock.advance(900_001);
    const from = memory.calls.length;
    await take(there);
    const gets = memory.calls.slice(from).flatMap((call: TableCall) => (call.op === 'get' ? [call.key.sk] : []));
    expect(gets.slice(-3)).toEqual(['CLAIM', 'LEASE', 'LEDGER#a']);
  });

  test('from an owner that records its entry between our reading of lease and ledger finds the entry', async () => {
    const { take, hold, record, memory, clock, owner } = bench();
    const tenure = await hold(here, 'one');
    await take(here);
    clock.advance(900_001);
    memory.faults.before(
      (call) => call.op === 'get' && call.key.sk === 'LEDGER#a',
      () => record(here, tenure),
    );
    expect(await take(there)).toMatchObject({ ours: false });
    expect(await owner()).toBe(`${here} a`);
  });

  test('from an owner that claims it again meanwhile is refused', async () => {
    const { take, hold, memory, clock, owner } = bench();
    await hold(here, 'one');
    await take(here);
    clock.advance(900_001);
    memory.faults.before(isClaim, async () => {
      await hold(here, 'one');
      await take(here);
    });
    expect(await take(there)).toMatchObject({ ours: false });
    expect(await owner()).toBe(`${here} a`);
  });

  test('by two at once has one winner', async () => {
    const { take, hold } = bench();
    await hold(here, 'one');
    await hold(there, 'two');
    const answers = await Promise.all([take(here), take(there)]);
    expect(answers.filter((one) => one.ours)).toHaveLength(1);
  });
});

describe('giving a claim away (P4)', () => {
  test('removes the one that was read, and no successor of it', async () => {
    const { take, claim, owner, world } = bench();
    await take(here);
    const seen = await claim();
    await take(here);
    await dropClaim(world, thing, seen);
    expect(await owner()).toBe(`${here} a`);
    await dropClaim(world, thing, await claim());
    expect(await owner()).toBeUndefined();
  });

  test('to another line of the scope is on condition of the claim that was seen', async () => {
    const { take, claim, owner, world } = bench();
    await take(here);
    const seen = await claim();
    expect(await moveClaim(world, thing, seen, 'b')).toBe(true);
    expect(await owner()).toBe(`${here} b`);
    expect(await moveClaim(world, thing, seen, 'c')).toBe(false);
    expect(await owner()).toBe(`${here} b`);
  });
});

test.each<Effect>(['done', 'never'])('every write of a claim is recognised with its answer lost (%s)', async (effect) => {
  const { take, claim, owner, memory, world, clock, hold } = bench();
  await hold(here, 'one');
  memory.faults.loseAnswer(isClaim, effect);
  expect(await take(here)).toMatchObject({ ours: true });
  memory.faults.loseAnswer(isClaim, effect);
  const again = await take(here);
  expect(again.ours && again.writeId).toBe((await claim()).writeId);
  memory.faults.loseAnswer(isClaim, effect);
  expect(await moveClaim(world, thing, await claim(), 'b')).toBe(true);
  clock.advance(900_001);
  memory.faults.loseAnswer(isClaim, effect);
  expect(await take(there)).toMatchObject({ ours: true });
  memory.faults.loseAnswer(isClaim, effect);
  await dropClaim(world, thing, await claim());
  expect(await owner()).toBeUndefined();
});
