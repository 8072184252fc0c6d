import { atMost, type Row, told } from '../row.ts';
import { type Bench, type Line, type Measured, openBench, type Requests } from './runs.ts';

const writeKinds = ['dynamodb.PutItem', 'dynamodb.UpdateItem', 'dynamodb.DeleteItem'];

/**
 * DynamoDB writes of one line on the embedded stack, with a real op. Judged to one decimal: the two runs that are subtracted differ
 * by a few requests of their own, where control steps happen to meet at the end of a phase.
 */
const limits: Readonly<Record<Kind, number | undefined>> = { plan: 4, create: 9, unchanged: 6, destroy: undefined };

const kinds = ['plan', 'create', 'unchanged', 'destroy'] as const;
type Kind = (typeof kinds)[number];
const intents = { plan: 'plan', create: 'apply', unchanged: 'apply', destroy: 'destroy' } as const;

/** What one line asks of AWS and of its provider, as the difference between a larger plan and a smaller one. */
export async function requestsPerLine(): Promise<Row[]> {
  const bench = await openBench({ concurrency: 20, latencyMs: 0 });
  try {
    const neon = await eachKind(bench, 'neon.branch', [10, 60]);
    const others = {
      'clerk.redirect_allow': await eachKind(bench, 'clerk.redirect_allow', [2, 12]),
      'vercel.env': await eachKind(bench, 'vercel.env', [2, 12]),
    };
    const writes = kinds.map((kind) => writesRow(kind, neon[kind]));
    return [...writes, ...Object.entries({ 'neon.branch': neon, ...others }).map(([op, found]) => callsRow(op, found))];
  } finally {
    await bench.stop();
  }
}

interface PerLine {
  readonly requests: Requests;
  readonly providerCalls: number;
  readonly sound: boolean;
}

async function eachKind(bench: Bench, op: Line, sizes: readonly [number, number]): Promise<Record<Kind, PerLine>> {
  const found: Partial<Record<Kind, PerLine>> = {};
  for (const kind of kinds) {
    const measured: Measured[] = [];
    for (const lines of sizes) measured.push(await bench.run(intents[kind], lines, `${op.replace(/\W/g, '-')}-${lines}`, op));
    found[kind] = differenceOf(measured as [Measured, Measured], sizes[1] - sizes[0]);
  }
  return found as Record<Kind, PerLine>;
}

function differenceOf([small, large]: readonly [Measured, Measured], lines: number): PerLine {
  const requests = Object.entries(large.requests).map(([kind, count]) => [kind, (count - (small.requests[kind] ?? 0)) / lines] as const);
  const providerCalls = (large.providerCalls - small.providerCalls) / lines;
  return { requests: Object.fromEntries(requests), providerCalls, sound: small.status === 'complete' && large.status === 'complete' };
}

function writesRow(kind: Kind, { requests, sound }: PerLine): Row {
  const value = writeKinds.reduce((sum, name) => sum + (requests[name] ?? 0), 0);
  const figure = { value, digits: 1, sound, details: [asText(requests)] };
  const limit = limits[kind];
  return limit === undefined ? told(`embedded stack, writes per line: ${kind}`, figure) : atMost(`embedded stack, writes per line: ${kind}`, limit, figure);
}

function callsRow(op: string, found: Record<Kind, PerLine>): Row {
  const details = [kinds.map((kind) => `${kind} ${found[kind].providerCalls.toFixed(1)}`).join(', ')];
  return told(`provider calls a line (k) to create: ${op}`, {
    value: found.create.providerCalls,
    digits: 1,
    details,
    sound: kinds.every((kind) => found[kind].sound),
  });
}

/** Requests by kind, the most frequent first. */
export const asText = (requests: Requests): string =>
  Object.entries(requests)
    .filter(([, count]) => count >= 0.005)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind} ${count.toFixed(2)}`)
    .join(', ');
