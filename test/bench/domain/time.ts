import { atLeast, type Row, told } from '../row.ts';
import { type Counted, type DomainBench, linesOf, openDomain } from './runs.ts';

interface Setting {
  readonly lines: number;
  readonly latency: number;
  readonly concurrency: number;
  readonly depth: number;
}

/** Wide and deep graphs, more lines than a whole number of rounds, one at a time, and chains beside each other that want more workers than there are. */
const settings: readonly Setting[] = [
  { lines: 200, latency: 100, concurrency: 50, depth: 1 },
  { lines: 210, latency: 100, concurrency: 50, depth: 1 },
  { lines: 600, latency: 300, concurrency: 50, depth: 1 },
  { lines: 40, latency: 20, concurrency: 1, depth: 1 },
  { lines: 400, latency: 100, concurrency: 30, depth: 4 },
  { lines: 200, latency: 50, concurrency: 50, depth: 20 },
  { lines: 60, latency: 100, concurrency: 50, depth: 60 },
];

/** At least so much of what the bound allows, percent. */
const least = 85;

const kinds = ['plan', 'create', 'unchanged', 'update', 'destroy'] as const;
type Kind = (typeof kinds)[number];

/**
 * Time to plan and to apply in the simulated clock, against what no scheduler can beat: with k provider calls a line, as counted in
 * that run, `max(⌈N/C⌉·k·L, K·k·L)`. Our own code and stores take no time here: what is judged is waiting that nothing demands.
 */
export async function timeAgainstBound(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const setting of settings) {
    const bench = openDomain({ lines: setting.concurrency, latency: setting.latency });
    const runs: Timed[] = [];
    for (const kind of kinds) runs.push(timed(kind, setting, await played(bench, kind, setting)));
    rows.push(row(setting, runs));
  }
  return [...rows, await withSlowStores()];
}

/** The same with a table that takes its time, which the bound knows nothing of: told, so that nobody takes the bound for the clock on the wall. */
async function withSlowStores(): Promise<Row> {
  const setting = { lines: 200, latency: 100, concurrency: 50, depth: 1 };
  const bench = openDomain({ lines: setting.concurrency, latency: setting.latency, storeLatency: 5 });
  const runs: Timed[] = [];
  for (const kind of kinds) runs.push(timed(kind, setting, await played(bench, kind, setting)));
  const value = Math.min(...runs.map((run) => run.percent));
  return told('time of the bound, N 200, L 100 ms, C 50, K 1, 5 ms a table request', { value, unit: ' %', details: runs.map((run) => run.text) });
}

function played(bench: DomainBench, kind: Kind, { lines, depth }: Setting): Promise<Counted> {
  const intent = kind === 'plan' || kind === 'destroy' ? kind : 'apply';
  return bench.run(linesOf('timed', lines, { depth, text: kind === 'update' ? '2' : '1' }), { intent, name: 'timed' });
}

interface Timed {
  readonly percent: number;
  readonly text: string;
  readonly sound: boolean;
}

function timed(kind: Kind, { lines, latency, concurrency, depth }: Setting, { run, ms, providerCalls }: Counted): Timed {
  const calls = providerCalls / lines;
  const bound = Math.max(Math.ceil(lines / concurrency), depth) * calls * latency;
  const percent = (100 * bound) / ms;
  return { percent, sound: run.outcome === 'complete', text: `${kind}: k ${calls}, bound ${bound} ms, took ${ms} ms, ${percent.toFixed(0)} %` };
}

function row({ lines, latency, concurrency, depth }: Setting, runs: readonly Timed[]): Row {
  return atLeast(`time of the bound, N ${lines}, L ${latency} ms, C ${concurrency}, K ${depth}`, least, {
    value: Math.min(...runs.map((run) => run.percent)),
    unit: ' %',
    sound: runs.every((run) => run.sound),
    details: runs.map((run) => run.text),
  });
}
