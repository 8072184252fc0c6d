import { setTimeout } from 'node:timers/promises';
import type { Chapter } from '../chapter.ts';
import { check, within } from '../expect.ts';
import { approve, askedAbout, digestOf, productionVariables, pushToMain } from '../gate.ts';
import { checksOf, mark, redirects, reportOf, runOf, short, writesSince } from '../moves.ts';
import { walletCallback, walletPlan } from '../plans.ts';
import type { StoryWorld } from '../world.ts';

export const moved: Chapter = {
  name: 'moved',
  title: 'What was approved no longer holds',
  after: ['production'],
  async tell(world, page) {
    const { control } = world.house.sim;
    const first = await pushToMain(world, 'Wallet', { 'release.plan.yaml': walletPlan('classic') });
    const running = await askedAbout(world, first);
    control.rule({ provider: 'clerk', on: 'POST /redirect_urls', times: 50, fail: { status: 429, retryAfter: 3 } });
    await approve(world, running);
    await within(90_000, 'Clerk asks to be left alone', asksForPatience(world));
    const second = await pushToMain(world, 'Express checkout', { 'release.plan.yaml': walletPlan('express') });
    await runOf(world, second, (run) => run.phase !== 'preparing');
    control.clear();
    page.step(
      `kim approves ${short(first)}; Clerk asks to be left alone for 3 s; lou pushes ${short(second)}`,
      'the first run waits for Clerk under its lease, while the second plans over what the ledger holds now',
    );
    const applied = await runOf(world, first, (run) => run.phase === 'done');
    page.run(applied, 'approved');
    check(applied.outcome === 'complete' && redirects(world).includes(walletCallback), 'the first run is complete', applied.outcome);

    const asked = await askedAbout(world, second);
    const before = mark(world);
    await approve(world, asked);
    const again = await askedAbout(world, second, 2);
    check(writesSince(world, before).length === 0, 'the approved plan is not applied', writesSince(world, before));
    check(digestOf(again) !== digestOf(asked), 'it is asked about under a new digest');
    page.step(
      `kim approves ${digestOf(asked).slice(0, 12)}`,
      `plan.stale: the ledger is not the one that was planned over. Nothing is written; planned again, asked again as ${digestOf(again).slice(0, 12)}`,
    );

    await approve(world, again);
    const run = await runOf(world, second, (one) => one.phase === 'done');
    page.run(run, 'asked twice');
    const { stops = [] } = await reportOf(world, run);
    check(run.outcome === 'complete', 'the run is complete', run.outcome);
    check(stops.map(({ step, cause }) => `${step}: ${cause}`).join() === 'guard: state', 'the receipt names the stop', stops);
    check(productionVariables(world)['CHECKOUT_MODE'] === 'express', 'production has the value approved last');
    check(checksOf(world, second).length === 1, 'one check told it all', checksOf(world, second).length);
    page.step('kim looks at what is different, and approves that', 'it is applied; the receipt holds both digests and why the first did not do');
  },
};

/** Resolves when Clerk has answered 429. */
async function asksForPatience(world: StoryWorld): Promise<void> {
  const since = mark(world);
  while (!world.house.sim.requests({ provider: 'clerk', since }).some((request) => request.status === 429)) await setTimeout(20);
}
