import { expect, test } from 'vitest';
import { itemRegistry } from '../bench/domain/item-op.ts';
import { itemProvider } from '../bench/domain/item-provider.ts';
import { linesOf } from '../bench/domain/runs.ts';
import { playOut, simulatedWaits } from '../bench/domain/simulated-time.ts';
import { fairQueue } from '../ports/fair-queue.ts';
import { commitOf, openWorkbench, planOf, planPath, repository, type Workbench } from '../ports/workbench.ts';

/** How much longer a small run of one repository may take while another one floods the queues, where these are fair. */
const factor = 2;

const plan = (name: string, lines: number): string => planOf(linesOf(name, lines).map((line) => ({ adapter: 'bench', op: 'item', ...line })));

/** Simulated ms from the start of a run of ten lines to its end; `flooded`: beside a run of 600 lines of another repository. */
async function tookBeside(flooded: boolean, order: 'fair' | 'first-come'): Promise<number> {
  const waits = simulatedWaits(() => workbench.clock.now());
  const provider = itemProvider({ now: () => workbench.clock.now() }, () => waits.wait(300));
  const workbench: Workbench = openWorkbench('embedded', { registry: itemRegistry, provider: provider.http });
  const queue = fairQueue(workbench.queues, workbench.clock.now, order);
  const start = (name: string, lines: number, id: string): Promise<string> => {
    workbench.code.commit(commitOf(name), planPath, plan(name, lines));
    return workbench.command({ commit: name, scope: name, branch: name, repository: { ...repository, id } });
  };
  if (flooded) await start('flood', 600, '9001');
  const small = await start('small', 10, '7101');
  const deliver = (message: Parameters<Workbench['deliver']>[0]): Promise<void> => workbench.deliver(message).finally(() => queue.done(message));
  const begun = workbench.clock.now();
  await playOut({ ...workbench, queues: { ...workbench.queues, take: (name) => queue.take(name ?? 'control') }, deliver }, waits, { control: 10, lines: 10 });
  const ended = workbench.memory.items().filter((item) => item.pk === `RUN#${small}` && item['event'] === 'settled');
  expect((await workbench.run(small)).outcome).toBe('complete');
  return Math.max(...ended.map((item) => Date.parse(String(item['at'])))) - begun;
}

test(`one repository that floods the queues delays another by no more than ${factor} times, where queues are fair (I11)`, async () => {
  const alone = await tookBeside(false, 'fair');
  const fair = await tookBeside(true, 'fair');
  const firstCome = await tookBeside(true, 'first-come');
  expect({ alone, fair: fair <= factor * alone, firstCome: firstCome > 4 * factor * alone }).toEqual({ alone, fair: true, firstCome: true });
});
