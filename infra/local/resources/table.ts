import { z } from 'zod';
import { arn } from '../template/place.ts';
import { identityOf, physicalName } from './identity.ts';
import type { ResourceKind } from './kind.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const properties = z.looseObject({
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z
    .array(
      z.looseObject({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({ ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']), NonKeyAttributes: z.array(z.string()).optional() }),
      }),
    )
    .optional(),
});

/** A DynamoDB table with its indexes. Time to live is left out: the emulator deletes nothing, and nothing may rely on deletion. */
export const table: ResourceKind = {
  types: ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'],
  identity(declared) {
    const name = physicalName(declared, 'TableName');
    const own = arn('dynamodb', `table/${name}`);
    return identityOf(name, name, { Arn: own, StreamArn: `${own}/stream/local`, TableId: name });
  },
  create(resource, { dataPlane }) {
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = properties.parse(resource.properties);
    const indexes = GlobalSecondaryIndexes?.map(({ IndexName, KeySchema: keys, Projection }) => ({ IndexName, KeySchema: keys, Projection }));
    return dataPlane.createTable({
      TableName: resource.identity.name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions,
      KeySchema,
      ...(indexes ? { GlobalSecondaryIndexes: indexes } : {}),
    });
  },
};
