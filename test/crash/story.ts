/** What a story is, and how each of them ends: a second apply writes nothing, everything that was ever sent comes again, a destroy leaves nothing. */
import type { Run } from '../../shared/run/items.ts';
import type { Workbench } from '../ports/workbench.ts';
import { thingById } from '../property/house.ts';
import { differing, worldOf } from '../property/oracles/world.ts';
import { runsOf } from '../property/stage.ts';
import type { Call, Fault } from './gate.ts';
import { pullHook, pushHook, type Simulator, type SimulatorOptions } from './simulator.ts';

export interface Story {
  /** In the ids of its calls. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** The world it is told in, made afresh each time, where it is not the usual one. */
  readonly world?: () => SimulatorOptions;
  /** What stands before it begins; nothing befalls it. */
  readonly before?: (simulator: Simulator) => Promise<void>;
  /** What is told, and what faults befall. */
  readonly play: (simulator: Simulator) => Promise<void>;
  /** What makes another run of its scope. @returns what is to be released then, where that is another commit. */
  readonly overtake: (simulator: Simulator) => Promise<Where | undefined>;
  /** Writes that a deadline alone guards: one that has left has left, and whoever stands still has sent it (design, section 4). */
  readonly guardedByTime?: (call: Call) => boolean;
  /** What must hold at its end, where no other run came between, in sentences that begin with the name of an invariant. */
  readonly after: (simulator: Simulator, befallen: Befallen) => string[] | Promise<string[]>;
  /** What no oracle sees and must hold when all is over, whatever befell, in sentences of the same kind. The pull request is closed by then, where there is one. */
  readonly closed?: (simulator: Simulator) => string[] | Promise<string[]>;
  /** How the world is set right that a fault has failed, released again and taken down. */
  readonly where: Where;
}

/** What a story is about: a pull request at a commit, or the default branch. */
export interface Where {
  readonly pull?: number;
  readonly commit: string;
  /** Names of the things that must be there at the end, sorted; undefined: whatever is there. */
  readonly things?: readonly string[];
}

export interface Befallen {
  readonly fault: Fault | undefined;
  /** The call whose turn it was: `port.method`. */
  readonly call: string | undefined;
  /** Only a provider, or a source of secrets, that did not answer may fail a run: a death, a pause or a store's silence costs time and nothing else. */
  readonly mayFail: boolean;
  /** What another run released meanwhile. */
  readonly by?: Where | undefined;
}

export const thingsAt = (bench: Workbench): string[] =>
  bench.provider
    .things()
    .map(({ name }) => name)
    .sort();

/** The run that began last, of those that do the work. */
export const newest = ({ bench }: Simulator): Run | undefined =>
  runsOf(bench)
    .sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
    .at(-1);

/** Approves whatever is asked, until nobody asks any more. */
export async function approveAll(simulator: Simulator): Promise<void> {
  for (let times = 0; times < 4 && runsOf(simulator.bench).some(({ phase }) => phase === 'awaiting'); times += 1) {
    await simulator.click({ user: 'U0000ROBIN', button: 'Approve' });
    await simulator.rest();
  }
}

/** The pull request's head, or the branch's tip, is told of once more. */
export async function release(simulator: Simulator, { pull, commit }: Where): Promise<Run> {
  simulator.bench.clock.advance(1000);
  await simulator.hook(pull === undefined ? pushHook(commit) : pullHook('synchronize', pull, commit));
  await simulator.rest();
  await approveAll(simulator);
  return newest(simulator) as Run;
}

/** Every story's end. @returns what is broken, in sentences. */
export async function ending(simulator: Simulator, story: Story, befallen: Befallen): Promise<string[]> {
  const wrong = await rested(simulator, story, befallen);
  return wrong.length > 0 ? wrong : ((await story.closed?.(simulator)) ?? []);
}

async function rested(simulator: Simulator, story: Story, befallen: Befallen): Promise<string[]> {
  const where = befallen.by ?? story.where;
  simulator.fate = () => undefined;
  const wrong = [...simulator.judge(), ...(befallen.fault === 'overtaken' ? [] : await story.after(simulator, befallen))];
  if (wrong.length > 0) return wrong;
  const { bench } = simulator;
  if (where.pull !== undefined && bench.code.pulls.get(where.pull)?.open === false) return [...gone(simulator, where), ...(await replayed(simulator))];
  if (newest(simulator)?.outcome !== 'complete') wrong.push(...completed(await release(simulator, where)));
  const before = simulator.sent.length;
  wrong.push(...completed(await release(simulator, where)));
  wrong.push(...simulator.sent.slice(before).map(({ method, name }) => `I3: a second apply sent ${method} ${name}`));
  if (where.things && thingsAt(bench).join() !== where.things.join()) wrong.push(`I2: the provider has ${thingsAt(bench)} and not ${where.things}`);
  wrong.push(...(await replayed(simulator)));
  if (where.pull === undefined) return [...wrong, ...simulator.judge()];
  await close(simulator, where);
  await simulator.rest();
  return [...wrong, ...gone(simulator, where), ...simulator.judge()];
}

const completed = (run: Run): string[] => (run.outcome === 'complete' ? [] : [`I11: after the last fault a release ends ${run.outcome} in ${run.phase}`]);

/** A pull request that is open is closed, and one that is closed is opened again: what is under way is another kind of run. */
export async function turn(simulator: Simulator, where: Where): Promise<undefined> {
  const { code } = simulator.bench;
  const found = code.pulls.get(where.pull as number);
  if (found?.open !== false) await close(simulator, where);
  else {
    code.pulls.set(found.number, { ...found, open: true });
    await simulator.hook(pullHook('reopened', found.number, where.commit));
  }
  return undefined;
}

/** Closes the pull request, and says so. */
export async function close(simulator: Simulator, { pull, commit }: Where): Promise<void> {
  const { code } = simulator.bench;
  const found = code.pulls.get(pull as number);
  if (found) code.pulls.set(found.number, { ...found, open: false });
  await simulator.hook(pullHook('closed', pull as number, commit));
}

/** I8: nothing is managed in the pull request's scope, and nothing that we made is there but what another scope has. */
function gone({ bench, ours }: Simulator, { pull }: Where): string[] {
  const items = bench.memory.items();
  const ownScope = (scope: unknown): boolean => String(scope).endsWith(`#pr-${pull}`);
  const others = new Set(items.flatMap((item) => (item.sk === 'CLAIM' && !ownScope(item['scope']) ? [(item['identity'] as { key: string }).key] : [])));
  const managed = items.filter((item) => item.sk.startsWith('LEDGER#') && ownScope(item.pk) && (item['entries'] as unknown[]).length > 0);
  const left = [...ours].flatMap((id) => thingById(bench, id) ?? []).filter(({ name }) => !others.has(`thing:${name}`));
  return [
    ...left.map(({ name }) => `I8: ${name}, which we made, has survived the destroy`),
    ...managed.map(({ pk, sk }) => `I8: ${pk} ${sk} still manages something`),
  ];
}

/** I10: every message and every event that ever came comes again, and changes nothing. */
async function replayed(simulator: Simulator): Promise<string[]> {
  const before = worldOf(simulator);
  for (const { dead: _dead, received: _received, ...mail } of simulator.delivered.slice()) simulator.again(mail);
  await simulator.resend();
  await simulator.rest();
  return differing(before, worldOf(simulator)).map((part) => `I10: ${part} changed when messages and events came again`);
}
