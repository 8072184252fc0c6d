/** Odd events that are accepted, each followed to its end: the real functions work on whatever comes of it, until nothing moves. */
import { webhookSecret } from '../../crash/handlers.ts';
import type { Simulator } from '../../crash/simulator.ts';
import { differing, worldOf } from '../../property/oracles/world.ts';
import { runsOf } from '../../property/stage.ts';
import { pressed } from '../../sim/slack/press.ts';
import type { Random } from '../../weave/random.ts';
import { canaryIn } from './canaries.ts';
import { codesOf } from './codes-of.ts';
import { damagedValue, oddValue } from './damage.ts';
import type { Door } from './door.ts';
import { hooks, released } from './sent.ts';

/** Sends one odd event. @returns its name. */
type Sender = (simulator: Simulator, random: Random) => Promise<string>;

const odd = (payload: object, random: Random): object => {
  const value = random.chance(0.4) ? damagedValue(payload, random) : oddValue(payload, random);
  return typeof value === 'object' && value !== null ? value : {};
};

async function hook(simulator: Simulator, random: Random): Promise<string> {
  const { event, payload } = random.one(hooks)(simulator, random);
  await simulator.hook({ event, payload: odd(payload, random) });
  return event;
}

/** Accounts that policy maps to approvers. */
const approvers: ReadonlySet<string> = new Set(['U0000ROBIN', 'U0000ALEX', 'U00000KIM']);

async function click(simulator: Simulator, random: Random): Promise<string> {
  const press = { user: random.one(['U0000ROBIN', 'U0000ALEX', 'U0STRANGER']), button: random.one(['Approve', 'Reject'] as const) };
  const payload = odd(pressed(simulator.bench.slack.state, press), random);
  const asking = runsOf(simulator.bench).find(({ phase }) => phase === 'awaiting');
  // What the oracle of I7 goes by: whoever may decide says yes to what is asked.
  await simulator.interact(payload);
  const isTaken = simulator.bench.queues.waiting().length > 0;
  if (isTaken && asking?.question && approvers.has((payload as { user?: { id?: string } }).user?.id ?? '')) {
    const { q, digest } = asking.question;
    simulator.answers.push({
      run: asking.id,
      q,
      digest,
      verdict: press.button === 'Approve' ? 'approve' : 'reject',
      inTime: true,
      at: simulator.bench.clock.now(),
    });
  }
  return press.button;
}

/** Sends events until one is accepted. */
async function accepted(simulator: Simulator, random: Random, send: Sender): Promise<string> {
  for (let times = 0; times < 200; times += 1) {
    const name = await send(simulator, random);
    if (simulator.bench.queues.waiting().length > 0) return name;
  }
  throw new Error('none of 200 odd events is accepted');
}

/** @param recorded what the log says of one that is accepted, and by which field it names it. */
const followed = (name: string, count: number, send: Sender, recorded: readonly [message: string, id: string]): Door => ({
  name,
  count,
  async send(random) {
    const simulator = await released();
    const { bench } = simulator;
    bench.clock.advance(1_000);
    const [said, before] = [bench.logged.length, standingOf(simulator)];
    const what = await accepted(simulator, random, send);
    await simulator.rest();
    const [outcome, silent] = outcomeOf(simulator, said, before, recorded);
    const sinks = [bench.logged.slice(said), [...bench.code.checks], [...bench.code.comments], bench.slack.state, bench.queues.sent, bench.memory.items()];
    const leaked = canaryIn(sinks, webhookSecret);
    const wrong = [...simulator.judge(), ...(leaked ? [leaked] : []), ...(silent ? [silent] : []), ...(await lost(simulator))][0];
    return { answer: `${what}: ${outcome}`, ...(wrong ? { wrong } : {}) };
  },
});

export const followedHooks = followed('accepted webhook', 400, hook, ['intake recorded and queued', 'intake']);
export const followedClicks = followed('accepted click', 150, click, ['slack click recorded and queued', 'delivery']);

/** Where each run stands. */
const standingOf = ({ bench }: Simulator): ReadonlyMap<string, string> => new Map(runsOf(bench).map(({ id, phase, outcome }) => [id, outcome ?? phase]));

/** What came of it, from a small set of words; and what somebody who looks for it does not find. */
function outcomeOf(
  simulator: Simulator,
  said: number,
  before: ReadonlyMap<string, string>,
  [recorded, id]: readonly [message: string, id: string],
): readonly [outcome: string, silent?: string] {
  const { bench } = simulator;
  const told = bench.logged.slice(said);
  const event = told.find(({ message }) => message === recorded)?.fields?.[id];
  const dealt = told.some(({ message, fields }) => message !== recorded && fields?.[id] === event);
  const moved = runsOf(bench).filter((run) => before.get(run.id) !== (run.outcome ?? run.phase));
  if (!dealt && moved.length === 0) return ['silence', `nothing is said of what became of the event: ${JSON.stringify(told).slice(0, 300)}`];
  const [failed] = moved.filter((run) => run.outcome === 'failed' && codesOf(bench, run).length === 0);
  if (failed) return ['failed', `run ${failed.id} failed, and there is no code that says why`];
  const ends = moved.map((run) => (run.outcome === 'failed' ? `failed ${codesOf(bench, run)}` : (run.outcome ?? run.phase)));
  return [moved.length > 0 ? [...new Set(ends)].sort().join(' and ') : 'nothing is to be done, says the log'];
}

/** What was accepted and is not done, what died, what was a mistake of ours, and what the same event changes when it comes again. */
async function lost(simulator: Simulator): Promise<string[]> {
  const { bench, delivered } = simulator;
  const open = bench.memory.items().filter(({ kind, status }) => (kind === 'intake' || kind === 'slack') && status !== 'done');
  const dead = delivered.filter((mail) => mail.dead);
  const raw = bench.logged.filter(({ level, fields }) => level === 'error' && JSON.stringify(fields ?? {}).includes('INTERNAL'));
  const now = worldOf(simulator);
  await simulator.resend();
  await simulator.rest();
  return [
    ...open.map((item) => `I11: an event is ${String(item['status'])}`),
    ...raw.map(({ message, fields }) => `${message}: ${JSON.stringify(fields)}`),
    ...dead.map(({ message }) => `I11: ${JSON.stringify(message)} is a dead letter`),
    ...differing(now, worldOf(simulator)).map((part) => `I10: ${part} changed when the event came again`),
  ];
}
