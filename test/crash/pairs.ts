/**
 * Two workers at one job, at every pair of their calls: the first stands still until its claim is over, or its lease, the same message comes again
 * to a second, and when that one is so far, the first goes on. What a fault of one worker alone does not show (P1).
 */
import { close, deliverDue, pastClaim, pastLease } from './cases/deliveries.ts';
import { type Call, isWriteToProvider } from './gate.ts';
import { type Job, jobs } from './jobs.ts';
import { openSimulator, type Simulator } from './simulator.ts';
import { thingsAt } from './story.ts';
import { type Told, toldOf } from './told.ts';

/** For how long the first worker stands still: not at all, until its claim is over, until its lease is. */
const pauses = { none: 0, claim: pastClaim, lease: pastLease } as const;
type Pause = keyof typeof pauses;

/** Of the calls of the second worker every thirteenth is tried, with each call of the first from another one on. */
const stride = 13;

/** `pair/<job>/<call of the first>-<call of the second>/<pause>`; `end`: the second goes to its end, and whatever follows from it, too. */
const idOf = (job: Job, first: number, second: number | 'end', pause: Pause): string => `pair/${job.name}/${first}-${second}/${pause}`;

export const isPair = (id: string): boolean => id.startsWith('pair/');

/** The calls that the worker of a job makes where nothing befalls it. */
async function callsOf(job: Job): Promise<Call[]> {
  const worker = await job.begin(openSimulator());
  const calls: Call[] = [];
  for (let call = worker.at; call; call = worker.at) {
    calls.push(call);
    await worker.step();
  }
  return calls;
}

/** What has left for a provider has left: nobody stands still before that for long. While a claim is live, a second worker goes away at once. */
export async function pairIds(job: Job): Promise<string[]> {
  const calls = await callsOf(job);
  return calls.flatMap((call, first) => [
    idOf(job, first, 'end', 'none'),
    ...(isWriteToProvider(call)
      ? []
      : (['claim', 'lease'] as const).flatMap((pause) => secondsOf(calls, first).map((second) => idOf(job, first, second, pause)))),
  ]);
}

const secondsOf = (calls: readonly Call[], first: number): (number | 'end')[] => [
  ...calls.flatMap((_call, second) => (second % stride === first % stride ? [second] : [])),
  'end',
];

export const everyPair = async (): Promise<string[]> => (await Promise.all(jobs.map(pairIds))).flat();

/** @throws Error that says what is known, where there is no such id. */
export async function playPair(id: string): Promise<Told> {
  const [, name, first, second, pause] = /^pair\/([\w-]+)\/(\d+)-(\d+|end)\/(none|claim|lease)$/.exec(id) ?? [];
  const job = jobs.find((one) => one.name === name);
  if (!job)
    throw new Error(
      `there is no ${id}: there are pair/<job>/<call>-<call>/claim, …/lease and pair/<job>/<call>-end/none, of ${jobs.map((one) => one.name).join(', ')}`,
    );
  const simulator = openSimulator();
  const met = { first: true, second: false };
  const told = await toldOf(
    simulator,
    async () => {
      Object.assign(met, await meet(simulator, job, { first: Number(first), second: second === 'end' ? undefined : Number(second), pause: pause as Pause }));
      return [...(met.first ? await end(simulator, job) : []), ...simulator.judge()];
    },
    () => met.second,
  );
  if (!met.first) throw new Error(`there is no ${id}: the worker of ${job.name} makes fewer calls than ${first}`);
  return told;
}

/** Whether each worker came to the call that it is to stand before. */
interface Meeting {
  readonly first: boolean;
  readonly second: boolean;
}

async function meet(
  simulator: Simulator,
  job: Job,
  at: { readonly first: number; readonly second: number | undefined; readonly pause: Pause },
): Promise<Meeting> {
  const one = await job.begin(simulator);
  const mail = simulator.delivered.at(-1);
  for (let count = 0; count < at.first && one.at; count += 1) await one.step();
  const met = one.at !== undefined;
  simulator.bench.clock.advance(pauses[at.pause]);
  if (!mail) throw new Error(`nothing was delivered before ${job.name}`);
  simulator.again(mail);
  const same = JSON.stringify(mail.message);
  const other = await simulator.take(({ message }) => JSON.stringify(message) === same);
  for (let count = 0; (at.second === undefined || count < at.second) && other.at; count += 1) await other.step();
  const both = at.second === undefined || other.at !== undefined;
  if (at.second === undefined) await deliverDue(simulator);
  // A request of the second one has left by now, and is answered before anybody else is at it.
  if (other.at && isWriteToProvider(other.at)) await other.step();
  await one.run();
  await deliverDue(simulator);
  await other.run();
  return { first: met, second: both };
}

/** At rest everything is as the job's run wants it, and a destroy leaves nothing. */
async function end(simulator: Simulator, job: Job): Promise<string[]> {
  const { bench } = simulator;
  await simulator.rest();
  await job.finish?.(simulator);
  await simulator.rest();
  const there = thingsAt(bench).join();
  const broken = job.leaves.includes(there) ? [] : [`I2: it leaves ${there || 'nothing'}, and not ${job.leaves.join(' or ') || 'nothing'}`];
  if (!bench.code.pulls.has(7)) return broken;
  await close(simulator);
  await simulator.rest();
  simulator.ends.I8 += 1;
  return [...broken, ...(thingsAt(bench).length === 0 ? [] : [`I8: after the destroy there is ${thingsAt(bench).join()}`])];
}
