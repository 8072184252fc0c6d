import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, type QueryCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AnswerLost, type Change, type IndexQuery, type Item, type Key, type Table, type WriteAnswer } from '../ports/table.ts';
import type { Condition } from '../table/condition.ts';
import { indexes } from '../table/indexes.ts';
import { conditionExpression, isEmptySet, placeholders, updateExpression } from './dynamo-expression.ts';
import { exceptionOf, failureOf, unreachable } from './failure.ts';

export interface DynamoTableOptions {
  readonly name: string;
  /** One attempt a request: see `dynamoWrites`. */
  readonly writes: DynamoDBDocumentClient;
  readonly reads: DynamoDBDocumentClient;
  /** Milliseconds a write may take from the call to its answer (P1.2: no write starts unless this ends before the deadlines). */
  readonly writeTimeout: number;
}

/**
 * The table on DynamoDB. Single-item conditional writes only.
 *
 * @throws AnswerLost from `write`: time-out, broken connection, or an answer of 5xx.
 * @throws LockkeeperError STORE_UNREACHABLE: the request was refused (throttled, not allowed, not valid), never left, or a
 * read failed through all its attempts.
 */
export function dynamoTable({ name, writes, reads, writeTimeout }: DynamoTableOptions): Table {
  const TableName = name;

  async function get(key: Key): Promise<Item | undefined> {
    const answer = await read(`reading ${key.pk} / ${key.sk}`, () =>
      reads.send(new GetCommand({ TableName, Key: { pk: key.pk, sk: key.sk }, ConsistentRead: true })),
    );
    return answer.Item as Item | undefined;
  }

  function query(pk: string, prefix: string, limit?: number): Promise<Item[]> {
    const use = placeholders();
    const parts = [`${use.name('pk')} = ${use.value(pk)}`];
    if (prefix !== '') parts.push(`begins_with(${use.name('sk')}, ${use.value(prefix)})`);
    return pages(`listing ${pk}`, { TableName, KeyConditionExpression: parts.join(' AND '), ...use.parts(), ConsistentRead: true }, limit);
  }

  async function list(asked: IndexQuery): Promise<Item[]> {
    const { index, partition, atMost, prefix = '', newestFirst = false, limit } = asked;
    const attributes = indexes[index];
    if (atMost !== undefined && prefix > atMost) return [];
    const use = placeholders();
    const parts = [`${use.name(attributes.partition)} = ${use.value(partition)}`];
    // A sort key takes one condition only. What starts with the prefix is not below it, and its first stranger ends the range.
    if (atMost !== undefined && prefix !== '') parts.push(`${use.name(attributes.sort)} BETWEEN ${use.value(prefix)} AND ${use.value(atMost)}`);
    else if (atMost !== undefined) parts.push(`${use.name(attributes.sort)} <= ${use.value(atMost)}`);
    else if (prefix !== '') parts.push(`begins_with(${use.name(attributes.sort)}, ${use.value(prefix)})`);
    const input = { TableName, IndexName: index, KeyConditionExpression: parts.join(' AND '), ...use.parts(), ScanIndexForward: !newestFirst };
    return pages(`listing ${index} ${partition}`, input, limit, (item) => String(item[attributes.sort]).startsWith(prefix));
  }

  async function pages(what: string, input: QueryCommandInput, limit = Number.POSITIVE_INFINITY, fits: (item: Item) => boolean = () => true): Promise<Item[]> {
    const found: Item[] = [];
    let from: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page: QueryCommandInput = { ...input, ExclusiveStartKey: from, ...(Number.isFinite(limit) ? { Limit: limit } : {}) };
      const answer = await read(what, () => reads.send(new QueryCommand(page)));
      found.push(...((answer.Items ?? []) as Item[]).filter(fits));
      from = answer.LastEvaluatedKey;
    } while (from !== undefined && found.length < limit);
    return found.slice(0, limit);
  }

  async function write(key: Key, change: Change, when: Condition): Promise<WriteAnswer> {
    try {
      const answer = await send({ pk: key.pk, sk: key.sk }, change, when, AbortSignal.timeout(writeTimeout));
      return answer.Attributes ? { applied: true, before: answer.Attributes as Item } : { applied: true };
    } catch (error) {
      if (exceptionOf(error) === 'ConditionalCheckFailedException') return { applied: false };
      if (failureOf(error) === 'unknown') throw new AnswerLost(`no answer to the write of ${key.pk} / ${key.sk}`, { cause: error });
      throw unreachable(`writing ${key.pk} / ${key.sk}`, error);
    }
  }

  function send(key: Key, change: Change, when: Condition, abortSignal: AbortSignal) {
    const use = placeholders();
    const condition = conditionExpression(when, use);
    const conditional = { TableName, ReturnValues: 'ALL_OLD' as const, ...(condition === undefined ? {} : { ConditionExpression: condition }) };
    if ('delete' in change) return writes.send(new DeleteCommand({ ...conditional, Key: key, ...use.parts() }), { abortSignal });
    if ('put' in change)
      return writes.send(new PutCommand({ ...conditional, Item: { ...withoutEmptySets(change.put), ...key }, ...use.parts() }), { abortSignal });
    const update = updateExpression(change, use);
    return writes.send(new UpdateCommand({ ...conditional, Key: key, ...(update === undefined ? {} : { UpdateExpression: update }), ...use.parts() }), {
      abortSignal,
    });
  }

  return { get, query, list, write };
}

async function read<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw unreachable(what, error);
  }
}

const withoutEmptySets = (item: Record<string, unknown>) => Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmptySet(value)));
