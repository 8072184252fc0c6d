import { atLeast, atMost, type Row, told } from '../bench/row.ts';
import { doors, type Judged, sendAll } from './bad/bad.ts';
import type { Part } from './part.ts';

/** How much more the heap may hold after the second time than after the first, MB: what the first time is compiled and kept for good is no growth. */
const mostGrowth = 20;

/** MB that are held on to; undefined where garbage cannot be collected on demand. */
function held(): number | undefined {
  if (!globalThis.gc) return undefined;
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** Every bad input has a clear answer: a status, a code with words, a dead letter. */
export const badInput: Part = {
  about: 'thousands of bad webhooks, clicks, files, command lines, messages and stored things; odd webhooks followed to their end',
  async measure(tell) {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const judged: Judged[] = [];
    const heap: (number | undefined)[] = [];
    const ends: (number | undefined)[] = [];
    const all = doors.reduce((sum, { count }) => sum + count, 0);
    for (const _time of ['first', 'again']) {
      await sendAll(1, (one) => {
        judged.push(one);
        if (judged.length % Math.ceil(all / 3) === 0) heap.push(held());
        if (judged.length % 5_000 === 0) tell(`${judged.length} of ${2 * all}`);
      });
      ends.push(held());
    }
    process.off('unhandledRejection', note);
    const wrong = [...new Map(judged.filter((one) => one.wrong).map((one) => [one.id, one])).values()];
    return [
      atLeast('bad inputs, each another one', 5_000, {
        value: all,
        details: doors.map((door) => `${door.name}: ${answersOf(door.name, judged.slice(0, all))}`),
      }),
      atMost('answers that are not clear, or leave something half done', 0, {
        value: wrong.length,
        details: wrong.slice(0, 20).map(({ id, wrong: why }) => `${id}: ${why}`),
      }),
      atMost('rejections that nobody handles', 0, { value: unhandled.length, details: unhandled.slice(0, 5).map(String) }),
      growthOf(
        ends.filter((one) => one !== undefined),
        heap.filter((one) => one !== undefined),
      ),
    ];
  },
};

function growthOf([first, last]: readonly number[], heap: readonly number[]): Row {
  const details = [`heap after each third, MB: ${heap.map((one) => one.toFixed(0)).join(', ')}`];
  if (first === undefined || last === undefined) return told('heap, not measured: start with --expose-gc', { value: 0 });
  return atMost('growth of the heap', mostGrowth, { value: last - first, unit: ' MB', details });
}

function answersOf(name: string, judged: readonly Judged[]): string {
  const counts = new Map<string, number>();
  for (const { id, answer } of judged) if (id.startsWith(`${name}/`)) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, count]) => `${answer} ${count}`).join(', ');
}
