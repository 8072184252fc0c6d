import { expect, test } from 'vitest';
import { type MemoryObjects, memoryObjects } from '../../test/ports/memory-objects.ts';
import { digestOf, latestKey } from './chain.ts';
import { verifyChain } from './verify-chain.ts';

const path = 'repo/main/preview/pr-1';
const receipt = (run: string, previous: string | null) => JSON.stringify({ format: 1, run, fence: 1, ledger: [], history: [], previous });

/** A bucket with these versions of the newest receipt, oldest first. */
function bucket(...bodies: readonly string[]): MemoryObjects {
  const memory = memoryObjects();
  for (const body of bodies) memory.plant(latestKey(path), body);
  return memory;
}

const first = receipt('a', null);
const second = receipt('b', digestOf(first));

test('a chain whose every version names the digest of the one before holds', async () => {
  const chain = await verifyChain(bucket(first, second, receipt('c', digestOf(second))).objects, path);
  expect(chain).toMatchObject({ links: 3, latest: { run: 'c' } });
  expect(chain?.broken).toBeUndefined();
});

test('a scope without a receipt has no chain', async () => {
  expect(await verifyChain(memoryObjects().objects, path)).toBeUndefined();
});

test('a version that was taken out is seen by its successor', async () => {
  expect((await verifyChain(bucket(first, receipt('c', digestOf(second))).objects, path))?.broken).toBe(
    'the receipt of run c does not follow the one before it',
  );
});

test('a chain that begins with a link to something is missing its beginning', async () => {
  expect((await verifyChain(bucket(second).objects, path))?.broken).toBe('the receipt of run b follows one that is gone');
});

test('an old version that does not parse breaks the chain, and the newest is shown all the same', async () => {
  expect(await verifyChain(bucket('{', receipt('b', digestOf('{'))).objects, path)).toMatchObject({
    latest: { run: 'b' },
    broken: 'A stored receipt is not JSON.',
  });
});

test('a newest version that does not parse is RECEIPT_CORRUPT', async () => {
  await expect(verifyChain(bucket(first, 'nonsense').objects, path)).rejects.toMatchObject({ code: 'RECEIPT_CORRUPT' });
});
