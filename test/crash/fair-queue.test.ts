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

const floods = '9001';

/** Simulated ms from the start of runs of ten lines, each of another repository, to the end of the last; `flooded`: beside a run of 600 lines of yet another one. */
async function tookBeside(flooded: boolean, order: 'fair' | 'first-come', repositories: readonly string[]): Promise<number> {
  const waits = simulatedWaits(() => workbench.clock.now());
  const provider = itemProvider({ now: () => workbench.clock.now() }, () => waits.wait(300));
  const workbench: Workbench = openWorkbench('embedded', { registry: itemRegistry, provider: provider.http });
  const queue = fairQueue(workbench.queues, workbench.clock.now, order);
  const start = (name: string, lines: number, id: string): Promise<string> => {
    workbench.code.commit(commitOf(name), planPath, plan(name, lines));
    return workbench.command({ commit: name, scope: name, branch: name, repository: { ...repository, id } });
  };
  if (flooded) await start('flood', 600, floods);
  const small = await Promise.all(repositories.map((id) => start(`small-${id}`, 10, id)));
  const deliver = (message: Parameters<Workbench['deliver']>[0]): Promise<void> => workbench.deliver(message).finally(() => queue.done(message));
  const begun = workbench.clock.now();
  await playOut({ ...workbench, queues: { ...workbench.queues, take: (name) => queue.take(name ?? 'control') }, deliver }, waits, { control: 10, lines: 10 });
  const ended = workbench.memory.items().filter((item) => small.some((id) => item.pk === `RUN#${id}`) && item['event'] === 'settled');
  expect(await Promise.all(small.map(async (id) => (await workbench.run(id)).outcome))).toEqual(small.map(() => 'complete'));
  return Math.max(...ended.map((item) => Date.parse(String(item['at'])))) - begun;
}

/** `unfair`: how many times longer it takes, at least, where who comes first is served first. */
test.each<[whom: string, others: readonly string[], unfair: number]>([
  ['another', ['7101'], 8],
  ['each of four others', ['7101', '7102', '7103', '7104'], 4],
])(`one repository that floods the queues delays %s by no more than ${factor} times, where queues are fair (I11)`, async (_whom, others, unfair) => {
  const without = await tookBeside(false, 'fair', others);
  const fair = await tookBeside(true, 'fair', others);
  const firstCome = await tookBeside(true, 'first-come', others);
  expect({ without, fair: fair <= factor * without, firstCome: firstCome > unfair * without }).toEqual({ without, fair: true, firstCome: true });
});
