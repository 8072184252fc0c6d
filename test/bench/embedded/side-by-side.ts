import { atLeast, type Row } from '../row.ts';
import { watchOthers } from './machine-share.ts';
import { asText } from './requests.ts';
import { type Measured, openBench } from './runs.ts';

/** A mapping that works on fifty lines at a time must gain at least so much over one at a time. */
const leastGain = 8;
const [lines, latencyMs] = [200, 100];
/** One at a time each line takes as long as any other: fewer tell what so many would. */
const alone = 80;

/** Independent lines in front of slow providers: fifty at a time against one at a time, in the same run. */
export async function sideBySide(): Promise<Row[]> {
  const timed = async (concurrency: number, count = lines): Promise<Measured> => {
    const bench = await openBench({ concurrency, latencyMs });
    try {
      return await bench.run('apply', count, `c${concurrency}`);
    } finally {
      await bench.stop();
    }
  };
  const othersMeanwhile = watchOthers();
  // What else the machine does can only slow it down, and it is over in no time: the best of three.
  const attempts = [await timed(50), await timed(50), await timed(50)];
  const parallel = attempts.reduce((best, one) => (one.seconds < best.seconds ? one : best));
  const others = othersMeanwhile();
  const sequential = await timed(1, alone);
  const one = (sequential.seconds / alone) * lines;
  const perLine = Object.fromEntries(Object.entries(parallel.requests).map(([kind, count]) => [kind, count / lines]));
  return [
    atLeast(`embedded stack, ${lines} lines at ${latencyMs} ms: 50 at a time against 1`, leastGain, {
      value: one / parallel.seconds,
      digits: 1,
      unit: ' ×',
      sound: attempts.every(({ status }) => status === 'complete') && sequential.status === 'complete',
      // Fifty at a time want every processor, one at a time hardly any: a miss beside busy neighbours says little.
      details: [
        `other processes had ${(100 * others).toFixed(0)} % of the machine while fifty at a time ran`,
        `${attempts.map(({ seconds }) => seconds.toFixed(1)).join(', ')} s against ${one.toFixed(1)} s, as told by ${alone} lines in ${sequential.seconds.toFixed(1)} s`,
        `requests per line: ${asText(perLine)}`,
      ],
    }),
  ];
}
