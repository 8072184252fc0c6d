import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { LoggedRequest } from '../sim/wire/log.ts';
import type { World } from '../sim/world/world.ts';
import type { Kept } from './story/keep.ts';
import type { StoryResult } from './story/result.ts';

/** `npm start -- --json --keep` in a process of its own, and everything it left, read from outside through its endpoints alone. */
export interface ToldStory {
  readonly process: ChildProcess;
  readonly document: StoryResult & { readonly kept: Kept };
  /** All that it printed up to now. */
  printed(): { readonly out: string; readonly err: string };
  /** Sends Ctrl-C and resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

export type TableItem = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };

export interface StoredVersion {
  readonly key: string;
  readonly body: string;
}

const program = new URL('start.ts', import.meta.url).pathname;

export async function tellStory(...flags: string[]): Promise<ToldStory> {
  const child = spawn(process.execPath, [program, '--json', '--keep', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  const told = Promise.withResolvers<ToldStory['document']>();
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (out.endsWith('\n}\n')) told.resolve(JSON.parse(out) as ToldStory['document']);
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  void ended.then((code) => told.reject(new Error(`the story ended with code ${code}: ${err}`)));
  return {
    process: child,
    document: await told.promise,
    printed: () => ({ out, err }),
    interrupt() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

const common = (aws: Kept['aws']) => ({ region: String(aws['AWS_REGION']), credentials: { accessKeyId: 'reader', secretAccessKey: 'reader' } });

export async function tableOf({ aws }: Kept): Promise<TableItem[]> {
  const client = new DynamoDBClient({ ...common(aws), endpoint: String(aws['AWS_ENDPOINT_URL_DYNAMODB']) });
  const items: TableItem[] = [];
  let from: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page = await DynamoDBDocumentClient.from(client).send(new ScanCommand({ TableName: aws['TABLE_NAME'], ExclusiveStartKey: from }));
    items.push(...((page.Items ?? []) as TableItem[]));
    from = page.LastEvaluatedKey;
  } while (from);
  client.destroy();
  return items;
}

/** Every version of every object, oldest first within a key. */
export async function bucketOf({ aws }: Kept): Promise<StoredVersion[]> {
  const client = new S3Client({ ...common(aws), endpoint: String(aws['AWS_ENDPOINT_URL_S3']), forcePathStyle: true });
  const Bucket = aws['BUCKET_NAME'];
  const { Versions = [], IsTruncated } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  if (IsTruncated) throw new Error('more versions than one page holds');
  const versions = await Promise.all(
    Versions.map(async ({ Key, VersionId }) => {
      const object = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
      return { key: String(Key), body: (await object.Body?.transformToString()) ?? '' };
    }),
  );
  client.destroy();
  return versions.toReversed();
}

/** Messages that lie in each queue, whether they can be seen or not, by the queue's name. */
export async function depthsOf({ aws }: Kept): Promise<Record<string, number>> {
  const client = new SQSClient({ ...common(aws), endpoint: String(aws['AWS_ENDPOINT_URL_SQS']) });
  const { QueueUrls = [] } = await client.send(new ListQueuesCommand({}));
  const depths: Record<string, number> = {};
  for (const QueueUrl of QueueUrls) {
    const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    depths[QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)] =
      Number(Attributes['ApproximateNumberOfMessages']) + Number(Attributes['ApproximateNumberOfMessagesNotVisible']);
  }
  client.destroy();
  return depths;
}

export const cloudOf = (kept: Kept): Promise<World> => asked(`${kept.control}/state`);
export const requestsOf = (kept: Kept): Promise<LoggedRequest[]> => asked(`${kept.control}/requests`);

async function asked<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

/** Every message body that a function was given. */
export const messagesOf = ({ messages }: Kept): string[] =>
  readFileSync(messages, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => (JSON.parse(line) as { bodies?: string[] }).bodies ?? []);
