/** Parts of one object that lines of two scopes write (P3): under its lock, one at a time. */
import { listItem } from '../../../shared/adapters/http-api/list-item/list-item.ts';
import { createRegistry } from '../../../shared/adapters/registry.ts';
import type { Op } from '../../../shared/engine/op.ts';
import { policyPath } from '../../../shared/policy/policy-file.ts';
import { commitOf } from '../../ports/workbench.ts';
import { pullHook } from '../hooks.ts';
import { itemOf as item, originOf, type SharedList, sharedList, theirs } from '../shared-list.ts';
import type { Simulator } from '../simulator.ts';
import { close, type Story, turn } from '../story.ts';
import { isComplete } from './releases.ts';

const where = { pull: 7, commit: 'one' };
const other = { pull: 8, commit: 'other' };

const lineOf = (origin: string): string => /^https:\/\/(\w+)\.example$/.exec(origin)?.[1] ?? '?';
const providers = { http: { login: { base_url: 'https://api.login.example' } } };

/** The list of the world that is being made, and those of the worlds that are being told in. */
let made: SharedList | undefined;
const told = new WeakMap<Simulator, { readonly list: SharedList; readonly unlocked: string[]; writes?: number }>();
const known = (simulator: Simulator) => told.get(simulator) as NonNullable<ReturnType<typeof told.get>>;

/** Whoever writes the object has its lock: it is one attempt's at the line whose part is written. */
function watchLock(simulator: Simulator, list: SharedList): void {
  const unlocked: string[] = [];
  told.set(simulator, { list, unlocked });
  list.wrote = (moved) => {
    const { memory, clock } = simulator.bench;
    const lock = memory.items().find(({ pk }) => pk.startsWith('PARENT#'));
    const held = lock && lock['released'] !== true && Number(lock['expiresAt']) >= clock.now() ? String(lock['holder']) : 'nobody';
    const others = moved.filter((one) => !held.includes(`#${lineOf(one)}#`));
    if (others.length > 0 || held === 'nobody') unlocked.push(`I9: ${moved} was written while ${held} had the lock of the list`);
  };
}

const listed = (simulator: Simulator, wanted: readonly string[]): string[] => {
  const items = [...known(simulator).list.items()].sort().join();
  return items === [...wanted].sort().join() ? [] : [`I5: the list holds ${items}`];
};

export const parents: Story = {
  name: 'parents',
  about: 'Two lines of a pull request write their parts of one list while another pull request is closed and its part of it goes.',
  world() {
    made = sharedList();
    return { registry: createRegistry([listItem as Op]), provider: made.http };
  },
  overtake: (simulator) => turn(simulator, where),
  async before(simulator) {
    watchLock(simulator, made as SharedList);
    const { bench } = simulator;
    const tip = commitOf('the policy of the list');
    bench.code.commit(tip, policyPath, JSON.stringify({ version: 1, environments: { preview: { http_hosts: ['api.login.example'] } } }));
    bench.code.tips.set('main', tip);
    bench.pull(8, 'other', [item('z')], { providers });
    await simulator.hook(pullHook('opened', 8, 'other'));
    await simulator.rest();
    bench.clock.advance(1000);
  },
  async play(simulator) {
    await close(simulator, other);
    simulator.bench.clock.advance(1);
    simulator.bench.pull(7, 'one', [item('a'), item('b')], { providers });
    await simulator.hook(pullHook('opened', 7, 'one'));
    await simulator.rest();
  },
  after(simulator, befallen) {
    const self = known(simulator);
    // Whoever overtook it has closed the pull request, where that was opened by then.
    if (simulator.bench.code.pulls.get(7)?.open === false) return listed(simulator, [theirs]);
    if (befallen.mayFail) return isComplete(simulator, befallen);
    self.writes = self.list.writes();
    return [...isComplete(simulator, befallen), ...listed(simulator, [theirs, originOf('a'), originOf('b')])];
  },
  closed(simulator) {
    const { unlocked, writes, list } = known(simulator);
    const more = writes === undefined ? 2 : list.writes() - writes;
    return [
      ...unlocked,
      ...listed(simulator, [theirs]),
      ...(more === 2 ? [] : [`I3: a second apply, or what came again, wrote the list: ${more} writes and two removals`]),
    ];
  },
  where,
};
