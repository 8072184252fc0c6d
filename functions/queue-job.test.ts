import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { Again } from '../shared/run/again.ts';
import { recordOf } from '../test/house/mail.ts';
import { openWorkbench } from '../test/ports/workbench.ts';
import { deadJob } from './dead-letter/job.ts';
import { lineJob } from './line-worker/job.ts';
import { controlJob } from './run-controller/job.ts';

const canary = 'canary-in-a-message-4711';
const wake = { format: 1, run: 'r-1', group: '7101' } as const;
const line = { ...wake, round: 1, phase: 'applying', line: 'a' } as const;

/** What one body makes of a job: whether its message comes back, and what was said of it. */
async function handled(which: 'control' | 'lines' | 'dead', body: string, { broken }: { broken?: Error } = {}) {
  const bench = openWorkbench();
  const handBack = async (): Promise<void> => undefined;
  const open = () => {
    if (broken) throw broken;
    return bench.world();
  };
  const jobs = {
    control: controlJob(
      async () => open(),
      handBack,
      () => bench.log,
    ),
    lines: lineJob(
      async () => open(),
      handBack,
      () => bench.log,
    ),
    dead: deadJob(open, handBack, () => bench.log),
  };
  const record = { ...recordOf({ queue: 'control', message: wake, at: 0 }, 3, 'm-7'), body };
  const { batchItemFailures } = await jobs[which]({ Records: [record] } as SQSEvent, {} as Context);
  return { back: batchItemFailures.length > 0, errors: bench.logged.filter(({ level }) => level === 'error'), bench };
}

describe('a message that nobody can read', () => {
  it.each(['control', 'lines', 'dead'] as const)('is kept in the queue %s, and the log says which one, why, and what to do', async (which) => {
    const { back, errors } = await handled(which, `{"format": 1, "run": "${canary}"`);
    expect(back).toBe(true);
    expect(errors).toEqual([
      {
        level: 'error',
        message: 'a message cannot be read',
        fields: {
          message: 'm-7',
          queue: 'control',
          receives: 3,
          code: 'MESSAGE_UNREADABLE',
          why: 'The message is no JSON.',
          hint: expect.stringContaining('deploy the version that sent it'),
        },
      },
    ]);
  });

  it('is told where it is wrong, and nothing of what stands there is repeated (I1)', async () => {
    const { errors } = await handled('lines', JSON.stringify({ ...line, round: canary, [canary]: canary }));
    expect(errors[0]?.fields?.['why']).toBe('The message is of no format that this version knows: round (invalid_type), as a whole (unrecognized_keys).');
    expect(JSON.stringify(errors)).not.toContain(canary);
  });

  it('is told of also where the function has no world to work in', async () => {
    const { back, errors } = await handled('control', JSON.stringify(wake), { broken: new Error('the variable TABLE_NAME is not set') });
    expect(back).toBe(true);
    expect(errors.map(({ fields }) => fields)).toMatchObject([{ run: 'r-1', code: 'INTERNAL', why: 'the variable TABLE_NAME is not set' }]);
  });
});

describe('a job that fails', () => {
  it('says of which run and line, and hides what its world knows as secret (I1)', async () => {
    const bench = openWorkbench();
    const world = bench.world();
    world.redactor.register(canary);
    const table = { ...world.table, get: () => Promise.reject(new Error(`the store said ${canary}`)) };
    const job = lineJob(
      async () => ({ ...world, table }),
      async () => undefined,
      () => bench.log,
    );
    const { batchItemFailures } = await job({ Records: [recordOf({ queue: 'lines', message: line, at: 0 }, 1, 'm-1')] } as SQSEvent, {} as Context);
    expect(batchItemFailures).toHaveLength(1);
    expect(bench.logged).toMatchObject([
      { level: 'error', message: 'a job failed: its message comes again', fields: { run: 'r-1', line: 'a', why: 'the store said [REDACTED]' } },
    ]);
  });

  it('and only has to come again is handed back, and is no failure to tell of', async () => {
    const bench = openWorkbench();
    const world = bench.world();
    const table = { ...world.table, get: () => Promise.reject(new Again('somebody is at it', 7)) };
    const handedBack: number[] = [];
    const job = controlJob(
      async () => ({ ...world, table }),
      async (_record, seconds) => void handedBack.push(seconds),
      () => bench.log,
    );
    const { batchItemFailures } = await job({ Records: [recordOf({ queue: 'control', message: wake, at: 0 }, 1, 'm-1')] } as SQSEvent, {} as Context);
    expect({ back: batchItemFailures.length, handedBack, logged: bench.logged }).toEqual({ back: 1, handedBack: [7], logged: [] });
  });
});
