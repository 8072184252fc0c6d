/** What was there before a line took it over (P4, overwrite): its first value comes back, unless somebody has changed it since. */
import { sayBefore } from '../../../shared/rulings/lift.ts';
import type { NewRuling } from '../../../shared/rulings/ruling.ts';
import { rulingOfSaid } from '../../../shared/rulings/said.ts';
import { runIdOf } from '../../../shared/run/create-run.ts';
import { scopeOf } from '../../ports/workbench.ts';
import type { Call } from '../gate.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import type { Worker } from '../worker.ts';
import type { Case } from './case.ts';
import { close, deliverUntil, line } from './deliveries.ts';

const patches = ({ port, about }: Call): boolean => port === 'provider' && about.includes('"method":"PATCH"');

/** Somebody has made `a`; a person's word lets line `a` of pull request 7 take it over. Its worker is about to write over it. */
async function takingOver(simulator: Simulator): Promise<Worker> {
  const { bench } = simulator;
  bench.provider.edit('a', 'first');
  bench.clock.advance(1000);
  bench.pull(7, 'one', [{ id: 'a', things: { a: 'ours' } }]);
  const start = 'a command';
  const run = runIdOf(start, { plan: { name: 'main' }, environment: 'preview' });
  const said = rulingOfSaid({ verb: 'adopt', line: 'a' }, { name: 'kim', through: 'machine' }, new Date(bench.clock.now()).toISOString());
  const writer = { table: bench.memory.table, clock: bench.clock, ids: { fresh: () => 'of a word' } };
  await sayBefore(writer, scopeOf(7), start, run, said as NewRuling);
  await bench.command({ start, commit: 'one', scope: 'pr-7', branch: 'feat-7', pullRequest: 7, options: { busy: 'fail', adopt: 'a' } });
  const worker = await deliverUntil(simulator, line('a'));
  await worker.until(patches);
  return worker;
}

async function closed(simulator: Simulator, commit = 'one'): Promise<string | undefined> {
  await close(simulator, commit);
  await simulator.rest();
  return simulator.bench.provider.find('a')?.value;
}

/** A worker has written over what was there, and has died before it recorded that; the next attempt finds what it wrote. */
async function diedOver(simulator: Simulator): Promise<void> {
  const worker = await takingOver(simulator);
  await worker.step('after');
  await simulator.rest();
}

export const adoptionCases: readonly Case[] = [
  {
    name: 'a line writes over what it takes over, and dies before it records that',
    source: 'm7-small 7c-1, findings 21',
    guards: ['I2'],
    async play(simulator) {
      await diedOver(simulator);
      const left = await closed(simulator);
      if (left !== 'first') throw new Error(`I2: what was there before held first, and the destroy left ${left ?? 'nothing'}`);
    },
  },
  {
    name: 'a line writes once more over what it has taken over, and its next attempt finds what the first one wrote',
    source: 'm7-small 7c-2, findings 21',
    guards: ['I2'],
    async play(simulator) {
      await diedOver(simulator);
      simulator.bench.clock.advance(1000);
      simulator.bench.pull(7, 'two', [{ id: 'a', things: { a: 'ours still' } }]);
      await simulator.hook(pullHook('synchronize', 7, 'two'));
      const worker = await deliverUntil(simulator, line('a'));
      await worker.until(patches);
      await worker.step('after');
      await simulator.rest();
      const left = await closed(simulator, 'two');
      if (left !== 'first') throw new Error(`I2: what was there before held first, and the destroy left ${left ?? 'nothing'}`);
    },
  },
  {
    name: 'somebody changes what a line has taken over, and then its pull request is closed',
    source: 'm7-small 7c-4, findings 21',
    guards: ['I5'],
    async play(simulator) {
      await diedOver(simulator);
      simulator.bench.provider.edit('a', 'by hand');
      const left = await closed(simulator);
      if (left !== 'by hand') throw new Error(`I5: somebody had changed it by hand, and the destroy left ${left ?? 'nothing'}`);
    },
  },
];
