import { atMost, type Row, told } from '../row.ts';
import { type Counted, type DomainBench, linesOf, openDomain, type Shape } from './runs.ts';

/** Two sizes of one plan: their difference leaves out what a run costs by itself. */
const [few, many] = [10, 60];

/** DynamoDB writes per line with one resource, and what makes a line dearer: exact, since one process plays them out in order. */
export async function writesPerLine(): Promise<Row[]> {
  const bench = openDomain();
  const plan = await perLine(bench, 'plan', 'one');
  const create = await perLine(bench, 'apply', 'one');
  const unchanged = await perLine(bench, 'apply', 'one');
  const update = await perLine(bench, 'apply', 'one', { text: '2' });
  const destroy = await perLine(bench, 'destroy', 'one');
  const three = await perLine(bench, 'apply', 'three', { count: 3 });
  const chained = await perLine(bench, 'apply', 'chained', { depth: many });
  const gated = await gatedPerLine(bench);
  return [
    atMost('writes per line: plan', 4, figureOf(plan)),
    atMost('writes per line: unchanged', 6, figureOf(unchanged)),
    atMost('writes per line: create', 9, figureOf(create)),
    atMost('writes per line: update', 9, figureOf(update)),
    told('writes per line: destroy', figureOf(destroy)),
    atMost('writes per further identity', 1, { value: (three.writes - create.writes) / 2, digits: 2 }),
    atMost('writes per dependency edge', 1, { value: chained.writes - create.writes, digits: 2 }),
    atMost('writes per line: what a gate adds to a create (one plan)', 4, {
      value: gated.writes - create.writes,
      digits: 2,
      details: [`until the question ${gated.asking.toFixed(2)}, from the decision on ${(gated.writes - gated.asking).toFixed(2)}`],
      sound: gated.sound,
    }),
  ];
}

interface PerLine {
  readonly writes: number;
  readonly reads: number;
  readonly messages: number;
  readonly sound: boolean;
}

async function perLine(bench: DomainBench, intent: 'plan' | 'apply' | 'destroy', name: string, shape: Shape = {}): Promise<PerLine> {
  const [small, large] = [await sized(few), await sized(many)];
  const per = (of: 'writes' | 'reads' | 'messages') => (large[of] - small[of]) / (many - few);
  return { writes: per('writes'), reads: per('reads'), messages: per('messages'), sound: isComplete(small) && isComplete(large) };

  function sized(lines: number): Promise<Counted> {
    const scope = `${name}-${lines}`;
    return bench.run(linesOf(scope, lines, shape), { intent, name: scope });
  }
}

const isComplete = ({ run }: Counted): boolean => run.outcome === 'complete';

async function gatedPerLine(bench: DomainBench): Promise<{ writes: number; asking: number; sound: boolean }> {
  const [small, large] = [await sized(few), await sized(many)];
  const asking = (large.asked.writes - small.asked.writes) / (many - few);
  const applying = (large.applied.writes - small.applied.writes) / (many - few);
  return { writes: asking + applying, asking, sound: isComplete(small.applied) && isComplete(large.applied) };

  async function sized(lines: number): Promise<{ asked: Counted; applied: Counted }> {
    const scope = `gated-${lines}`;
    const asked = await bench.run(linesOf(scope, lines), { intent: 'apply', name: scope, environment: 'production' });
    return { asked, applied: await bench.approve(asked.run) };
  }
}

const figureOf = ({ writes, reads, messages, sound }: PerLine) => ({
  value: writes,
  digits: 2,
  sound,
  details: [`reads ${reads.toFixed(2)}, messages ${messages.toFixed(2)}`],
});
