import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnswerLost, type Item, type Key, type Table } from '../../shared/ports/table.ts';
import { absent, all, always, any, atMost, below, type Condition, equal, has, lacks, present } from '../../shared/table/condition.ts';
import { write } from '../../shared/table/write.ts';
import { countingIds } from '../ports/counting-ids.ts';

export interface TableUnderTest {
  readonly table: Table;
  /** Loses the answer of the next write, which takes effect or never does. */
  loseNextWrite(effect: 'done' | 'never'): void;
  stop(): Promise<void>;
}

/** What every implementation of the Table port must do. One table for all tests: each uses a partition of its own. */
export function tableContract(name: string, start: () => Promise<TableUnderTest>): void {
  describe(`the table on ${name}`, () => {
    let under: TableUnderTest;
    let table: Table;
    let count = 0;
    const stamp = Date.now().toString(36);
    const fresh = (): Key => ({ pk: `CONTRACT#${stamp}#${++count}`, sk: 'ITEM' });

    beforeAll(async () => {
      under = await start();
      table = under.table;
    });
    afterAll(() => under.stop());

    const stored = async (content: Record<string, unknown>): Promise<Key> => {
      const key = fresh();
      await table.write(key, { put: content }, always);
      return key;
    };

    describe('conditions', () => {
      const content = { text: 'a', count: 5, yes: true };
      const cases: [string, Condition, boolean, boolean][] = [
        // what, condition, holds for the item, holds where there is none
        ['always', always, true, true],
        ['present', present, true, false],
        ['absent', absent, false, true],
        ['an attribute that is there', has('text'), true, false],
        ['an attribute that is not there', has('other'), false, false],
        ['lacking an attribute that is there', lacks('text'), false, true],
        ['lacking an attribute that is not there', lacks('other'), true, true],
        ['equal text', equal('text', 'a'), true, false],
        ['other text', equal('text', 'b'), false, false],
        ['equal number', equal('count', 5), true, false],
        ['a number as text', equal('count', '5'), false, false],
        ['equal truth', equal('yes', true), true, false],
        ['at most the number itself', atMost('count', 5), true, false],
        ['at most less', atMost('count', 4), false, false],
        ['at most, of text', atMost('text', 9), false, false],
        ['below the number itself', below('count', 5), false, false],
        ['below more', below('count', 6), true, false],
        ['below, of nothing', below('other', 6), false, false],
        ['all that hold', all(present, equal('text', 'a'), atMost('count', 5)), true, false],
        ['all but one', all(present, equal('text', 'a'), atMost('count', 4)), false, false],
        ['all of nothing', all(), true, true],
        ['any of one that holds', any(absent, equal('text', 'a')), true, true],
        ['any of none that holds', any(equal('text', 'b'), below('count', 1)), false, false],
        ['any of nothing', any(), false, false],
        ['any with always', any(equal('text', 'b'), always), true, true],
        ['nested', all(any(lacks('other'), equal('other', 1)), any(equal('text', 'x'), all(has('yes'), below('count', 6)))), true, false],
      ];

      test.each(cases)('%s', async (_what, condition, onItem, onNothing) => {
        const there = await stored(content);
        const nothing = fresh();
        for (const change of [{ set: { seen: 1 } }, { put: { seen: 1 } }, { delete: true as const }]) {
          await table.write(there, { put: content }, always);
          expect((await table.write(there, change, condition)).applied).toBe(onItem);
          expect((await table.get(there))?.['text']).toBe(onItem && !('set' in change) ? undefined : 'a');
          expect((await table.write(nothing, change, condition)).applied).toBe(onNothing);
          await table.write(nothing, { delete: true }, always);
        }
      });
    });

    test('a put replaces the whole item and gives the one before', async () => {
      const key = await stored({ a: 1, b: 2 });
      expect(await table.write(key, { put: { c: 3 } }, present)).toEqual({ applied: true, before: { ...key, a: 1, b: 2 } });
      expect(await table.get(key)).toEqual({ ...key, c: 3 });
    });

    test('an update changes what it names, takes away what it names, and keeps the rest', async () => {
      const key = await stored({ keep: 'k', change: 1, gone: true });
      const answer = await table.write(
        key,
        { set: { change: 2, added: { deep: ['x', null, 1.5] }, nothing: undefined }, remove: ['gone', 'never was'] },
        present,
      );
      expect(answer).toEqual({ applied: true, before: { ...key, keep: 'k', change: 1, gone: true } });
      expect(await table.get(key)).toEqual({ ...key, keep: 'k', change: 2, added: { deep: ['x', null, 1.5] } });
    });

    test('words that DynamoDB reserves are names like any other', async () => {
      const key = await stored({ status: 'x', name: 'n', order: 'o', until: 1 });
      await table.write(key, { set: { status: 'y' }, remove: ['name'] }, all(equal('status', 'x'), has('order'), below('until', 2)));
      expect(await table.get(key)).toEqual({ ...key, status: 'y', order: 'o', until: 1 });
    });

    test('a delete gives what it deleted, and nothing where nothing was', async () => {
      const key = await stored({ a: 1 });
      expect(await table.write(key, { delete: true }, present)).toEqual({ applied: true, before: { ...key, a: 1 } });
      expect(await table.get(key)).toBeUndefined();
      expect(await table.write(key, { delete: true }, always)).toEqual({ applied: true });
    });

    test('an update under no condition makes the item that was not there', async () => {
      const key = fresh();
      expect(await table.write(key, { set: { a: 1 } }, always)).toEqual({ applied: true });
      expect(await table.get(key)).toEqual({ ...key, a: 1 });
    });

    describe('sets', () => {
      test('members are added and dropped, and a set that lost its last member is no attribute', async () => {
        const key = await stored({});
        await table.write(key, { add: { open: ['a', 'b'] } }, present);
        await table.write(key, { add: { open: ['b', 'c'] }, set: { n: 1 } }, present);
        expect(await table.get(key)).toEqual({ ...key, n: 1, open: new Set(['a', 'b', 'c']) });
        await table.write(key, { drop: { open: ['a', 'never was'] } }, present);
        expect((await table.get(key))?.['open']).toEqual(new Set(['b', 'c']));
        await table.write(key, { drop: { open: ['b', 'c'] } }, present);
        expect(await table.get(key)).toEqual({ ...key, n: 1 });
        expect((await table.write(key, { set: { empty: true } }, lacks('open'))).applied).toBe(true);
      });

      test('an empty set, put or set, is no attribute; adding nobody changes nothing', async () => {
        const key = await stored({ put: new Set(), full: new Set(['x']) });
        expect(await table.get(key)).toEqual({ ...key, full: new Set(['x']) });
        await table.write(key, { set: { full: new Set(), other: new Set() }, add: { nobody: [] }, drop: { nobody: [] } }, present);
        expect(await table.get(key)).toEqual(key);
      });

      test('dropping from an item that is not there, under present, makes none', async () => {
        const key = fresh();
        expect(await table.write(key, { drop: { open: ['a'] } }, present)).toEqual({ applied: false });
        expect(await table.get(key)).toBeUndefined();
      });

      test('dropping from a set that is not there changes nothing else', async () => {
        const key = await stored({ a: 1 });
        expect((await table.write(key, { drop: { open: ['a'] } }, present)).applied).toBe(true);
        expect(await table.get(key)).toEqual({ ...key, a: 1 });
      });
    });

    test('of 50 that raise the same number at once exactly one wins', async () => {
      const key = await stored({ n: 0 });
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all(Array.from({ length: 50 }, (_, by) => table.write(key, { set: { n: round + 1, by } }, equal('n', round))));
        expect(answers.filter((answer) => answer.applied)).toHaveLength(1);
        expect(await table.get(key)).toMatchObject({ n: round + 1, by: answers.findIndex((answer) => answer.applied) });
      }
    });

    test('of 50 that put an item where none is exactly one wins', async () => {
      const key = fresh();
      const answers = await Promise.all(Array.from({ length: 50 }, (_, by) => table.write(key, { put: { by } }, absent)));
      expect(answers.filter((answer) => answer.applied)).toHaveLength(1);
    });

    describe('reading a partition', () => {
      test('items come in the order of their sort keys, by prefix, up to a limit', async () => {
        const { pk } = fresh();
        for (const sk of ['LINE#b', 'META', 'LINE#a', 'LINE#ä', 'LINE#A', 'LOG#1']) await table.write({ pk, sk }, { put: {} }, always);
        const names = (items: Item[]) => items.map((item) => item.sk);
        expect(names(await table.query(pk, 'LINE#'))).toEqual(['LINE#A', 'LINE#a', 'LINE#b', 'LINE#ä']);
        expect(names(await table.query(pk, 'LINE#', 2))).toEqual(['LINE#A', 'LINE#a']);
        expect(names(await table.query(pk, ''))).toEqual(['LINE#A', 'LINE#a', 'LINE#b', 'LINE#ä', 'LOG#1', 'META']);
        expect(await table.query(pk, 'NONE#')).toEqual([]);
      });

      test('more than a page of one megabyte comes whole', async () => {
        const { pk } = fresh();
        const keys = Array.from({ length: 8 }, (_, index) => ({ pk, sk: `LINE#${index}` }));
        await Promise.all(keys.map((key) => table.write(key, { put: { filling: 'x'.repeat(300_000) } }, always)));
        expect((await table.query(pk, 'LINE#')).map((item) => item.sk)).toEqual(keys.map((key) => key.sk));
      });
    });

    describe('the indexes', () => {
      test('hold the items that have both attributes, in order, either way round', async () => {
        const { pk } = fresh();
        const status = `due-${pk}`;
        const put = (sk: string, content: Record<string, unknown>) => table.write({ pk, sk }, { put: content }, always);
        await put('2', { status, since: '2026-01-02' });
        await put('1', { status, since: '2026-01-01' });
        await put('3', { status, since: '2026-01-03' });
        await put('no order', { status });
        await put('elsewhere', { status: `${status}-other`, since: '2026-01-01' });
        const listed = async (more: object) => (await table.list({ index: 'due', partition: status, ...more })).map((item) => item.sk);
        expect(await listed({})).toEqual(['1', '2', '3']);
        expect(await listed({ newestFirst: true, limit: 2 })).toEqual(['3', '2']);
        expect(await listed({ atMost: '2026-01-02' })).toEqual(['1', '2']);
        expect(await listed({ atMost: '2026-01-01T' })).toEqual(['1']);
        await table.write({ pk, sk: '2' }, { remove: ['since'] }, present);
        expect(await listed({})).toEqual(['1', '3']);
      });

      test('are read by prefix, alone and with an upper end', async () => {
        const { pk } = fresh();
        for (const order of ['run#1', 'run#2', 'run#3', 'scope#1', 'aaa']) await table.write({ pk, sk: order }, { put: { repo: pk, order } }, always);
        const listed = async (more: object) => (await table.list({ index: 'repo', partition: pk, ...more })).map((item) => item['order']);
        expect(await listed({ prefix: 'run#' })).toEqual(['run#1', 'run#2', 'run#3']);
        expect(await listed({ prefix: 'run#', newestFirst: true, limit: 1 })).toEqual(['run#3']);
        expect(await listed({ prefix: 'run#', atMost: 'run#2' })).toEqual(['run#1', 'run#2']);
        expect(await listed({ prefix: 'run#', atMost: 'scope#9' })).toEqual(['run#1', 'run#2', 'run#3']);
        expect(await listed({ prefix: 'run#', atMost: 'scope#9', newestFirst: true, limit: 1 })).toEqual(['run#3']);
        expect(await listed({ prefix: 'run#', atMost: 'a' })).toEqual([]);
      });
    });

    test('what was written is read at once, by its key and in its partition', async () => {
      const { pk } = fresh();
      await Promise.all(
        Array.from({ length: 5 }, async (_, index) => {
          const key = { pk, sk: `LINE#${index}` };
          for (const n of [1, 2, 3]) {
            await table.write(key, { set: { n } }, always);
            expect((await table.get(key))?.['n']).toBe(n);
            expect((await table.query(pk, key.sk)).map((item) => item['n'])).toEqual([n]);
          }
        }),
      );
    });

    describe('compare and swap', () => {
      const ids = countingIds();
      const swap = (key: Key, read: Item | undefined, content: Record<string, unknown>) =>
        write({ table, ids }, key, { put: content }, read ? equal('writeId', String(read['writeId'])) : absent);

      test('lets no raise of a number be lost, of however many that read and write it without a transaction', async () => {
        const key = fresh();
        const raise = async (): Promise<void> => {
          for (;;) {
            const read = await table.get(key);
            if ((await swap(key, read, { n: Number(read?.['n'] ?? 0) + 1 })).won) return;
          }
        };
        await Promise.all(
          Array.from({ length: 5 }, async () => {
            for (let times = 0; times < 4; times += 1) await raise();
          }),
        );
        expect((await table.get(key))?.['n']).toBe(20);
      });

      test('is refused over what somebody else wrote since it was read, the same content or another', async () => {
        const key = fresh();
        await swap(key, undefined, { n: 1 });
        const read = await table.get(key);
        const theirs = await swap(key, read, { n: 1 });
        expect(await swap(key, read, { n: 1 })).toEqual({ won: false, found: { ...key, n: 1, writeId: theirs.won && theirs.writeId } });
      });

      test('sent twice is refused the second time, and known as our own by its writeId', async () => {
        const key = fresh();
        const change = { put: { n: 1, writeId: 'ours' } };
        expect(await table.write(key, change, absent)).toEqual({ applied: true });
        expect(await table.write(key, change, absent)).toEqual({ applied: false });
        expect(await table.get(key)).toEqual({ ...key, n: 1, writeId: 'ours' });
      });

      test.each(['done', 'never'] as const)('has won though its answer was lost, its effect %s at first', async (effect) => {
        const key = fresh();
        under.loseNextWrite(effect);
        const first = await swap(key, undefined, { n: 1 });
        expect(first).toMatchObject({ won: true });
        expect(await table.get(key)).toEqual({ ...key, n: 1, writeId: first.won && first.writeId });

        under.loseNextWrite(effect);
        const second = await write({ table, ids }, key, { set: { n: 2 } }, equal('writeId', String(first.won && first.writeId)));
        expect(second).toMatchObject({ won: true });
        expect(await table.get(key)).toEqual({ ...key, n: 2, writeId: second.won && second.writeId });

        under.loseNextWrite(effect);
        expect(await write({ table, ids }, key, { delete: true }, equal('n', 2))).toMatchObject({ won: true });
        expect(await table.get(key)).toBeUndefined();
      });

      test('has not won where it was refused and the refusal was lost', async () => {
        const key = fresh();
        const theirs = await swap(key, undefined, { by: 'them' });
        under.loseNextWrite('done');
        expect(await swap(key, undefined, { by: 'us' })).toEqual({ won: false, found: { ...key, by: 'them', writeId: theirs.won && theirs.writeId } });
      });
    });

    describe('a lost answer', () => {
      test.each([
        ['done', { n: 1 }],
        ['never', undefined],
      ] as const)('is told apart from a refusal, be the effect there or not: %s', async (effect, content) => {
        const key = fresh();
        under.loseNextWrite(effect);
        await expect(table.write(key, { put: { n: 1 } }, absent)).rejects.toBeInstanceOf(AnswerLost);
        expect(await table.get(key)).toEqual(content && { ...key, ...content });
      });
    });
  });
}
