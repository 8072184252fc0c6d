import { expect, test } from 'vitest';
import { comesFrom, deliverUntil } from '../../test/ports/deliver-until.ts';
import { askedRun, wake, writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';

const changes = [{ id: 'a', things: { x: '1' } }];
const isWrite = (name: string): boolean => name === 'table.write';

/** The guard stands still before its nth write while somebody else rejects. Undefined: it has fewer. */
async function rejectedAt(nth: number, policy?: object): Promise<{ outcome: string; written: number; honoured: boolean } | undefined> {
  const bench = openWorkbench();
  if (policy) bench.code.commit('tip', 'lockkeeper.yaml', JSON.stringify(policy));
  if (policy) bench.code.tips.set('main', 'tip');
  const run = await askedRun(bench, changes);
  await writeAnswer(bench, run, 'approve');
  await wake(bench, run);
  const message = await deliverUntil(bench, (next) => comesFrom(next, 'guard'));
  if (!message) throw new Error('no guard');
  bench.fates.plan(nth, 'frozen', isWrite);
  const still = bench.fates.frozen().then(() => true);
  const guarding = bench.deliver(bench.queues.takeAt(bench.queues.waiting().indexOf(message)) ?? message).then(() => false);
  if (!(await Promise.race([still, guarding]))) return undefined;
  const honoured = (await bench.run(run.id)).honoured !== undefined;
  await writeAnswer(bench, run, 'reject', { name: 'lee', through: 'machine' });
  await wake(bench, run);
  bench.fates.thaw();
  await guarding;
  await bench.quiet();
  return { outcome: String((await bench.run(run.id)).outcome), written: bench.provider.names().length, honoured };
}

test.each([
  ['', undefined],
  [', and lines are looked at again', { version: 1, environments: { production: { recheck: true } } }],
])(
  'somebody else rejects while the guard judges an approval: nothing is written, unless the run said before that it is honoured%s (I7)',
  async (_more, policy) => {
    const ends: string[] = [];
    for (let nth = 0; ; nth += 1) {
      const end = await rejectedAt(nth, policy);
      if (end === undefined) break;
      if (!end.honoured) expect([nth, end.outcome, end.written]).toEqual([nth, 'rejected', 0]);
      ends.push(`${end.outcome} ${end.honoured}`);
    }
    expect(ends).toContain('rejected false');
    expect(ends).toContain(policy ? 'rejected true' : 'complete true');
  },
);
