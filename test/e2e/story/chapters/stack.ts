import type { Chapter } from '../chapter.ts';
import { dashboardOf, rescan, tickBox } from '../dashboard.ts';
import { check } from '../expect.ts';
import { approve, askedAbout, digestOf, productionVariables, pushToMain } from '../gate.ts';
import { mark, reportOf, runOf, short, statuses, writesSince } from '../moves.ts';
import { stackPlan, stackPolicy } from '../plans.ts';
import { applyByHand, shopRoot, toolHere } from '../stack-tool.ts';

export const stack: Chapter = {
  name: 'stack',
  title: 'Infrastructure goes through the same gate',
  after: ['production', 'drift'],
  async needs() {
    return (await toolHere()) ? undefined : 'there is neither `terraform` nor `tofu` on this machine';
  },
  async tell(world, page) {
    const tool = (await toolHere()) ?? 'terraform';
    const root = shopRoot(world);
    const before = mark(world);
    const first = await pushToMain(world, 'A queue for the shop', {
      'infra/main.tf': root,
      'lockkeeper.yaml': stackPolicy,
      'release.plan.yaml': stackPlan(tool, 2),
    });
    const asked = await askedAbout(world, first);
    check(writesSince(world, before).length === 0, 'nothing is written before anybody decided');
    page.step(
      `kim adds a root of ${tool} and a line for it: ${short(first)}`,
      `it is planned in a job of its own, its plan file kept under its SHA-256; the question is ${digestOf(asked).slice(0, 12)}`,
    );
    await approve(world, asked);
    const run = await runOf(world, first, (one) => one.phase === 'done');
    page.run(run, 'approved');
    check(run.outcome === 'complete', 'the approved run is complete', statuses(await reportOf(world, run)));
    check(productionVariables(world)['ORDERS_QUEUE'] === 'shop-orders', 'the output of the stack is a variable of the site', productionVariables(world));
    page.step('kim approves', 'exactly that plan file is applied, and its output goes into the variable ORDERS_QUEUE of the site');

    await applyByHand(world, tool, root, 3);
    const { number } = await dashboardOf(world, '0 pending');
    page.run(await rescan(world, number, 'robin'));
    await dashboardOf(world, '1 pending');
    page.step(
      `lou applies the root by hand with another size; robin ticks “Look at everything again”`,
      `the stack has a row of its own on #${number}: 1 pending`,
    );
    const tick = await tickBox(world, number, 'apply', 'robin', 'shop');
    page.run(tick, 'ticked');
    check(tick.outcome === 'complete', 'the run that the tick started is complete', statuses(await reportOf(world, tick)));
    await dashboardOf(world, '0 pending');
    page.step('robin ticks that row', 'it is planned afresh, is what was ticked, and is applied: the root is as it was released');
  },
};
