import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { indexes } from '../../shared/table/indexes.ts';
import { emulated } from './endpoints.ts';

/** DynamoDB's emulator in this process. */
export async function startDynalite(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Creates a table of design section 4 and waits until it can be used. */
export async function createTable(endpoint: string, name: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region: emulated.AWS_REGION });
  const attributes = ['pk', 'sk', ...Object.values(indexes).flatMap(({ partition, sort }) => [partition, sort])];
  const keys = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, { partition, sort }]) => ({
        IndexName,
        KeySchema: keys(partition, sort),
        Projection: { ProjectionType: 'ALL' },
      })),
    }),
  );
  while ((await client.send(new DescribeTableCommand({ TableName: name }))).Table?.TableStatus !== 'ACTIVE');
  client.destroy();
}

export async function deleteTable(endpoint: string, TableName: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region: emulated.AWS_REGION });
  await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
}
