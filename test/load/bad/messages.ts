/** Bad messages in the queues: at the handlers. What cannot be read is never acknowledged: it becomes a dead letter, loudly. */
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { deadJob } from '../../../functions/dead-letter/job.ts';
import { lineJob } from '../../../functions/line-worker/job.ts';
import { controlJob } from '../../../functions/run-controller/job.ts';
import { recordOf } from '../../house/mail.ts';
import { openWorkbench } from '../../ports/workbench.ts';
import { canaryIn, planted } from './canaries.ts';
import { damagedText, damagedValue } from './damage.ts';
import type { Door } from './door.ts';
import { messageSamples } from './events.ts';

const bench = openWorkbench('deployed');
const handedBack: number[] = [];
const handBack = async (_record: SQSRecord, seconds: number): Promise<void> => void handedBack.push(seconds);
const log = () => bench.log;
const jobs = {
  control: controlJob(async () => bench.world(), handBack, log),
  lines: lineJob(async () => bench.world(), handBack, log),
  dead: deadJob(() => bench.world(), handBack, log),
};

export const messages: Door = {
  name: 'queue message',
  count: 1_200,
  async send(random) {
    const { value } = random.one(messageSamples);
    const text = JSON.stringify(planted(damagedValue(value, random), random)) ?? '';
    const body = random.chance(0.2) ? damagedText(text, random).toString() : text;
    const queue = random.one(['control', 'lines', 'dead'] as const);
    const record: SQSRecord = { ...recordOf({ queue: 'control', message: { format: 1, run: 'r', group: 'g' }, at: 0 }, 1, 'm-1'), body };
    const [written, said] = [bench.memory.writes.length, bench.logged.length];
    handedBack.length = 0;
    const { batchItemFailures } = await jobs[queue]({ Records: [record] } as SQSEvent, {} as Context);
    // A word to a repository that nobody knows may be looked into; nothing else may change for a message of nobody's.
    const changed = bench.memory.writes.slice(written).filter(({ applied, key }) => applied && !key.pk.startsWith('SCHEDULE'));
    const told = bench.logged.slice(said);
    bench.queues.sent.length = 0;
    for (let mail = bench.queues.take(); mail; mail = bench.queues.take());
    const leaked = canaryIn(told);
    if (leaked) return { answer: 'told', wrong: leaked };
    if (batchItemFailures.length === 0) return { answer: 'nothing to do' };
    if (changed.length > 0) return { answer: 'not acknowledged', wrong: `not acknowledged, and it wrote ${JSON.stringify(changed[0]?.key)}` };
    if (handedBack.length > 0) return { answer: 'handed back' };
    const why = told.find(({ level, fields }) => level === 'error' && fields?.['code'] !== undefined)?.fields;
    if (!why) return { answer: 'not acknowledged', wrong: 'it is not acknowledged, and the log does not say why' };
    const code = String(why['code']);
    return { answer: `not acknowledged: ${code}`, ...(code === 'INTERNAL' ? { wrong: `INTERNAL: ${why['why']}` } : {}) };
  },
};
