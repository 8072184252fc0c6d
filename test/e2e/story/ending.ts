import { digestOf, latestKey } from '../../../shared/receipts/chain.ts';
import type { LatestReceipt } from '../../../shared/receipts/receipt.ts';
import { demo } from '../../sim/seed.ts';
import { check } from './expect.ts';
import { productionScope } from './gate.ts';
import { everySink, leaksIn } from './leaks.ts';
import { checksOf, commentsOf, leaseOf, ledgerOf, readScopeLease } from './moves.ts';
import { versionsOf } from './stored.ts';
import { quiet, type StoryWorld } from './world.ts';

/** What must be true however the story was told: nothing held, nothing lost, nothing told that is secret. @throws StoryFailed */
export async function judgeEnding(world: StoryWorld): Promise<string[]> {
  await quiet(world);
  const proven: string[] = [];
  const prove = (holds: boolean, sentence: string, instead?: unknown) => {
    check(holds, sentence, instead);
    proven.push(sentence);
  };
  const depths = await world.house.stack.queueDepths();
  const dead = world.queueIds.dead.reduce((sum, id) => sum + (depths[id]?.visible ?? 0) + (depths[id]?.inFlight ?? 0), 0);
  prove(dead === 0, 'the dead-letter queues are empty', dead);

  const runs = await world.house.runs();
  for (const pull of world.pulls.values()) {
    const lease = await leaseOf(world, pull);
    check(lease === undefined || lease.released, `the lease of pr-${pull.number} is given back`, lease);
    const markers = commentsOf(world, pull).map(({ body }) => /^<!-- .* -->/.exec(body)?.[0]);
    check(markers.length > 0 && new Set(markers).size === markers.length, `#${pull.number} has one comment of each kind`, markers);
    await judgeChain(world, `preview/pr-${pull.number}`);
    const intents = (await ledgerOf(world, pull)).flatMap((line) => line.entries).filter((entry) => entry.createdBy === 'intent');
    check(intents.length === 0, `no intent is left in pr-${pull.number}`, intents);
  }
  if (runs.some((run) => run.environment === 'production')) {
    check((await readScopeLease(world, productionScope))?.released === true, 'the lease of production is given back');
    await judgeChain(world, 'production/main');
  }
  for (const commit of new Set(runs.map((run) => run.commit))) {
    const checks = checksOf(world, commit).map(({ name, status }) => `${name}: ${status}`);
    const once = new Set(checks).size === checks.length && checks.length > 0 && checks.every((one) => one.endsWith(': completed'));
    check(once, `commit ${commit.slice(0, 7)} has one check run of each name, and it is completed`, checks);
  }
  prove(true, 'no lease is held and no intent is left');
  prove(true, 'one comment a pull request and environment, one check run of a name a commit');
  prove(true, 'every receipt names the one before: no gap');
  const leaks = leaksIn(world, await everySink(world));
  prove(leaks.length === 0, 'no secret value in table, bucket, GitHub, messages or logs, in any encoding', leaks);
  return proven;
}

/** Every version of `latest.json` names the digest of the one it replaced (P5). */
async function judgeChain(world: StoryWorld, scope: string): Promise<void> {
  const bodies = await versionsOf(world, latestKey(`${demo.repositoryId}/main/${scope}`));
  check(bodies.length > 0, `${scope} has a receipt`);
  for (const [at, body] of bodies.entries()) {
    const wanted = at === 0 ? null : digestOf(String(bodies[at - 1]));
    check((JSON.parse(body) as LatestReceipt).previous === wanted, `receipt ${at + 1} of ${scope} names the one before`);
  }
}
