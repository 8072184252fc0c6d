import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { approve, askedAbout, digestOf, productionVariables, pushToMain } from '../gate.ts';
import { checksOf, mark, reportOf, runOf, short, writesSince } from '../moves.ts';
import { productionPlan } from '../plans.ts';

export const moved: Chapter = {
  name: 'moved',
  title: 'What was approved no longer holds',
  after: ['production'],
  async tell(world, page) {
    const { control } = world.house.sim;
    const first = await pushToMain(world, 'One-page checkout', { 'release.plan.yaml': productionPlan('one-page') });
    const running = await askedAbout(world, first);
    // The next plan has read the ledger by the time it asks Clerk, and comes back for Clerk when the first run is over.
    control.rule({ provider: 'clerk', on: 'GET /redirect_urls', fail: { status: 429, retryAfter: 3 } });
    const second = await pushToMain(world, 'Express checkout', { 'release.plan.yaml': productionPlan('express') });
    await runOf(world, second, (run) => run.phase === 'planning');
    await approve(world, running);
    const applied = await runOf(world, first, (run) => run.phase === 'done');
    page.run(applied, 'approved');
    check(applied.outcome === 'complete', 'the first run is complete', applied.outcome);
    page.step(`kim pushes ${short(first)}, and ${short(second)} while it is being approved`, 'the second is planned over a ledger that the first then moves');

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
