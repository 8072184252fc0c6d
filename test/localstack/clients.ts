/** Clients of the onlooker, who sets up, looks and clears away. The functions have their own. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Endpoint, region, variablesOf } from './endpoint.ts';

export type Clients = ReturnType<typeof clientsOf>;

export function clientsOf(endpoint: Endpoint) {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = variablesOf(endpoint);
  const settings = { endpoint: endpoint.url, region, credentials: { accessKeyId, secretAccessKey } };
  const made = {
    dynamo: DynamoDBDocumentClient.from(new DynamoDBClient(settings), { marshallOptions: { removeUndefinedValues: true } }),
    s3: new S3Client({ ...settings, forcePathStyle: true }),
    sqs: new SQSClient({ ...settings, useQueueUrlAsEndpoint: false }),
    secrets: new SecretsManagerClient(settings),
    lambda: new LambdaClient(settings),
    sts: new STSClient(settings),
  };
  return {
    ...made,
    destroy: () => {
      for (const client of Object.values(made)) client.destroy();
    },
  };
}
