import { atMost, type Row } from '../row.ts';
import { type Counted, linesOf, openDomain } from './runs.ts';

const sizes = [10, 100, 1000, 10_000] as const;

/** How much dearer a line may be in a larger run than in any smaller one of a hundred lines or more. Below that, what a run costs by itself weighs. */
const flat = 1.05;

/** Cost per line from 10 to 10,000 lines, for an apply that creates everything and one that finds everything as it should be. */
export async function growth(): Promise<Row[]> {
  const runs = new Map<string, Counted[]>();
  for (const lines of sizes) {
    const bench = openDomain();
    for (const what of ['plan', 'create', 'unchanged'] as const) {
      const counted = await bench.run(linesOf('all', lines), { intent: what === 'plan' ? 'plan' : 'apply', name: 'all' });
      runs.set(what, [...(runs.get(what) ?? []), counted]);
    }
  }
  return [...runs].flatMap(([what, counted]) => (['writes', 'reads', 'itemsRead', 'messages'] as const).map((kind) => grown(what, kind, counted)));
}

function grown(what: string, kind: 'writes' | 'reads' | 'itemsRead' | 'messages', counted: readonly Counted[]): Row {
  const perLine = counted.map((run, at) => run[kind] / (sizes[at] as number));
  const large = perLine.slice(1);
  const steepest = Math.max(...large.flatMap((more, at) => large.slice(0, at).map((less) => more / less)));
  const named = { writes: 'writes', reads: 'reads', itemsRead: 'items read', messages: 'messages' }[kind];
  return atMost(`growth, ${named} per line, ${what}`, flat, {
    value: steepest,
    digits: 2,
    unit: ' ×',
    sound: counted.every(({ run }) => run.outcome === 'complete'),
    details: [perLine.map((value, at) => `${sizes[at]}: ${value.toFixed(2)}`).join(', ')],
  });
}
