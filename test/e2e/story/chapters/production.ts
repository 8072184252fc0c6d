import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { approve, askedAbout, digestOf, merge, productionVariables } from '../gate.ts';
import { checksOf, commentsOf, mark, push, redirects, reportOf, runOf, short, writesSince } from '../moves.ts';
import { productionPlan, shopCallback } from '../plans.ts';

export const production: Chapter = {
  name: 'production',
  title: 'A merge goes to production, and is asked about',
  after: [],
  async tell(world, page) {
    const { pull } = await push(world, 'release', 'Take the checkout live', { 'release.plan.yaml': productionPlan('classic') });
    page.run(await runOf(world, pull.sha));
    const before = mark(world);
    const sha = await merge(world, pull);
    const asked = await askedAbout(world, sha);
    page.step(`kim merges #${pull.number}: ${short(sha)} is the tip of main`, 'its plan writes in production: every line is read, and nothing written');
    check(writesSince(world, before).length === 0, 'nothing is written before anybody decided', writesSince(world, before));
    const [shown] = checksOf(world, sha);
    const digest = digestOf(asked);
    check(shown?.conclusion === 'action_required', 'the check asks for a person', shown?.conclusion);
    check((await world.house.objects.get(`plans/${digest}.json`)) !== undefined, 'the plan lies in the bucket under its digest');
    const told = commentsOf(world, pull).filter(({ body }) => body.includes(digest.slice(0, 12)));
    check(told.length === 1, 'the question stands on the pull request that was merged', told.length);
    page.step(`the run parks, its lease given back; #${pull.number} and the check say what to type`, `lockkeeper approve ${digest.slice(0, 12)}`);

    await approve(world, asked);
    const run = await runOf(world, sha, (one) => one.phase === 'done');
    page.run(run, 'approved');
    const report = await reportOf(world, run);
    check(run.outcome === 'complete', 'the approved run is complete', report.lines);
    check(
      report.decisions?.map(({ person, standing }) => `${person}: ${standing}`).join() === 'kim: unverified, self',
      'the receipt says who approved',
      report.decisions,
    );
    check(productionVariables(world)['CHECKOUT_MODE'] === 'classic', 'production has the approved value', Object.keys(productionVariables(world)));
    check(redirects(world).includes(shopCallback), 'and its redirect', redirects(world));
    check(checksOf(world, sha)[0]?.conclusion === 'success', 'the check turns green', checksOf(world, sha)[0]?.conclusion);
    page.step('kim approves that digest', 'the guard finds plan, ledger and decision as they were: exactly that is applied; the receipt names kim');
  },
};
