import { digestOf, latestKey } from '../../../shared/receipts/chain.ts';
import type { LatestReceipt } from '../../../shared/receipts/receipt.ts';
import { demo } from '../../sim/seed.ts';
import { check } from './expect.ts';
import { everySink, leaksIn } from './leaks.ts';
import { checksOf, commentsOf, leaseOf, ledgerOf } from './moves.ts';
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
    check(commentsOf(world, pull).length === 1, `#${pull.number} has one comment`, commentsOf(world, pull).length);
    await judgeChain(world, pull.number);
    const intents = (await ledgerOf(world, pull)).flatMap((line) => line.entries).filter((entry) => entry.createdBy === 'intent');
    check(intents.length === 0, `no intent is left in pr-${pull.number}`, intents);
  }
  for (const commit of new Set(runs.map((run) => run.commit))) {
    const checks = checksOf(world, commit).map((one) => one.status);
    check(checks.join() === 'completed', `commit ${commit.slice(0, 7)} has one check run, and it is completed`, checks);
  }
  prove(true, 'no lease is held and no intent is left');
  prove(true, 'one comment a pull request, one check run a commit');
  prove(true, 'every receipt names the one before: no gap');
  const leaks = leaksIn(world, await everySink(world));
  prove(leaks.length === 0, 'no secret value in table, bucket, GitHub, messages or logs, in any encoding', leaks);
  return proven;
}

/** Every version of `latest.json` names the digest of the one it replaced (P5). */
async function judgeChain(world: StoryWorld, number: number): Promise<void> {
  const bodies = await versionsOf(world, latestKey(`${demo.repositoryId}/main/preview/pr-${number}`));
  check(bodies.length > 0, `pr-${number} has a receipt`);
  for (const [at, body] of bodies.entries()) {
    const wanted = at === 0 ? null : digestOf(String(bodies[at - 1]));
    check((JSON.parse(body) as LatestReceipt).previous === wanted, `receipt ${at + 1} of pr-${number} names the one before`);
  }
}
