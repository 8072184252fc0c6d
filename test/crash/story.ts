/** What a story is, and how each of them ends: a second apply writes nothing, everything that was ever sent comes again, a destroy leaves nothing. */
import type { Run } from '../../shared/run/items.ts';
import { abandonedClaims, disagreements } from '../ports/agreement.ts';
import type { Workbench } from '../ports/workbench.ts';
import { thingById } from '../property/house.ts';
import { differing, worldOf } from '../property/oracles/world.ts';
import { runsOf } from '../property/stage.ts';
import type { Call, Fault } from './gate.ts';
import { pullHook, pushHook, shaOf } from './hooks.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';

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
  /** What must hold at its end, whatever befell, in sentences that begin with the name of an invariant. */
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
  /** Another run took the scope and ended meanwhile: what it wants is what is there. */
  readonly overtaken: boolean;
  /** What that one released, where that is another commit. */
  readonly by?: Where | undefined;
}

export const thingsAt = (bench: Workbench): string[] =>
  bench.provider
    .things()
    .map(({ name }) => name)
    .sort();

const newestOf = (runs: readonly Run[]): Run | undefined => [...runs].sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1)).at(-1);

/** The run that began last, of those that do the work. */
export const newest = ({ bench }: Simulator): Run | undefined => newestOf(runsOf(bench));

/** Somebody who may says yes. */
export const approve = { user: 'U0000ROBIN', button: 'Approve' } as const;

/** Approves whatever is asked, until nobody asks any more. */
export async function approveAll(simulator: Simulator): Promise<void> {
  for (let times = 0; times < 4 && runsOf(simulator.bench).some(({ phase }) => phase === 'awaiting'); times += 1) {
    await simulator.click(approve);
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

/** The end of a story that was told. @returns what is broken, in sentences. */
export async function ending(simulator: Simulator, story: Story, befallen: Befallen): Promise<string[]> {
  simulator.fate = () => undefined;
  const overtaken = befallen.overtaken ? overtook(simulator) : [];
  const wrong = [...simulator.judge(), ...overtaken, ...(await story.after(simulator, befallen))];
  if (wrong.length > 0) return wrong;
  const lastWrong = await lastly(simulator, befallen.by ?? story.where);
  if (lastWrong.length > 0) return lastWrong;
  return [...agreed(simulator), ...forsaken(simulator, befallen), ...((await story.closed?.(simulator)) ?? [])];
}

/** At the end table, bucket and provider say the same, no secret can be opened any more, and no message is left. */
function agreed({ bench, ours, removed }: Simulator): string[] {
  const strangers = bench.provider.things().filter(({ id }) => !ours.has(id));
  return disagreements(
    bench,
    strangers.map(({ name }) => name),
  )
    .filter((one) => ![...removed].some((name) => one === `${name} is in the ledger and not at the provider`))
    .map((one) => `agreement: ${one}`);
}

/** A death between the removal of an entry and that of its claim leaves that one claim, free for whoever comes next (P4). Of two runs each may leave one. */
function forsaken({ bench }: Simulator, { fault, overtaken }: Befallen): string[] {
  const claims = abandonedClaims(bench);
  return claims.length <= (fault === undefined ? 0 : overtaken ? 2 : 1) ? [] : [`P4: ${claims.length} claims are left of what is gone`];
}

/** Whoever came between is over and complete, and what another run left behind in its scope stops nobody. One that came late has given way. */
function overtook({ bench }: Simulator): string[] {
  const runs = runsOf(bench).filter(({ outcome }) => outcome !== 'superseded');
  const run = newestOf(runs);
  return run === undefined || run.outcome === 'complete' ? [] : [`I11: the run that overtook another ended ${run.outcome} in ${run.phase}`];
}

/**
 * Every end, from whatever rest: a release is complete, the next one writes nothing (I3), what ever came changes nothing when it comes again
 * (I10), and of a pull request that is closed nothing is left (I8). @returns what is broken, in sentences.
 */
export async function lastly(simulator: Simulator, where: Where): Promise<string[]> {
  const { bench } = simulator;
  const wrong: string[] = [];
  if (where.pull !== undefined && bench.code.pulls.get(where.pull)?.open === false)
    return [...gone(simulator, where), ...(await replayed(simulator)), ...simulator.judge()];
  if (!isReleased(newest(simulator), where)) wrong.push(...completed(await release(simulator, where)));
  const before = simulator.sent.length;
  wrong.push(...completed(await release(simulator, where)));
  simulator.ends.I3 += 1;
  wrong.push(...simulator.sent.slice(before).map(({ method, name }) => `I3: a second apply sent ${method} ${name}`));
  if (where.things && thingsAt(bench).join() !== where.things.join()) wrong.push(`I2: the provider has ${thingsAt(bench)} and not ${where.things}`);
  wrong.push(...(await replayed(simulator)), ...agreed(simulator));
  if (where.pull === undefined) return [...wrong, ...simulator.judge()];
  await close(simulator, where);
  await simulator.rest();
  return [...wrong, ...gone(simulator, where), ...simulator.judge()];
}

/** Whether this run has made what is to be there. */
const isReleased = (run: Run | undefined, { commit }: Where): boolean => run?.outcome === 'complete' && run.commit === shaOf(commit) && run.intent !== 'plan';

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
export function gone({ bench, ours, ends }: Simulator, { pull }: Where): string[] {
  ends.I8 += 1;
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
  // A message that was delivered more than once comes once more all the same.
  const delivered = new Map(
    simulator.delivered.map(({ dead: _dead, received: _received, ...mail }) => [`${mail.queue} ${JSON.stringify(mail.message)}`, mail]),
  );
  for (const mail of delivered.values()) simulator.again(mail);
  simulator.ends.I10 += delivered.size + (await simulator.resend());
  await simulator.rest();
  return differing(before, worldOf(simulator)).map((part) => `I10: ${part} changed when messages and events came again`);
}
