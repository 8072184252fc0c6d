/** The page and the pictures of docs/bench, made of a record and of nothing else. */
import { type Cost, kinds, latency, memory } from './measure.ts';
import { barsOf } from './pictures.ts';
import { prices } from './prices.ts';
import type { BenchRecord } from './recorded.ts';

const sizeName = (lines: number): string => lines.toLocaleString('en-US');
const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const columns: readonly (readonly [string, (cost: Cost) => string])[] = [
  ['lines', ({ lines }) => sizeName(lines)],
  ['writes', ({ writes }) => writes.toFixed(2)],
  ['write units', ({ writeUnits }) => writeUnits.toFixed(2)],
  ['reads', ({ reads }) => reads.toFixed(2)],
  ['read units', ({ readUnits }) => readUnits.toFixed(2)],
  ['SQS', ({ queue }) => queue.toFixed(2)],
  ['S3 PUT', ({ put }) => put.toFixed(3)],
  ['S3 GET', ({ get }) => get.toFixed(3)],
  ['transitions', ({ transitions }) => transitions.toFixed(2)],
  ['provider', ({ provider }) => provider.toFixed(2)],
  ['waits, ms', ({ waited }) => waited.toFixed(0)],
  ['processor, ms', ({ processor }) => processor.toFixed(2)],
  ['$ per 1,000', ({ dollars }) => (dollars * 1_000).toFixed(4)],
];

const recordedOf = ({ costs }: BenchRecord) => kinds.filter((kind) => costs.some((cost) => cost.kind === kind));

function costsOf(record: BenchRecord): string {
  return recordedOf(record)
    .map((kind) => {
      const own = record.costs.filter((cost) => cost.kind === kind);
      return [
        `### ${kind}`,
        '',
        rowOf(columns.map(([name]) => name)),
        rowOf(columns.map(() => '---:')),
        ...own.map((cost) => rowOf(columns.map(([, text]) => text(cost)))),
        '',
      ].join('\n');
    })
    .join('\n');
}

const asked = (record: BenchRecord): string =>
  recordedOf(record).includes('gated') ? '*gated* is a create in a protected environment: planned, asked about, approved and applied.\n' : '';

function budgetsOf({ rows }: BenchRecord): string {
  const judged = rows.map(({ what, measured, budget, ok }) =>
    rowOf([what, measured, budget === 'none' ? '' : budget, budget === 'none' ? '' : ok ? 'ok' : 'MISSED']),
  );
  return [rowOf(['what', 'measured', 'budget', '']), rowOf(['---', '---:', '---', '---']), ...judged].join('\n');
}

const dollars = (value: number): string => `$${value.toPrecision(6).replace(/\.?0+$/, '')}`;

/** What lies in docs/bench, by file. */
export function pagesOf(record: BenchRecord): Readonly<Record<string, string>> {
  const picture = (of: (cost: Cost) => number, title: string, unit: string, text: (value: number) => string): string =>
    barsOf({
      title,
      unit,
      below: 'lines of the plan',
      text,
      series: recordedOf(record).map((kind) => ({
        name: kind,
        points: record.costs.filter((cost) => cost.kind === kind).map((cost) => [sizeName(cost.lines), of(cost)] as const),
      })),
    });
  const percent = (what: string): number => Number.parseFloat(record.rows.find((row) => row.what === what)?.measured ?? '0');
  const bound = record.rows.filter(({ what }) => what.startsWith('time of the bound'));
  const imports = record.rows.filter(({ what }) => what.startsWith('import '));
  return {
    'writes.svg': picture(
      ({ writes }) => writes,
      'DynamoDB writes of a line',
      'writes a line',
      (value) => value.toFixed(1),
    ),
    'dollars.svg': picture(
      (cost) => cost.dollars * 1_000,
      'What 1,000 lines cost',
      'US dollars, list prices',
      (value) => `$${value.toFixed(3)}`,
    ),
    'bound.svg': barsOf({
      title: 'Time against the bound, in the simulated clock',
      unit: 'percent of what no scheduler can beat; the budget is 85',
      below: 'above: N lines, L ms a provider call; below: C at once, chains of K',
      text: (value) => value.toFixed(0),
      series: [
        {
          name: 'slowest of five',
          points: bound.map(
            ({ what }) =>
              [what.replace('time of the bound, ', '').replace(/N (\d+), L (\d+) ms, C (\d+), K (\d+).*/, '$1 · $2\n$3 · $4'), percent(what)] as const,
          ),
        },
      ],
    }),
    'imports.svg': barsOf({
      title: 'Loading a function in a fresh process',
      unit: 'times as long as an empty process',
      below: 'function',
      text: (value) => value.toFixed(1),
      series: [
        { name: 'import', points: imports.map(({ what }) => [what.replace(/^import functions\/([\w-]+).*/, '$1').replace('-', '\n'), percent(what)] as const) },
      ],
    }),
    'README.md': `# What a line costs, and how long it takes

Measured by \`npm run bench -- --write\` on ${record.date}: ${record.machine}, Node.js ${record.node}, ${record.seed}. Counts are exact and the same on every machine;
processor time is this machine's. \`npm run bench -- --check\` holds a fresh measurement against the budgets and against these counts.

![writes a line](writes.svg)

![dollars](dollars.svg)

![time against the bound](bound.svg)

The bound is what no scheduler can beat: N lines with k provider calls each, of L ms, C of them at a time, in chains of K lines, take at least
max(⌈N/C⌉·k·L, K·k·L). So 200 lines of two calls of 100 ms, 50 at a time, take 0.8 s, and 100 % says that they took that and no more. Only what a provider takes
counts there: our own code and the stores take no time. How much of a run is left to them is the row with 5 ms a table request, at the end of this page.

![import times](imports.svg)

## Cost of a line

One resource a line, each run's own share included. A write unit is a DynamoDB write of 1 KB, a read unit one of 4 KB; SQS counts sends, receives and deletes.
${asked(record)}No state machine runs where nobody is asked; one that asks makes at most ten transitions a question, whatever the number of lines. *Waits* are what functions stand
still for, at ${latency.table} ms a table request, ${latency.queue} ms a message, ${latency.object} ms an object and ${latency.provider} ms a provider call; dollars bill them, and the processor's time, at ${memory} GB.

${costsOf(record)}
## Prices

us-east-1, on demand, without free tier, as of November 2026 (\`test/bench/cost/prices.ts\`): DynamoDB ${dollars(prices.write * 1e6)} a million write units and ${dollars(prices.read * 1e6)} a million read units,
SQS ${dollars(prices.queue * 1e6)} a million requests, S3 ${dollars(prices.put * 1e3)} per 1,000 PUT and ${dollars(prices.get * 1e3)} per 1,000 GET, Step Functions ${dollars(prices.transition * 1e3)} per 1,000 transitions, Lambda ${dollars(prices.invocation * 1e6)} a million requests
and ${dollars(prices.gigabyteSecond)} a GB-second. Left out: storage, CloudWatch, KMS, EventBridge, CodeBuild, data transfer.

## Everything that was measured

${budgetsOf(record)}
`,
  };
}
