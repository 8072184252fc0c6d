/** Bad messages in the queues: at the handlers. What cannot be read is never acknowledged: it becomes a dead letter, loudly. */
import { BatchProcessor } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { deadJob } from '../../../functions/dead-letter/job.ts';
import { lineJob } from '../../../functions/line-worker/job.ts';
import { controlJob } from '../../../functions/run-controller/job.ts';
import { recordOf } from '../../house/mail.ts';
import { openWorkbench } from '../../ports/workbench.ts';
import { damagedText, damagedValue } from './damage.ts';
import type { Door } from './door.ts';
import { messageSamples } from './events.ts';

const bench = openWorkbench('deployed');
/** What the handlers threw at a record, which they turn into its failure. */
const thrown: Error[] = [];
const asItIs = BatchProcessor.prototype.failureHandler;
BatchProcessor.prototype.failureHandler = function (record, error) {
  thrown.push(error);
  return asItIs.call(this, record, error);
};

/** What says why: a body that is no JSON, or none that is known, and everything that has a code. */
const clear = new Set(['SyntaxError', 'ZodError', 'LockkeeperError', 'Again']);

const handBack = async (): Promise<void> => undefined;
const jobs = {
  control: controlJob(async () => bench.world(), handBack),
  lines: lineJob(async () => bench.world(), handBack),
  dead: deadJob(() => bench.world(), handBack),
};

export const messages: Door = {
  name: 'queue message',
  count: 1_200,
  async send(random) {
    const { value } = random.one(messageSamples);
    const text = JSON.stringify(damagedValue(value, random)) ?? '';
    const body = random.chance(0.2) ? damagedText(text, random).toString() : text;
    const queue = random.one(['control', 'lines', 'dead'] as const);
    const record: SQSRecord = { ...recordOf({ queue: 'control', message: { format: 1, run: 'r', group: 'g' }, at: 0 }, 1, 'm-1'), body };
    const written = bench.memory.writes.length;
    thrown.length = 0;
    const { batchItemFailures } = await jobs[queue]({ Records: [record] } as SQSEvent, {} as Context);
    const answer = batchItemFailures.length > 0 ? 'not acknowledged' : 'nothing to do';
    // A word to a repository that nobody knows may be looked into; nothing else may change for a message of nobody's.
    const changed = bench.memory.writes.slice(written).filter(({ applied, key }) => applied && !key.pk.startsWith('SCHEDULE'));
    const wrong = batchItemFailures.length > 0 && changed.length > 0 ? { wrong: `not acknowledged, and it wrote ${JSON.stringify(changed[0]?.key)}` } : {};
    const raw = thrown.find(({ name }) => !clear.has(name));
    bench.queues.sent.length = 0;
    for (let mail = bench.queues.take(); mail; mail = bench.queues.take());
    return { answer: thrown[0] ? `${answer}: ${thrown[0].name}` : answer, ...(raw ? { wrong: `${raw.name}: ${raw.message}` } : wrong) };
  },
};
