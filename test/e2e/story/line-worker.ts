/**
 * The line worker as the story runs it: the product's own handler in a process of its own, which takes the slow road to the
 * table, keeps its log away from the telling, and notes what it works on.
 */
import { appendFileSync } from 'node:fs';
import { journaled } from './journal.ts';

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`the story's worker needs ${name}`);
  return value;
};

process.env['AWS_ENDPOINT_URL_DYNAMODB'] = required('STORY_ROAD');
const log = required('STORY_LOG');
process.stdout.write = ((chunk: string | Uint8Array) => {
  appendFileSync(log, chunk);
  return true;
}) as typeof process.stdout.write;

const product = await import('../../../functions/line-worker/handler.ts');

export const handler = journaled(required('STORY_JOURNAL'), 'line-worker', product.handler as Parameters<typeof journaled>[2]);
