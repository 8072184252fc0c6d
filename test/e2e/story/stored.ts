import { DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, type ListObjectVersionsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { pollerAgent } from '../../../infra/local/data-plane/request-counts.ts';
import type { StoryWorld } from './world.ts';

/** Everything that is stored, read past Lockkeeper's own code. */

const common = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' }, customUserAgent: pollerAgent };

/** Every item of the table, as DynamoDB's JSON. */
export async function everyItem({ house: { stack } }: StoryWorld): Promise<string[]> {
  const client = new DynamoDBClient({ ...common, endpoint: String(stack.environment['AWS_ENDPOINT_URL_DYNAMODB']) });
  const TableName = String(stack.functionEnvironment('run-controller')['TABLE_NAME']);
  const items: string[] = [];
  let from: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey: from }));
    items.push(...(page.Items ?? []).map((item) => JSON.stringify(item)));
    from = page.LastEvaluatedKey;
  } while (from);
  client.destroy();
  return items;
}

/** Bodies of every version of every object below a prefix, oldest first within a key. */
export async function versionsOf({ house: { stack } }: StoryWorld, Prefix = ''): Promise<string[]> {
  const client = new S3Client({ ...common, endpoint: String(stack.environment['AWS_ENDPOINT_URL_S3']), forcePathStyle: true });
  const Bucket = String(stack.functionEnvironment('run-controller')['BUCKET_NAME']);
  const bodies: string[] = [];
  let markers: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
  while (markers) {
    const page: ListObjectVersionsCommandOutput = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix, ...markers }));
    for (const { Key, VersionId } of page.Versions ?? []) {
      const object = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
      bodies.push((await object.Body?.transformToString()) ?? '');
    }
    markers = page.IsTruncated ? { KeyMarker: String(page.NextKeyMarker), VersionIdMarker: String(page.NextVersionIdMarker) } : undefined;
  }
  client.destroy();
  return bodies.toReversed();
}
