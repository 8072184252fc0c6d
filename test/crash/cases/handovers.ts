/** A branch's scope on its way to its pull request's (P4, succession): copy, claim, delete, under both leases, beside destroys of either. */
import { commitOf, planOf, planPath } from '../../ports/workbench.ts';
import type { Call } from '../gate.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { newest, thingsAt } from '../story.ts';
import type { Worker } from '../worker.ts';
import { deletes } from './calls.ts';
import type { Case } from './case.ts';
import { close, deliverDue, deliverUntil, dieWithoutMessage, line, pastLease, runOf, untilAbout } from './deliveries.ts';

const lines = [{ id: 'a', things: { x: '1' } }];
const branch = { commit: 'zero', branch: 'feat-7', scope: 'branch-feat-7' } as const;

const writesIn =
  (scope: string, sk: string, text: string): ((call: Call) => boolean) =>
  ({ port, method, about }) =>
    port === 'table' && method === 'write' && about.includes(`${scope}"`) && about.includes(`"sk":"${sk}"`) && about.includes(text);

/** The copy of line `a` is about to be written into the pull request's scope. */
const copies = writesIn('#pr-7', 'LEDGER#a', '"thing:x"');

/** A claim is about to be given to the pull request's scope. */
const swaps = ({ port, method, about }: Call): boolean => port === 'table' && method === 'write' && about.includes('"sk":"CLAIM"') && about.includes('#pr-7"');

/** The branch has made `x`, and its pull request is opened. Its run stands at the first call that fits. */
async function handingOver(simulator: Simulator, fits: (call: Call) => boolean): Promise<Worker> {
  const { bench } = simulator;
  bench.code.commit(commitOf('zero'), planPath, planOf(lines));
  await bench.command(branch);
  await simulator.rest();
  bench.clock.advance(1000);
  bench.pull(7, 'one', lines);
  await simulator.hook(pullHook('opened', 7, 'one'));
  return untilAbout(simulator, fits);
}

/** It dies right after that call; nobody works on its run any more until everything comes to rest, and both leases run out. */
async function diedAt(simulator: Simulator, fits: (call: Call) => boolean): Promise<void> {
  const worker = await handingOver(simulator, fits);
  await worker.step();
  dieWithoutMessage(simulator, worker);
  simulator.bench.clock.advance(pastLease);
}

/** Somebody destroys the branch's scope from a terminal. */
const destroyBranch = (simulator: Simulator): Promise<string> => simulator.bench.command({ ...branch, intent: 'destroy', options: { busy: 'wait' } });

const ownerOf = ({ bench }: Simulator): string => String(bench.memory.items().find(({ sk }) => sk === 'CLAIM')?.['scope']).replace(/.*#/, '') || 'nobody';

export const handoverCases: readonly Case[] = [
  {
    name: 'a hand-over dies after its first write, and both scopes are destroyed, the old one first',
    source: 'm7-small 7e claim first, findings 23, combined handover HM claim swapped before the copy',
    guards: ['I8'],
    async play(simulator) {
      await diedAt(simulator, (call) => copies(call) || swaps(call));
      await destroyBranch(simulator);
      await deliverDue(simulator);
      await close(simulator);
      await simulator.rest();
      if (thingsAt(simulator.bench).length > 0) throw new Error(`I8: both scopes are destroyed, and ${thingsAt(simulator.bench).join()} is there`);
    },
  },
  {
    name: 'a hand-over dies between copy and claim, and the pull request is closed',
    source: 'm7-small 7e by entry, findings 23, combined handover HM an entry without its claim is destroyed',
    guards: ['I5'],
    async play(simulator) {
      await diedAt(simulator, copies);
      await close(simulator);
      await deliverDue(simulator);
      if (ownerOf(simulator) === 'branch-feat-7' && thingsAt(simulator.bench).length === 0)
        throw new Error('I5: x is the branch’s still, and the destroy of the pull request has deleted it');
      await simulator.rest();
    },
  },
  {
    name: 'a hand-over comes to the claim when the old scope’s lease is over, and a destroy there is about to delete',
    source: 'combined handover HT',
    guards: ['I5', 'I9'],
    async play(simulator) {
      const late = await handingOver(simulator, copies);
      const run = runOf(late);
      simulator.bench.clock.advance(pastLease);
      await destroyBranch(simulator);
      const others = await deliverUntil(simulator, (mail) => line('a')(mail) && 'run' in mail.message && mail.message.run !== run);
      await others.until(deletes);
      await late.run();
      const owner = ownerOf(simulator);
      await others.step();
      if (owner === 'pr-7') throw new Error('I5: x is the pull request’s by its claim, and a destroy of the branch has deleted it');
      await others.run();
      await simulator.rest();
      if (newest(simulator)?.phase !== 'done') throw new Error(`I11: the last run rests in ${newest(simulator)?.phase}`);
    },
  },
];
