import type pc from 'picocolors';
import type { Kind } from './prices.ts';
import type { Requests } from './requests.ts';
import type { StoryResult } from './result.ts';

type Paint = ReturnType<typeof pc.createColors>;

/** Columns of AWS requests: what is asked of each service. */
const columns: readonly { readonly head: string; readonly kinds: readonly Kind[] }[] = [
  { head: 'DDB w', kinds: ['tableWrite'] },
  { head: 'DDB r', kinds: ['tableRead'] },
  { head: 'S3', kinds: ['objectPut', 'objectGet'] },
  { head: 'SQS', kinds: ['queue'] },
  { head: 'Lambda', kinds: ['invocation'] },
  { head: 'other', kinds: ['secret', 'event', 'webhook', 'transition'] },
];

/** Columns of text, before those of figures. */
const words = 3;

/** The short table at the end: chapter, runs, provider writes, AWS requests by kind, seconds; and what it cost. */
export function closingTable({ chapters, total, cost, proven }: StoryResult, paint: Paint): string[] {
  const head = ['', 'chapter', 'its runs end', 'cloud w', ...columns.map((column) => column.head), 's'];
  const rows = chapters.map((chapter) => [
    chapter.ok ? '✓' : '✗',
    chapter.name,
    chapter.runs.map((run) => run.status).join(', ') || '–',
    String(chapter.providerWrites),
    ...cells(chapter.aws),
    chapter.seconds.toFixed(1),
  ]);
  const last = ['', 'together', '', String(total.providerWrites), ...cells(total.aws), total.seconds.toFixed(1)];
  const widths = head.map((_, at) => Math.max(...[head, ...rows, last].map((row) => (row[at] ?? '').length)));
  const text = (row: readonly string[]) => row.map((cell, at) => (at < words ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' ');
  const rule = paint.dim('─'.repeat(text(head).length));
  return [
    paint.dim(text(head)),
    rule,
    ...rows.map((row) => (row[0] === '✓' ? text(row) : paint.red(text(row)))),
    rule,
    paint.bold(text(last)),
    paint.dim('cloud w: writes at Neon, Vercel, Clerk. DDB: DynamoDB writes and reads.'),
    paint.dim('other: Secrets Manager, EventBridge, HTTP API, transitions of Step Functions.'),
    '',
    ...proven.map((sentence) => `${paint.green('✓')} ${sentence}`),
    ...(proven.length > 0 ? [''] : []),
    `${all(total.aws)} AWS requests and transitions cost $${cost.dollars.toFixed(6)} at list price (${cost.prices.region}, ${cost.prices.asOf}).`,
  ];
}

const cells = (requests: Requests): string[] => columns.map(({ kinds }) => String(kinds.reduce((count, kind) => count + requests.byKind[kind], 0)));
const all = (requests: Requests): number => Object.values(requests.byKind).reduce((count, n) => count + n, 0);
