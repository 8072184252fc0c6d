/** Removes what a deployment left behind on purpose: the state outlives its stack, and a test's state is nobody's. */
import { DeleteTableCommand, ListTablesCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteBucketCommand, DeleteObjectCommand, ListBucketsCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';
import { DeleteSecretCommand, paginateListSecrets, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { stackName } from './cdk.ts';
import type { Clients } from './clients.ts';

/** What outlived the stack, by kind. */
export interface Left {
  readonly tables: readonly string[];
  readonly buckets: readonly string[];
  readonly secrets: readonly string[];
}

/** Lists what a stack of our name kept when it was removed. */
export async function whatIsLeft(clients: Clients): Promise<Left> {
  const { TableNames = [] } = await clients.dynamo.send(new ListTablesCommand({}));
  const { Buckets = [] } = await clients.s3.send(new ListBucketsCommand({}));
  const secrets: string[] = [];
  for await (const page of paginateListSecrets({ client: clients.secrets }, {})) secrets.push(...(page.SecretList ?? []).map(({ Name }) => String(Name)));
  return {
    tables: TableNames.filter((name) => name.startsWith(`${stackName}-`)),
    buckets: Buckets.map(({ Name }) => String(Name)).filter((name) => name.startsWith(`${stackName.toLowerCase()}-`)),
    secrets: secrets.filter((name) => name.startsWith(`${stackName.toLowerCase()}/`)).sort(),
  };
}

export async function clear(clients: Clients): Promise<void> {
  const left = await whatIsLeft(clients);
  for (const name of left.tables) await deleteTable(clients, name);
  for (const name of left.buckets) await deleteBucket(clients.s3, name);
  for (const name of left.secrets) await deleteSecret(clients.secrets, name);
}

async function deleteTable({ dynamo }: Clients, TableName: string): Promise<void> {
  await dynamo.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await dynamo.send(new DeleteTableCommand({ TableName }));
}

export async function deleteBucket(s3: S3Client, Bucket: string): Promise<void> {
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const all = [...Versions, ...DeleteMarkers];
    if (all.length === 0) break;
    for (const { Key, VersionId } of all) await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
  }
  await s3.send(new DeleteBucketCommand({ Bucket }));
}

const deleteSecret = (client: SecretsManagerClient, SecretId: string) => client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
