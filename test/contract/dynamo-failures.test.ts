import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dynamoReads, dynamoWrites } from '../../shared/platform/clients.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { AnswerLost } from '../../shared/ports/table.ts';
import { absent, always } from '../../shared/table/condition.ts';
import { createTable, deleteTable, startDynalite } from './dynalite.ts';
import { deployedEndpoints, emulated } from './endpoints.ts';
import { type LosingProxy, type Loss, losingProxy } from './losing-proxy.ts';

const places: { readonly at: string; readonly start: typeof startDynalite }[] = [
  { at: 'dynalite', start: startDynalite },
  ...deployedEndpoints.map(({ name, url }) => ({ at: name, start: async () => ({ url, stop: async () => {} }) })),
];

describe.each(places)('a request to DynamoDB on $at that goes wrong', ({ start }) => {
  let store: Awaited<ReturnType<typeof startDynalite>>;
  let proxy: LosingProxy;
  const name = `failures-${Date.now()}`;
  const key = (sk: string) => ({ pk: 'P', sk });
  const tableAt = (endpoint: string, writeTimeout = 5_000) => {
    const environment = { ...emulated, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
    return dynamoTable({ name, writes: dynamoWrites(environment), reads: dynamoReads(environment), writeTimeout });
  };

  beforeAll(async () => {
    store = await start();
    await createTable(store.url, name);
    proxy = await losingProxy(store.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await deleteTable(store.url, name);
    await store.stop();
  });

  test.each<[Loss, boolean]>([
    ['answer lost', true],
    ['performed, answered 500', true],
    ['hung up', false],
    ['answered 500', false],
  ])('a write is sent once and its answer is lost: %s', async (loss, effect) => {
    proxy.next(loss);
    await expect(tableAt(proxy.url).write(key(loss), { put: {} }, absent)).rejects.toBeInstanceOf(AnswerLost);
    expect(await tableAt(store.url).get(key(loss))).toEqual(effect ? key(loss) : undefined);
  });

  test('a write that is never answered ends with its time-out', async () => {
    proxy.next('never answered');
    await expect(tableAt(proxy.url, 50).write(key('slow'), { put: {} }, absent)).rejects.toBeInstanceOf(AnswerLost);
  });

  test('a read is sent again', async () => {
    await tableAt(store.url).write(key('read'), { put: { n: 1 } }, always);
    proxy.next('hung up');
    proxy.next('answered 500');
    expect(await tableAt(proxy.url).get(key('read'))).toEqual({ ...key('read'), n: 1 });
  });

  test('a write that was refused, or that never left, is no lost answer', async () => {
    const tooLarge = tableAt(store.url).write(key('large'), { put: { filling: 'x'.repeat(450_000) } }, always);
    await expect(tooLarge).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', message: expect.stringMatching(/P \/ large.*ValidationException/) });

    const closed = await losingProxy(store.url);
    await closed.stop();
    await expect(tableAt(closed.url).write(key('unsent'), { put: {} }, always)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    await expect(tableAt(closed.url).get(key('unsent'))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });
});
