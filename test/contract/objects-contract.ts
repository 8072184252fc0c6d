import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Objects } from '../../shared/ports/objects.ts';

export interface ObjectsUnderTest {
  readonly objects: Objects;
  /** Loses the answer of the next put, which takes effect or never does. */
  loseNextPut(effect: 'done' | 'never'): void;
  /** What its caller hears then: the adapter finds out, the port in memory says that nobody knows. */
  readonly afterLoss: 'stored' | 'STORE_UNREACHABLE';
  stop(): Promise<void>;
}

/** What every implementation of the Objects port must do. */
export function objectsContract(name: string, start: () => Promise<ObjectsUnderTest>): void {
  describe(`the bucket on ${name}`, () => {
    let under: ObjectsUnderTest;
    let objects: Objects;
    let count = 0;
    const stamp = Date.now().toString(36);
    const fresh = () => `contract/${stamp}/pr-42#ä ${++count}.json`;

    beforeAll(async () => {
      under = await start();
      objects = under.objects;
    });
    afterAll(() => under.stop());

    test('what is not there is undefined and has no versions', async () => {
      const key = fresh();
      expect(await objects.get(key)).toBeUndefined();
      expect(await objects.versions(key)).toEqual([]);
    });

    test('a body comes back as it was put, with the tag and version of the put', async () => {
      const key = fresh();
      const body = JSON.stringify({ text: 'ü ✓ 𝄞', lines: ['a\nb'] });
      const put = await objects.put(key, body, { ifAbsent: true });
      expect(put).toMatchObject({ stored: true });
      expect({ stored: true, ...(await objects.get(key)) }).toEqual({ ...put, body });
    });

    test('a second create-only put stores nothing, even of the same body', async () => {
      const key = fresh();
      await objects.put(key, 'one', { ifAbsent: true });
      expect(await objects.put(key, 'one', { ifAbsent: true })).toEqual({ stored: false });
      expect(await objects.put(key, 'two', { ifAbsent: true })).toEqual({ stored: false });
      expect((await objects.get(key))?.body).toBe('one');
    });

    test('a put over the tag that was read replaces; over an older tag, or over nothing, it does not', async () => {
      const key = fresh();
      expect(await objects.put(key, 'x', { ifMatch: '"d41d8cd98f00b204e9800998ecf8427e"' })).toEqual({ stored: false });
      const first = await objects.put(key, 'one', { ifAbsent: true });
      const tag = first.stored ? first.etag : '';
      expect(await objects.put(key, 'two', { ifMatch: tag })).toMatchObject({ stored: true });
      expect(await objects.put(key, 'three', { ifMatch: tag })).toEqual({ stored: false });
      expect((await objects.get(key))?.body).toBe('two');
    });

    test('versions are listed newest first, of this key alone', async () => {
      const key = fresh();
      const first = await objects.put(key, 'one', { ifAbsent: true });
      await objects.put(`${key}.more`, 'other', { ifAbsent: true });
      const second = await objects.put(key, 'two', { ifMatch: first.stored ? first.etag : '' });
      const versions = await objects.versions(key);
      expect(versions.map((one) => one.version)).toEqual([second, first].map((put) => (put.stored ? put.version : '')));
      for (const { at } of versions) expect(Number.isInteger(at)).toBe(true);
    });

    test('a version is read by its name, also when a newer one lies on top', async () => {
      const key = fresh();
      const first = await objects.put(key, 'one', { ifAbsent: true });
      await objects.put(key, 'two', { ifMatch: first.stored ? first.etag : '' });
      expect(await objects.get(key, first.stored ? first.version : '')).toMatchObject({ body: 'one' });
      expect(await objects.get(fresh(), first.stored ? first.version : '')).toBeUndefined();
    });

    test('of 20 that replace the same version at once exactly one is stored', async () => {
      const key = fresh();
      const first = await objects.put(key, 'first', { ifAbsent: true });
      const answers = await Promise.all(Array.from({ length: 20 }, (_, by) => objects.put(key, `by ${by}`, { ifMatch: first.stored ? first.etag : '' })));
      expect(answers.filter((answer) => answer.stored)).toHaveLength(1);
      expect((await objects.get(key))?.body).toBe(`by ${answers.findIndex((answer) => answer.stored)}`);
    });

    test('of 20 that create a key at once exactly one is stored', async () => {
      const key = fresh();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, by) => objects.put(key, `by ${by}`, { ifAbsent: true })));
      expect(answers.filter((answer) => answer.stored)).toHaveLength(1);
      expect((await objects.get(key))?.body).toBe(`by ${answers.findIndex((answer) => answer.stored)}`);
      expect(await objects.versions(key)).toHaveLength(1);
    });

    describe('a lost answer', () => {
      const heard = (asked: ReturnType<Objects['put']>): Promise<unknown> =>
        asked.then(
          ({ stored }) => (stored ? 'stored' : 'refused'),
          (error: { code: string }) => error.code,
        );

      test.each(['done', 'never'] as const)(
        'of a create-only put (effect: %s) leaves one version, ours, when its caller puts it until it hears',
        async (effect) => {
          const key = fresh();
          under.loseNextPut(effect);
          expect(await heard(objects.put(key, 'ours', { ifAbsent: true }))).toBe(under.afterLoss);
          await objects.put(key, 'ours', { ifAbsent: true });
          expect((await objects.get(key))?.body).toBe('ours');
          expect(await objects.versions(key)).toHaveLength(1);
        },
      );

      test.each(['done', 'never'] as const)(
        'of a replacing put (effect: %s) leaves one version more when its caller puts it until it hears',
        async (effect) => {
          const key = fresh();
          const first = await objects.put(key, 'one', { ifAbsent: true });
          const over = { ifMatch: first.stored ? first.etag : '' };
          under.loseNextPut(effect);
          expect(await heard(objects.put(key, 'two', over))).toBe(under.afterLoss);
          await objects.put(key, 'two', over);
          expect((await objects.get(key))?.body).toBe('two');
          expect(await objects.versions(key)).toHaveLength(2);
        },
      );

      test('of a put that was refused is not taken for ours', async () => {
        const key = fresh();
        await objects.put(key, 'theirs', { ifAbsent: true });
        under.loseNextPut('done');
        expect(await heard(objects.put(key, 'ours', { ifAbsent: true }))).toBe(under.afterLoss === 'stored' ? 'refused' : under.afterLoss);
        expect((await objects.get(key))?.body).toBe('theirs');
        expect(await objects.versions(key)).toHaveLength(1);
      });
    });
  });
}
