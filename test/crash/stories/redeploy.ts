/** What is written and has to be deployed anew, once for all lines of a batch (P8). */
import { z } from 'zod';
import type { Op, OpCall, OpRegistry, RedeployOp } from '../../../shared/engine/op.ts';
import { exampleRegistry } from '../../ports/example-op.ts';
import { type Build, build, thing } from '../../ports/example-provider.ts';
import { carefully, entriesIn } from '../../property/house.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { type Story, turn } from '../story.ts';
import { applied, isComplete } from './releases.ts';

const site = 'site';

const buildsOf = async ({ http, context }: OpCall): Promise<Build[]> =>
  (await http.send({ method: 'GET', path: 'builds', answer: z.array(build) })).filter(({ sha }) => sha === context.sha);

/** A build has the values that it was made with: the provider itself says whether the newest one has those that there are. */
const deployed: RedeployOp = {
  group: () => site,
  async run(written, _group, call) {
    const things = await call.http.send({ method: 'GET', path: 'things', query: { place: call.identity['place'] }, answer: z.array(thing) });
    const newest = (await buildsOf(call)).at(-1);
    const missing = things.filter(({ id, name, value }) => written.some((one) => one.id === id) && newest?.values[name] !== value);
    if (missing.length === 0) return newest !== undefined;
    await call.http.send({ method: 'POST', path: 'builds', body: { name: site, sha: call.context.sha }, answer: build });
    return true;
  },
  async outputs(_group, call) {
    const newest = (await buildsOf(call)).at(-1);
    return newest && { url: `https://${newest.sha.slice(0, 7)}.example.test` };
  },
};

const careful = carefully(exampleRegistry);
const registry: OpRegistry = {
  ...careful,
  find(adapter, name) {
    const op = careful.find(adapter, name);
    return op && ({ ...op, redeploy: deployed } as Op);
  },
};

const where = { pull: 7, commit: 'two', things: ['a', 'b', 'c'] };

/** What is deployed of the commit has what there is, and nothing says that it has not. */
function deployedAsWritten({ bench }: Simulator): string[] {
  const newest = bench.provider.builds.at(-1)?.values ?? {};
  const stale = bench.provider.things().filter(({ name, value }) => newest[name] !== value);
  const marked = entriesIn(bench).filter(({ redeployDue }) => redeployDue !== undefined);
  return [
    ...stale.map(({ name, value }) => `P8: ${name}=${value} is written, and what is deployed last has ${newest[name]}`),
    ...marked.map(({ key }) => `P8: ${key} says still that it has to be deployed`),
  ];
}

const beforehand = new WeakMap<Simulator, number>();

export const redeploy: Story = {
  name: 'redeploy',
  about: 'Two lines write what is then deployed once for both, and a third takes what that deployment gives, and is deployed after it.',
  world: () => ({ registry }),
  overtake: (simulator) => turn(simulator, where),
  async before(simulator) {
    await applied([{ id: 'a', things: { a: '1' } }])(simulator);
    beforehand.set(simulator, simulator.bench.provider.builds.length);
  },
  async play(simulator) {
    simulator.bench.pull(7, 'two', [
      { id: 'a', things: { a: '2' } },
      { id: 'b', things: { b: { from: 'a.id' } } },
      { id: 'c', things: { c: { from: 'b.url' } } },
    ]);
    await simulator.hook(pullHook('synchronize', 7, 'two'));
    await simulator.rest();
  },
  after(simulator, befallen) {
    const { mayFail, overtaken, fault, call } = befallen;
    if (mayFail || overtaken) return isComplete(simulator, befallen);
    const builds = simulator.bench.provider.builds.length - (beforehand.get(simulator) ?? 0);
    const doubled = fault === 'twice' && call === 'provider.send' ? 1 : 0;
    return [
      ...isComplete(simulator, befallen),
      ...deployedAsWritten(simulator),
      ...(builds === 2 || builds === 2 + doubled ? [] : [`P8: ${builds} deployments for two batches`]),
    ];
  },
  where,
};
