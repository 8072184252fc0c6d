import { GetObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamoReads, s3Reads } from '../../shared/platform/clients.ts';
import type { Item } from '../../shared/ports/table.ts';
import type { House } from './house.ts';

/** Everything the functions and the runner wrote to the log, in this process. */
export interface Logs {
  readonly lines: readonly string[];
  note(line: string): void;
  restore(): void;
}

/** Catches what goes to standard output until `restore`: the functions of the embedded stack log there. */
export function captureLogs(): Logs {
  const lines: string[] = [];
  const original = process.stdout.write;
  process.stdout.write = ((chunk: string | Uint8Array) => {
    lines.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    return true;
  }) as typeof process.stdout.write;
  const restore = () => {
    process.stdout.write = original;
  };
  return { lines, note: (line) => void lines.push(line), restore };
}

/** The log lines of a level, as the functions wrote them. */
export const logged = (logs: Logs, level: 'info' | 'warn' | 'error'): string[] =>
  logs.lines.filter((line) => line.startsWith('{') && (JSON.parse(line) as { level?: string }).level?.toLowerCase() === level);

/** Every item of the table, read past all ports. */
export async function everyItem(house: House): Promise<Item[]> {
  const client = dynamoReads(house.stack.environment);
  const name = house.stack.functionEnvironment('run-controller')['TABLE_NAME'] as string;
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName: name, ConsistentRead: true })) items.push(...((page.Items ?? []) as Item[]));
  return items;
}

/** Every version of every object below a prefix, oldest first within a key. */
export async function everyVersion(house: House, prefix = ''): Promise<{ key: string; body: string }[]> {
  const client = s3Reads(house.stack.environment);
  const bucket = house.stack.functionEnvironment('run-controller')['BUCKET_NAME'] as string;
  const found: { key: string; version: string }[] = [];
  let markers: { KeyMarker?: string; VersionIdMarker?: string } = {};
  for (;;) {
    const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix, ...markers }));
    found.push(...(page.Versions ?? []).map(({ Key, VersionId }) => ({ key: String(Key), version: String(VersionId) })));
    if (!page.IsTruncated) break;
    markers = { KeyMarker: String(page.NextKeyMarker), VersionIdMarker: String(page.NextVersionIdMarker) };
  }
  const read = async ({ key, version }: { key: string; version: string }) => {
    const object = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: version }));
    return { key, body: (await object.Body?.transformToString()) ?? '' };
  };
  return Promise.all(found.toReversed().map(read));
}
