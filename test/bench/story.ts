import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { StoryResult } from '../e2e/story/result.ts';
import { type Row, told } from './row.ts';

/** What the whole story asks of AWS, by kind: the same counts as its closing table. */
export async function storyRequests(): Promise<Row[]> {
  const { ok, total } = await storyAsJson();
  const kinds = Object.entries(total.aws.byKind);
  return [
    told('the story: AWS requests', {
      value: kinds.reduce((sum, [, count]) => sum + count, 0),
      sound: ok,
      details: [kinds.map(([kind, count]) => `${kind} ${count}`).join(', '), operations(total.aws.byOperation)],
    }),
  ];
}

const operations = (byOperation: Readonly<Record<string, number>>): string =>
  Object.entries(byOperation)
    .sort(([, a], [, b]) => b - a)
    .map(([operation, count]) => `${operation} ${count}`)
    .join(', ');

async function storyAsJson(): Promise<StoryResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../e2e/start.ts'), '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  await new Promise((resolve) => child.on('close', resolve));
  return JSON.parse(said) as StoryResult;
}
