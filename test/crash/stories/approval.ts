/** A release in production: asked in Slack, approved, found stale, asked and approved again. */
import { policyPath } from '../../../shared/policy/policy-file.ts';
import { askInSlack } from '../../ports/in-slack.ts';
import { commitOf, planOf, planPath, repository } from '../../ports/workbench.ts';
import { runsOf } from '../../property/stage.ts';
import { pushHook } from '../hooks.ts';
import type { Simulator } from '../simulator.ts';
import { approveAll, newest, type Story } from '../story.ts';

/** What is in production, and what a release then changes of it. */
export const first = [
  { id: 'a', things: { a: '1' } },
  { id: 'b', things: { b: '1' } },
];
export const next = [
  { id: 'a', things: { a: '2' } },
  { id: 'b', things: { b: '3' }, depends_on: ['a'] },
];

/** A commit with this plan becomes the tip of the default branch, beside the policy that stands there. Nobody is told. */
export async function commitTo(simulator: Simulator, commit: string, changes: readonly object[]): Promise<void> {
  const { bench } = simulator;
  askInSlack(bench);
  const policy = await bench.code.host.file(repository, policyPath, bench.code.tips.get(repository.defaultBranch) ?? '');
  if (policy) bench.code.commit(commitOf(commit), policyPath, policy.toString());
  bench.code.commit(commitOf(commit), planPath, planOf(changes));
  bench.code.tips.set(repository.defaultBranch, commitOf(commit));
}

/** And GitHub tells of it. */
export async function pushed(simulator: Simulator, commit: string, changes: readonly object[]): Promise<void> {
  await commitTo(simulator, commit, changes);
  await simulator.hook(pushHook(commit));
}

/** The first commit of a case or story is in production. */
export async function inProduction(simulator: Simulator, changes: readonly object[]): Promise<void> {
  await pushed(simulator, 'one', changes);
  await simulator.rest();
  await approveAll(simulator);
  simulator.bench.clock.advance(1000);
}

export const approval: Story = {
  name: 'approval',
  about: 'A push to production is asked about in Slack, approved, found stale because somebody moved the world, asked about and approved again.',
  async overtake(simulator) {
    simulator.bench.clock.advance(1000);
    await pushed(simulator, 'three', next);
    return { commit: 'three', things: ['a', 'b'] };
  },
  before: (simulator) => inProduction(simulator, first),
  async play(simulator) {
    await pushed(simulator, 'two', next);
    await simulator.rest();
    simulator.bench.provider.remove('b');
    await approveAll(simulator);
  },
  after(simulator, { mayFail, overtaken }) {
    const run = newest(simulator);
    const asked = simulator.bench.memory.items().filter((item) => item.sk.startsWith('QUESTION#') && item['run'] === run?.id).length;
    const values = simulator.bench.provider.names().join();
    const ended = run?.outcome === 'complete' || overtaken ? [] : [`I11: the run ended ${run?.outcome} in ${run?.phase}`];
    if (mayFail) return runsOf(simulator.bench).some(({ phase }) => phase === 'awaiting') ? ['I11: somebody is asked still'] : [];
    return [
      ...ended,
      ...(asked === 2 || overtaken ? [] : [`I12: ${asked} questions for one stop`]),
      ...(values === 'a=2,b=3' ? [] : [`I7: approved, and there is ${values}`]),
    ];
  },
  where: { commit: 'two', things: ['a', 'b'] },
};
