import { dynamoReads, dynamoWrites } from '../../shared/platform/clients.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { memoryTable } from '../ports/memory-table.ts';
import { createTable, deleteTable, startDynalite } from './dynalite.ts';
import { deployedEndpoints, emulated } from './endpoints.ts';
import { losingProxy } from './losing-proxy.ts';
import { type TableUnderTest, tableContract } from './table-contract.ts';

tableContract('memory', async () => {
  const { table, faults } = memoryTable();
  return { table, loseNextWrite: (effect) => faults.loseAnswer((call) => call.op === 'write', effect), stop: async () => {} };
});

tableContract('dynalite', async () => {
  const dynalite = await startDynalite();
  const under = await tableBehind(dynalite.url);
  return { ...under, stop: () => under.stop().then(dynalite.stop) };
});

for (const { name, url } of deployedEndpoints) tableContract(name, () => tableBehind(url));

/** A fresh table at an endpoint, reached through a proxy that loses answers. */
async function tableBehind(endpoint: string): Promise<TableUnderTest> {
  const name = `contract-${Date.now()}`;
  await createTable(endpoint, name);
  const proxy = await losingProxy(endpoint);
  const environment = { ...emulated, AWS_ENDPOINT_URL_DYNAMODB: proxy.url };
  return {
    table: dynamoTable({ name, writes: dynamoWrites(environment), reads: dynamoReads(environment), writeTimeout: 5_000 }),
    loseNextWrite: (effect) =>
      proxy.next(effect === 'done' ? 'answer lost' : 'hung up', ({ headers }) => /\.(Put|Update|Delete)Item$/.test(String(headers['x-amz-target']))),
    stop: () => proxy.stop().then(() => deleteTable(endpoint, name)),
  };
}
