import type { Chapter } from '../../e2e/story/chapter.ts';
import { check } from '../../e2e/story/expect.ts';
import { checksOf, mark, push, redirects, reportOf, runOf, short, statuses, writesSince } from '../../e2e/story/moves.ts';
import { checkoutPlan } from '../../e2e/story/plans.ts';
import { quiet } from '../../e2e/story/world.ts';

export const deployment: Chapter = {
  name: 'deployment',
  title: 'The edit goes into the plan, and the deployment finishes',
  after: ['console'],
  async tell(world, page) {
    const { sim, webhookUrl, webhookSecret } = world.house;
    const before = mark(world);
    const { pull } = await push(world, 'checkout', 'Checkout in debug mode', { 'release.plan.yaml': checkoutPlan('debug') });
    const waiting = await runOf(world, pull.sha);
    check(waiting.outcome === 'partial', 'the value is as the plan wants it again', waiting.outcome);
    check(writesSince(world, before).length === 0, 'nothing is written for it', writesSince(world, before));
    page.step(`kim takes “debug” over into the plan: ${short(pull.sha)}`, 'plan and console agree, recorded without a write; the redirect waits');

    const { url } = sim.control.edit('vercel.finish', { sha: pull.sha });
    const hook = sim.control.webhook('deployment_status', { sha: pull.sha, url: `https://${url}` });
    const twice = await Promise.all([sim.control.deliver(webhookUrl, hook, webhookSecret), sim.control.deliver(webhookUrl, hook, webhookSecret)]);
    check(
      twice.every(({ status }) => status === 202),
      'both deliveries are accepted',
      twice.map(({ status }) => status),
    );
    const run = await runOf(world, pull.sha, (one) => one.phase === 'done');
    page.run(run);
    await quiet(world);
    const creates = writesSince(world, before).filter(({ provider }) => provider === 'clerk');
    check(run.outcome === 'complete', 'the run that waited is complete', run.outcome);
    check(statuses(await reportOf(world, run))['login'] === 'applied', 'the line that waited is applied');
    check(redirects(world).filter((one) => one.startsWith(`https://${url}`)).length === 1, 'the redirect is on Clerk’s list', redirects(world));
    check(creates.length === 1, 'Clerk is asked exactly once', creates.length);
    const [shown] = checksOf(world, pull.sha);
    check(shown?.conclusion === 'success', 'the check run turns green', shown?.conclusion);
    page.step(
      'Vercel is done; deployment_status arrives twice at the same moment',
      'the waiting run goes on, once: the redirect to the preview is made, the check is green',
    );
  },
};
