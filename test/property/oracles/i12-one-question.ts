import type { PlanStale } from '../../../shared/run/report.ts';
import { runsOf, type Seen } from '../stage.ts';
import { setTo, type Write } from './table-writes.ts';

/**
 * I12: a run that asks has exactly one open question, and one that does not has none. Beside its first it asks once a stop at most, each
 * stop says what became of it, and a run that ends leaves no stop unanswered but where planning again failed or it was ended.
 */
export function wronglyAsked({ bench }: Seen): string[] {
  const items = bench.memory.items(({ sk }) => sk.startsWith('QUESTION#') || sk.startsWith('STALE#'));
  const questions = items.filter((item) => item.sk.startsWith('QUESTION#'));
  return runsOf(bench).flatMap((run) => {
    const own = questions.filter((item) => item['run'] === run.id);
    const open = own.filter((item) => item['state'] === 'open');
    const stopped = items.filter((item) => item.pk === `RUN#${run.id}` && item.sk.startsWith('STALE#'));
    const late = stopped.length > 0 ? writtenWhenDone(bench.memory.writes, run.id) : new Set();
    const stops = stopped.filter(({ sk }) => !late.has(sk)) as unknown as PlanStale[];
    const numbers = own.map((item) => item['q'] as number);
    const wrong = [];
    if (run.phase === 'awaiting' && (open.length !== 1 || open[0]?.['digest'] !== run.question?.digest))
      wrong.push(`${open.length} open questions while it asks`);
    if (run.phase === 'done' && open.length > 0) wrong.push(`${open.length} open questions although it is done`);
    if (new Set(numbers).size !== numbers.length) wrong.push(`a question number twice: ${numbers}`);
    if (own.length > 1 + stops.length) wrong.push(`${own.length} questions for ${stops.length} stops`);
    const unsaid = stops.filter((stop) => stop.replanned === null);
    if (run.phase === 'awaiting' && unsaid.length > 0) wrong.push('a stop that says nothing of the plan made anew, although that is asked about');
    if (run.outcome === 'complete' && unsaid.length > 0) wrong.push('complete, with a stop that was never planned again');
    return wrong.map((why) => `I12: run ${run.id}: ${why}`);
  });
}

/** What a function that stood still has written of a run that was over: it stops nothing, and nobody is asked about it. */
function writtenWhenDone(writes: readonly Write[], run: string): ReadonlySet<string> {
  const own = writes.filter(({ applied, key }) => applied && key.pk === `RUN#${run}`);
  const done = own.findIndex((write) => write.key.sk === 'META' && setTo(write, 'phase') === 'done');
  return new Set(done < 0 ? [] : own.slice(done).map(({ key }) => key.sk));
}
