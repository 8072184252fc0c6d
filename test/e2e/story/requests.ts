import type { RequestCounts } from '../../../infra/local/data-plane/request-counts.ts';
import { type Kind, prices } from './prices.ts';

/** AWS requests by `<service>.<operation>`, and by what they cost. */
export interface Requests {
  readonly byOperation: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<Kind, number>>;
}

/** What was counted up to a moment: the stack's requests, invocations, webhooks that came in, transitions. */
export interface Meter {
  readonly counts: RequestCounts;
  readonly invocations: number;
  readonly webhooks: number;
  /** Of the state machine. */
  readonly transitions: number;
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
  'lambda.Invoke': 'invocation',
  'apigateway.Request': 'webhook',
  'states.Transition': 'transition',
};

/**
 * Step Functions charges for transitions, not for what starts an execution or completes a token; CodeBuild for the minutes of its builds, which
 * depend on the machine.
 */
const free: ReadonlySet<string> = new Set([
  'aws.StartExecution',
  'aws.SendTaskSuccess',
  'aws.StartBuild',
  'aws.BatchGetBuilds',
  'aws.StopBuild',
  'aws.ListBuildsForProject',
]);

function kindOf(operation: string): Kind | undefined {
  if (free.has(operation)) return undefined;
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
  add('states.Transition', after.transitions - before.transitions);
  return { byOperation, byKind: grouped(byOperation) };
}

function grouped(byOperation: Readonly<Record<string, number>>): Record<Kind, number> {
  const byKind = Object.fromEntries(Object.keys(prices).flatMap((kind) => (isKind(kind) ? [[kind, 0]] : []))) as Record<Kind, number>;
  for (const [operation, n] of Object.entries(byOperation)) {
    const kind = kindOf(operation);
    if (kind) byKind[kind] += n;
  }
  return byKind;
}

const isKind = (name: string): name is Kind => name !== 'asOf' && name !== 'region';

export function sum(all: readonly Requests[]): Requests {
  const byOperation: Record<string, number> = {};
  for (const one of all) for (const [operation, n] of Object.entries(one.byOperation)) byOperation[operation] = (byOperation[operation] ?? 0) + n;
  return { byOperation, byKind: grouped(byOperation) };
}

/** US dollars at list price. */
export const dollarsOf = (requests: Requests): number => Object.entries(requests.byKind).reduce((dollars, [kind, n]) => dollars + n * prices[kind as Kind], 0);
