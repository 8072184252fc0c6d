import { expect, test } from 'vitest';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { runsOf } from '../property/stage.ts';
import { pullHook } from './hooks.ts';
import { openSimulator, type Simulator } from './simulator.ts';

const good = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: { from: 'a.id' } } },
];

const troubles: Readonly<Record<string, (simulator: Simulator) => Promise<void>>> = {
  'a scope whose provider answers nothing but 500': async (simulator) => {
    const broken = new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'The provider answers 500.' });
    simulator.bench.provider.faults.fail(({ name }) => name === 'bad', broken, Number.POSITIVE_INFINITY);
    simulator.bench.pull(8, 'bad', [{ id: 'bad', things: { bad: '1' } }]);
    await simulator.hook(pullHook('opened', 8, 'bad'));
  },
  'a scope whose lease somebody holds for ever': async (simulator) => {
    const { table } = simulator.bench.memory;
    const held = { holder: 'nobody', fence: 9, grantedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER, sealedAt: 9, writeId: 'held' };
    await table.write({ pk: 'SCOPE#7101#main#preview#pr-8', sk: 'LEASE' }, { put: held }, { is: 'always' });
    simulator.bench.pull(8, 'bad', [{ id: 'bad', things: { bad: '1' } }]);
    await simulator.hook(pullHook('opened', 8, 'bad'));
  },
  'messages that nobody can read': async (simulator) => {
    for (let at = 0; at < 20; at += 1) simulator.again({ queue: at % 2 === 0 ? 'control' : 'lines', message: { format: 99, junk: at } as never, at: 0 });
  },
  'a plan that nobody can read': async (simulator) => {
    simulator.bench.pull(8, 'bad', [{ id: 'bad', things: { bad: { no: 'such form' } } }]);
    await simulator.hook(pullHook('opened', 8, 'bad'));
  },
};

/** How many deliveries the run of pull request 7 takes, and how long in simulated ms. */
async function released(trouble?: (simulator: Simulator) => Promise<void>): Promise<{ readonly deliveries: number; readonly ms: number }> {
  const simulator = openSimulator();
  await trouble?.(simulator);
  simulator.bench.pull(7, 'one', good);
  const begun = simulator.bench.clock.now();
  await simulator.hook(pullHook('opened', 7, 'one'));
  for (let count = 0; count < 400; count += 1) {
    const run = runsOf(simulator.bench).find(({ scope }) => scope === 'pr-7');
    if (run?.phase === 'done') {
      expect(run.outcome).toBe('complete');
      const own = simulator.delivered.filter(({ message }) => 'run' in message && message.run === run.id);
      return { deliveries: own.length, ms: simulator.bench.clock.now() - begun };
    }
    await (await simulator.take()).run();
  }
  throw new Error('I11: the run of pull request 7 is not over after 400 deliveries');
}

test.each(Object.entries(troubles))('%s does not hold up another scope (I11)', async (_name, trouble) => {
  const [alone, beside] = [await released(), await released(trouble)];
  expect(beside.deliveries).toBeLessThanOrEqual(alone.deliveries + 1);
  expect(beside.ms).toBeLessThanOrEqual(alone.ms + 5_000);
});
