/** Odd webhooks that are accepted, each followed to its end: the real functions work on whatever comes of it, until nothing moves. */
import { webhookSecret } from '../../crash/handlers.ts';
import type { Simulator } from '../../crash/simulator.ts';
import { differing, worldOf } from '../../property/oracles/world.ts';
import { runsOf } from '../../property/stage.ts';
import type { Random } from '../../weave/random.ts';
import { canaryIn } from './canaries.ts';
import { codesOf } from './codes-of.ts';
import { damagedValue, oddValue } from './damage.ts';
import type { Door } from './door.ts';
import { hooks, released } from './sent.ts';

/** Sends events until one is accepted. @returns its name. */
async function accepted(simulator: Simulator, random: Random): Promise<string> {
  for (let times = 0; times < 200; times += 1) {
    const { event, payload } = random.one(hooks)(simulator, random);
    const odd = random.chance(0.4) ? damagedValue(payload, random) : oddValue(payload, random);
    if (typeof odd !== 'object' || odd === null) continue;
    await simulator.hook({ event, payload: odd });
    if (simulator.bench.queues.waiting().length > 0) return event;
  }
  throw new Error('none of 200 odd events is accepted');
}

export const followed: Door = {
  name: 'accepted webhook',
  count: 400,
  async send(random) {
    const simulator = await released();
    const { bench } = simulator;
    bench.clock.advance(1_000);
    const [said, before] = [bench.logged.length, new Set(runsOf(bench).map(({ id }) => id))];
    const event = await accepted(simulator, random);
    await simulator.rest();
    const [outcome, silent] = outcomeOf(simulator, said, before);
    const leaked = canaryIn(
      [bench.logged.slice(said), [...bench.code.checks], [...bench.code.comments], bench.queues.sent, bench.memory.items()],
      webhookSecret,
    );
    const wrong = [...simulator.judge(), ...(leaked ? [leaked] : []), ...(silent ? [silent] : []), ...(await lost(simulator))][0];
    return { answer: `${event}: ${outcome}`, ...(wrong ? { wrong } : {}) };
  },
};

/** What came of it, from a small set of words; and what somebody who looks for it does not find. */
function outcomeOf(simulator: Simulator, said: number, before: ReadonlySet<string>): [string, string?] {
  const { bench } = simulator;
  const told = bench.logged.slice(said);
  const intake = told.find(({ message }) => message === 'intake recorded and queued')?.fields?.['intake'];
  const dealt = told.filter(({ message, fields }) => fields?.['intake'] === intake && message !== 'intake recorded and queued');
  if (dealt.length === 0) return ['silence', `nothing is said of what became of the event: ${JSON.stringify(told).slice(0, 300)}`];
  const begun = runsOf(bench).filter(({ id }) => !before.has(id));
  const [failed] = begun.filter((run) => run.outcome === 'failed' && codesOf(bench, run).length === 0);
  if (failed) return ['failed', `run ${failed.id} failed, and there is no code that says why`];
  const ends = begun.map((run) => (run.outcome === 'failed' ? `failed ${codesOf(bench, run)}` : (run.outcome ?? run.phase)));
  return [begun.length > 0 ? [...new Set(ends)].sort().join(' and ') : 'nothing is to be done, says the log'];
}

/** What was accepted and is not done, what died, what was a mistake of ours, and what the same event changes when it comes again. */
async function lost(simulator: Simulator): Promise<string[]> {
  const { bench, delivered } = simulator;
  const open = bench.memory.items().filter((item) => item['kind'] === 'intake' && item['status'] !== 'done');
  const dead = delivered.filter((mail) => mail.dead);
  const raw = bench.logged.filter(({ level, fields }) => level === 'error' && JSON.stringify(fields ?? {}).includes('INTERNAL'));
  const now = worldOf(simulator);
  await simulator.resend();
  await simulator.rest();
  return [
    ...open.map((item) => `I11: an intake is ${String(item['status'])}`),
    ...raw.map(({ message, fields }) => `${message}: ${JSON.stringify(fields)}`),
    ...dead.map(({ message }) => `I11: ${JSON.stringify(message)} is a dead letter`),
    ...differing(now, worldOf(simulator)).map((part) => `I10: ${part} changed when the event came again`),
  ];
}
