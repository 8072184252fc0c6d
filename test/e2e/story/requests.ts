import type { RequestCounts } from '../../../infra/local/data-plane/request-counts.ts';
import { type Kind, prices } from './prices.ts';

/** AWS requests by `<service>.<operation>`, and by what they cost. */
export interface Requests {
  readonly byOperation: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<Kind, number>>;
}

/** What was counted up to a moment: the stack's requests, invocations, and webhooks that came in. */
export interface Meter {
  readonly counts: RequestCounts;
  readonly invocations: number;
  readonly webhooks: number;
}

const kinds: Readonly<Record<string, Kind>> = {
  'dynamodb.PutItem': 'tableWrite',
  'dynamodb.UpdateItem': 'tableWrite',
  'dynamodb.DeleteItem': 'tableWrite',
  'dynamodb.GetItem': 'tableRead',
  'dynamodb.Query': 'tableRead',
  's3.PutObject': 'objectPut',
  's3.ListObjectVersions': 'objectPut',
  's3.GetObject': 'objectGet',
  's3.HeadObject': 'objectGet',
  'aws.GetSecretValue': 'secret',
  'aws.PutEvents': 'event',
  'aws.StartExecution': 'event',
  'aws.SendTaskSuccess': 'event',
  'lambda.Invoke': 'invocation',
  'apigateway.Request': 'webhook',
};

function kindOf(operation: string): Kind {
  const kind = operation.startsWith('sqs.') ? 'queue' : kinds[operation];
  if (!kind) throw new Error(`the story has no price for ${operation}`);
  return kind;
}

const deletes = 'sqs.DeleteMessageBatch';

/**
 * What was asked between two readings. Lambda's own pollers ask the queues on our account: a delete is counted, and a receive
 * with it; how often they look at an empty queue depends on time alone and is left out.
 */
export function between(before: Meter, after: Meter): Requests {
  const byOperation: Record<string, number> = {};
  const add = (operation: string, n: number) => {
    if (n > 0) byOperation[operation] = (byOperation[operation] ?? 0) + n;
  };
  for (const [operation, n] of Object.entries(after.counts.functions)) add(operation, n - (before.counts.functions[operation] ?? 0));
  const delivered = (after.counts.pollers[deletes] ?? 0) - (before.counts.pollers[deletes] ?? 0);
  add(deletes, delivered);
  add('sqs.ReceiveMessage', delivered);
  add('lambda.Invoke', after.invocations - before.invocations);
  add('apigateway.Request', after.webhooks - before.webhooks);
  return { byOperation, byKind: grouped(byOperation) };
}

function grouped(byOperation: Readonly<Record<string, number>>): Record<Kind, number> {
  const byKind: Record<Kind, number> = { tableWrite: 0, tableRead: 0, objectPut: 0, objectGet: 0, queue: 0, secret: 0, event: 0, invocation: 0, webhook: 0 };
  for (const [operation, n] of Object.entries(byOperation)) byKind[kindOf(operation)] += n;
  return byKind;
}

export function sum(all: readonly Requests[]): Requests {
  const byOperation: Record<string, number> = {};
  for (const one of all) for (const [operation, n] of Object.entries(one.byOperation)) byOperation[operation] = (byOperation[operation] ?? 0) + n;
  return { byOperation, byKind: grouped(byOperation) };
}

/** US dollars at list price. */
export const dollarsOf = (requests: Requests): number => Object.entries(requests.byKind).reduce((dollars, [kind, n]) => dollars + n * prices[kind as Kind], 0);
