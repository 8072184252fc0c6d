import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandIntake, commandIntake } from '../../../events/command-intake.ts';
import { commandKey } from '../../../shared/table/keys.ts';
import { countingIds } from '../../../test/ports/counting-ids.ts';
import { manualClock } from '../../../test/ports/manual-clock.ts';
import { type MemoryQueues, memoryQueues } from '../../../test/ports/memory-queues.ts';
import { type MemoryTable, memoryTable } from '../../../test/ports/memory-table.ts';
import { Interrupted } from '../interrupted.ts';
import { type Asked, recordCommand, startedRun } from './command.ts';

const clock = manualClock();
const asked: Asked = {
  intent: 'apply',
  owner: 'Acme',
  name: 'Storefront',
  path: 'release.plan.yaml',
  environment: 'preview',
  branch: 'feature',
  commit: 'a'.repeat(40),
  reconcile: false,
  person: { principal: 'arn:aws:iam::111122223333:user/ada', name: 'ada' },
};

let memory: MemoryTable;
let queues: MemoryQueues;
let ports: Parameters<typeof recordCommand>[0];
let shown: string[];
beforeEach(() => {
  memory = memoryTable();
  queues = memoryQueues(clock);
  ports = { table: memory.table, queues: queues.queues, ids: { fresh: () => `01K4Z8Q6R2M9T3V7X5B1${fresh.fresh().padStart(6, '0').slice(-6)}` }, clock };
  shown = [];
});
const fresh = countingIds();

const patience = (signal = new AbortController().signal) => ({ progress: { show: (step: string) => void shown.push(step), clear: () => undefined }, signal });
const itemOf = async (id: string): Promise<CommandIntake> => {
  const { pk: _pk, sk: _sk, ...attributes } = (await memory.table.get(commandKey(id))) ?? { pk: '', sk: '' };
  return commandIntake.parse(attributes);
};
const answer = (id: string, set: Record<string, unknown>) => memory.table.write(commandKey(id), { set: { status: 'done', ...set } }, { is: 'always' });

describe('a command', () => {
  it('is recorded as the controller reads it, due for the sweep, and queued after that', async () => {
    const id = await recordCommand(ports, asked);
    expect(await itemOf(id)).toMatchObject({
      intent: 'apply',
      repository: { id: 'acme/storefront', owner: 'Acme' },
      status: 'recorded',
      since: expect.any(String),
    });
    expect(queues.sent).toMatchObject([{ queue: 'control', message: { format: 1, run: id, group: 'acme/storefront' } }]);
  });

  it('writes nothing but its own item, in the partition of commands', async () => {
    await recordCommand(ports, asked);
    expect(memory.items().map(({ pk }) => pk.split('#')[0])).toEqual(['COMMAND']);
  });

  it('whose answer was lost was recorded once, and is queued', async () => {
    memory.faults.loseAnswer((call) => call.op === 'write');
    const id = await recordCommand(ports, asked);
    expect(memory.items()).toHaveLength(1);
    expect(queues.sent).toHaveLength(1);
    expect((await itemOf(id)).status).toBe('recorded');
  });

  it('that dies between item and message is left for the sweep', async () => {
    queues.faults.fail(() => true, new Error('the machine died here'));
    await expect(recordCommand(ports, asked)).rejects.toThrow('died here');
    expect(memory.items()).toMatchObject([{ status: 'recorded', since: expect.any(String) }]);
  });
});

describe('whoever asked', () => {
  it('is told the run that came of it', async () => {
    const id = await recordCommand(ports, asked);
    await answer(id, { run: 'the run' });
    expect(await startedRun(ports, id, patience())).toBe('the run');
  });

  it('is told why there is none, in the stack’s own words', async () => {
    const id = await recordCommand(ports, asked);
    await answer(id, { problem: { code: 'COMMIT_NOT_PUSHED', message: 'It is not there.', hint: 'Push it.' } });
    await expect(startedRun(ports, id, patience())).rejects.toMatchObject({ code: 'COMMIT_NOT_PUSHED', problem: { hint: 'Push it.' } });
  });

  it('is told by a newer stack with a code that this command does not know', async () => {
    const id = await recordCommand(ports, asked);
    await answer(id, { problem: { code: 'SOMETHING_NEW', message: 'It is new.' } });
    await expect(startedRun(ports, id, patience())).rejects.toMatchObject({ code: 'INTERNAL', message: 'SOMETHING_NEW: It is new.' });
  });

  it('waits meanwhile, and says so; leaving ends nothing and says how to look', async () => {
    const id = await recordCommand(ports, asked);
    const leaving = new AbortController();
    const waiting = startedRun(ports, id, patience(leaving.signal));
    leaving.abort();
    const left = await waiting.catch((error: unknown) => error);
    expect(left).toBeInstanceOf(Interrupted);
    expect((left as Interrupted).hint).toContain(id);
    expect(shown).toEqual(['Waiting for the stack']);
    expect((await itemOf(id)).status).toBe('recorded');
  });
});
