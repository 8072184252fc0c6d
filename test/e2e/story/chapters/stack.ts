import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { approve, askedAbout, digestOf, productionVariables, pushToMain } from '../gate.ts';
import { mark, reportOf, runOf, short, statuses, writesSince } from '../moves.ts';
import { stackPlan, stackPolicy } from '../plans.ts';
import { applyByHand, shopRoot, toolHere } from '../stack-tool.ts';

export const stack: Chapter = {
  name: 'stack',
  title: 'Infrastructure behind the same guard',
  after: ['production'],
  async tell(world, page) {
    const tool = (await toolHere()) ?? 'terraform';
    const root = shopRoot(world, 'west');
    const first = await pushToMain(world, 'A queue for the shop', {
      'infra/main.tf': root,
      'lockkeeper.yaml': stackPolicy,
      'release.plan.yaml': stackPlan(tool, 2),
    });
    const before = mark(world);
    const asked = await askedAbout(world, first);
    check(writesSince(world, before).length === 0, 'nothing is written before anybody decided');
    page.step(
      `kim adds a ${tool} root with two resources, and a line for it: ${short(first)}`,
      `planned in a job of its own, its plan file kept under its hash; the question is ${digestOf(asked).slice(0, 12)}`,
    );
    await approve(world, asked);
    const second = await askedAbout(world, first, 2).catch(() => undefined);
    if (second) await approve(world, second);
    const run = await runOf(world, first, (one) => one.phase === 'done');
    page.run(run, 'approved');
    check(run.outcome === 'complete', 'the approved run is complete', statuses(await reportOf(world, run)));
    check(productionVariables(world)['ORDERS_QUEUE'] === 'shop-orders-west', 'the stack’s output is a variable of the site', productionVariables(world));
    page.step('kim approves: exactly that plan file is applied', 'its output goes into the variable ORDERS_QUEUE of the site');

    const next = await pushToMain(world, 'A larger queue', { 'release.plan.yaml': stackPlan(tool, 4) });
    const larger = await askedAbout(world, next);
    await applyByHand(world, tool, root, 3);
    await approve(world, larger);
    const again = await askedAbout(world, next, 2);
    check(digestOf(again) !== digestOf(larger), 'it is asked about under a new digest');
    page.step(
      'lou applies the root by hand while kim decides',
      `plan.stale: the state is another one. Nothing is written; asked again as ${digestOf(again).slice(0, 12)}`,
    );
    await approve(world, again);
    const done = await runOf(world, next, (one) => one.phase === 'done');
    page.run(done, 'asked twice');
    const { stops = [] } = await reportOf(world, done);
    check(done.outcome === 'complete', 'the run is complete', done.problem ?? done.outcome);
    check(stops.map(({ cause }) => cause).join() === 'state', 'the receipt names the stop', stops);
    page.step('kim approves what is true now', 'it is applied');
  },
};
