/** A line whose stack an infrastructure tool makes, in a process of its own (P9), beside one that takes an output of it. */
import { policyPath } from '../../../shared/policy/policy-file.ts';
import { type FakeStacks, fakeStacks } from '../../ports/fake-stacks.ts';
import { stackLine, stacksPolicy, withRoot } from '../../ports/stack-bench.ts';
import { commitOf, repository } from '../../ports/workbench.ts';
import { carefully } from '../../property/house.ts';
import { pullHook } from '../hooks.ts';
import type { Simulator, SimulatorOptions } from '../simulator.ts';
import { close, newest, type Story, turn } from '../story.ts';
import { type ToolWatch, watchTools } from '../tool-watch.ts';
import { applied, isComplete } from './releases.ts';

/** What a simulator's tools make, and what was seen of them. */
interface Tools {
  readonly stacks: FakeStacks;
  readonly watch: ToolWatch;
}

const toolsOf = new WeakMap<Simulator, Tools>();
const known = (simulator: Simulator): Tools => toolsOf.get(simulator) as Tools;

const world = (): SimulatorOptions => ({ registry: carefully(withRoot) });

/** Tools may be run, each takes a few looks until it is done, and a start that is made again after a while is another process, as in CodeBuild. */
function runTools(simulator: Simulator): void {
  const { bench } = simulator;
  const tip = commitOf('the policy that lets tools run');
  bench.code.commit(tip, policyPath, stacksPolicy());
  bench.code.tips.set(repository.defaultBranch, tip);
  const stacks = fakeStacks(bench.bucket, bench.runner);
  const { tool } = bench.runner;
  bench.runner.tool = (work, at) => (at.step < 1 ? 'works' : tool(work, at));
  toolsOf.set(simulator, { stacks, watch: watchTools(bench) });
}

const plan = (value: string) => [
  stackLine('net', { a: value, b: { secret: 'env://DATABASE_URL' } }, { outputs: ['a'] }),
  { id: 'app', things: { app: { from: 'net.a' } } },
];

const live = (simulator: Simulator): string =>
  [...known(simulator).stacks.state().live].map(([name, value]) => (name === 'thing.a' ? `a=${value}` : name)).join();

const holds = (simulator: Simulator, value: string): string[] => {
  const made = `${live(simulator)} ${simulator.bench.provider.names().join()}`;
  return made === `a=${value},thing.b app=${value}` ? [] : [`I2: the stack and what is taken from it are ${made}`];
};

const where = (commit: string) => ({ pull: 7, commit, things: ['app'] });

/** Nothing of it is left, and no tool was ever at work where it must not be. */
const closed = async (simulator: Simulator): Promise<string[]> => {
  const { stacks, watch } = known(simulator);
  const left = [...stacks.state().live.keys()];
  return [...(await watch.broken()), ...(left.length > 0 ? [`I8: of the stack ${left} is left`] : [])];
};

/** Another commit is pushed, and released. */
const changed =
  (value: string) =>
  async (simulator: Simulator): Promise<void> => {
    simulator.bench.pull(7, 'two', plan(value));
    await simulator.hook(pullHook('synchronize', 7, 'two'));
    await simulator.rest();
  };

export const stack: Story = {
  name: 'stack',
  about: 'A stack is made by a tool that runs beside the functions, and a line takes an output of it.',
  world,
  overtake: (simulator) => turn(simulator, where('one')),
  before: async (simulator) => runTools(simulator),
  play: applied(plan('1')),
  after: (simulator, befallen) => [...isComplete(simulator, befallen), ...(befallen.mayFail || befallen.overtaken ? [] : holds(simulator, '1'))],
  closed,
  where: where('one'),
};

export const stackUpdate: Story = {
  name: 'stack-update',
  about: 'A commit changes a stack: the tool changes it, and what is taken from it follows.',
  world,
  overtake: (simulator) => turn(simulator, where('two')),
  async before(simulator) {
    runTools(simulator);
    await applied(plan('1'))(simulator);
  },
  play: changed('2'),
  after: (simulator, befallen) => [...isComplete(simulator, befallen), ...(befallen.mayFail || befallen.overtaken ? [] : holds(simulator, '2'))],
  closed,
  where: where('two'),
};

export const stackDestroy: Story = {
  name: 'stack-destroy',
  about: 'The pull request of a stack is closed: the tool takes all of it down, after what was taken from it.',
  world,
  overtake: (simulator) => turn(simulator, where('one')),
  async before(simulator) {
    runTools(simulator);
    await applied(plan('1'))(simulator);
  },
  async play(simulator) {
    await close(simulator, where('one'));
    await simulator.rest();
  },
  after: (simulator, { mayFail, overtaken }) => {
    const run = newest(simulator);
    if (overtaken) return holds(simulator, '1');
    return run?.kind === 'destroy' && (run.outcome === 'complete' || mayFail) ? [] : [`I8: the destroy ended ${run?.outcome} in ${run?.phase}`];
  },
  closed,
  where: where('one'),
};
