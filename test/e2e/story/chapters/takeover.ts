import { setTimeout } from 'node:timers/promises';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { LineMessage } from '../../../../events/line-message.ts';
import type { Lease } from '../../../../shared/lease/lease.ts';
import type { Run } from '../../../../shared/run/items.ts';
import type { Chapter } from '../chapter.ts';
import { check, within } from '../expect.ts';
import { type Invocation, isAlive } from '../journal.ts';
import { branchNames, leaseOf, ledgerOf, mark, push, redirects, reportOf, runOf, short, writesSince } from '../moves.ts';
import type { Page } from '../page.ts';
import { callbackPlan, searchCallback } from '../plans.ts';
import { type Pull, quiet, readyTheWorkers, type StoryWorld } from '../world.ts';

export const takeover: Chapter = {
  name: 'takeover',
  title: 'Two workers die while their run holds the lease',
  after: [],
  async tell(world, page) {
    const before = mark(world);
    const { dead, bodies } = await twoDeaths(world, page);
    const { pull, run } = await nextRun(world, page, dead);
    const creates = (provider: string) => writesSince(world, before).filter((write) => write.provider === provider && write.method === 'POST').length;
    check(run.outcome === 'complete' && run.tookOver === dead.id, 'the next run takes over and is complete', [run.outcome, run.tookOver]);
    check((await reportOf(world, run)).tookOver === dead.id, 'its receipt says whose lease it took over');
    check(branchNames(world).filter((name) => name.endsWith(`/pr-${pull.number}`)).length === 1, 'there is exactly one Neon branch', branchNames(world));
    check(creates('neon') === 1 && creates('clerk') === 1, 'branch and redirect were each asked for once');
    check(redirects(world).filter((url) => url === searchCallback).length === 1, 'there is exactly one redirect', redirects(world));
    page.step('Neon and Clerk are asked what the dead workers left', 'branch and redirect are there, known as its own, recorded: exactly one of each');
    await lettersFromTheDead(world, page, dead, pull, bodies);
  },
};

/** A run whose two workers die: one killed by Neon after the create, one while its last write is still on the road. */
async function twoDeaths(world: StoryWorld, page: Page): Promise<{ dead: Run; bodies: string[] }> {
  const { control } = world.house.sim;
  control.rule({ provider: 'neon', on: 'GET /projects/*/branches', hold: true });
  const stuck = world.road.hold((body) => body.includes('LEDGER#callback') && body.includes('{"S":"lockkeeper"}'));
  const { pull } = await push(world, 'search', 'Search with a login of its own', { 'release.plan.yaml': callbackPlan });
  const [first, second] = await Promise.all([
    within(90_000, 'Neon is asked for its branches', control.untilHeld()).then(() => killedByNeon(world)),
    within(90_000, 'a worker’s last write is on its way to the table', stuck).then(() => killed(workerOf(world, 'callback'))),
  ]);
  await within(90_000, 'both workers are dead', gone([first.pid, second.pid]));
  await world.linesQueue.client.send(new PurgeQueueCommand({ QueueUrl: world.linesQueue.url }));

  const dead = await runOf(world, pull.sha, (run) => run.phase === 'applying');
  page.run(dead, 'workers killed');
  check((await leaseOf(world, pull))?.holder === dead.id, 'the dead run holds the lease');
  page.step(
    `lou pushes ${short(pull.sha)}; Neon makes the branch, then kills the worker (SIGKILL) before it answers`,
    'the ledger holds an intent: what was begun, and how to find it',
  );
  page.step('a second worker dies too, while its last ledger write is stuck on the road', 'both queue messages are purged, so that nobody repeats the work');
  await readyTheWorkers(world);
  return { dead, bodies: [first, second].flatMap((one) => one.bodies) };
}

/** The worker at the database line is to die by Neon's hand: after the create, before its answer. */
function killedByNeon(world: StoryWorld): Invocation {
  const { control } = world.house.sim;
  const worker = workerOf(world, 'database');
  control.rule({ provider: 'neon', on: 'POST /projects/*/branches', kill: worker.pid });
  control.release();
  return worker;
}

/** At once: a worker that gets no answer from the table soon sends its write again. */
function killed(worker: Invocation): Invocation {
  process.kill(worker.pid, 'SIGKILL');
  return worker;
}

/** The next commit: its run waits for the lease, takes it over, and meets the late write of the dead. */
async function nextRun(world: StoryWorld, page: Page, dead: Run): Promise<{ pull: Pull; run: Run }> {
  const { control } = world.house.sim;
  control.rule({ provider: 'clerk', on: 'GET /redirect_urls', hold: true });
  const { pull } = await push(world, 'search', 'Search, next try', { 'src/search.js': 'export const fast = true;\n' });
  const waiting = await runOf(world, pull.sha, (run) => run.phase === 'preparing');
  const lease = (await leaseOf(world, pull)) as Lease;
  page.step(
    `lou pushes ${short(pull.sha)}`,
    `its run finds the lease held, and waits: nobody may force it, it ends by itself in ${Math.ceil((lease.expiresAt - Date.now()) / 1000)} s`,
  );
  await page.wait(
    'until the lease of the dead runs out',
    lease.expiresAt - Date.now() + 1_500,
    within(120_000, 'the lease is taken over', control.untilHeld()),
  );
  const taken = await leaseOf(world, pull);
  check(taken?.holder === waiting.id && taken.fence === lease.fence + 1, 'the lease is granted under the next fence', taken);

  page.step('the lease runs out', `the waiting run is granted it under fence ${taken.fence}, and seals the ledger with that before it looks at anything`);
  const late = await world.road.release();
  check(
    late.status === 400 && late.body.includes('ConditionalCheckFailed'),
    'the late write of the dead worker is refused',
    `the table answered ${late.status}`,
  );
  page.step('now the dead worker’s last write comes off the road', `it carries fence ${lease.fence}, the ledger is sealed at ${taken.fence}: refused`);
  control.release();
  const run = await runOf(world, pull.sha);
  page.run(run, 'took over');
  const foreign = (await ledgerOf(world, pull)).flatMap((line) => line.entries).filter((entry) => entry.createdBy === 'intent' || entry.id === undefined);
  check(dead.id !== run.id && foreign.length === 0, 'no intent is left', foreign);
  return { pull, run };
}

/** SQS may deliver any message twice, also one that was thought lost. */
async function lettersFromTheDead(world: StoryWorld, page: Page, dead: Run, pull: Pull, bodies: readonly string[]): Promise<void> {
  const before = mark(world);
  const ledger = JSON.stringify(await ledgerOf(world, pull));
  for (const body of bodies) await world.linesQueue.client.send(new SendMessageCommand({ QueueUrl: world.linesQueue.url, MessageBody: body }));
  const ended = await runOf(world, dead.commit, (run) => run.phase === 'done');
  await quiet(world);
  page.run(ended, 'LOCK_LOST');
  check(ended.outcome === 'fenced-out', 'the dead run ends fenced out', ended.outcome);
  check(writesSince(world, before).length === 0, 'it writes nothing at any provider', writesSince(world, before));
  check(JSON.stringify(await ledgerOf(world, pull)) === ledger, 'it writes nothing in the ledger');
  page.step('the purged messages turn up after all, as SQS may deliver twice', 'the old run finds its lease gone and ends fenced-out: it writes nothing');
}

function workerOf(world: StoryWorld, line: string): Invocation {
  const found = world.journal.invocations().find((one) => !one.over && one.bodies.some((body) => (JSON.parse(body) as LineMessage).line === line));
  check(found !== undefined, `a worker is at line ${line}`);
  return found;
}

async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await setTimeout(10);
}
