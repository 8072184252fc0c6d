import type { Chapter } from '../chapter.ts';
import { dashboardOf, scheduledScan, tickBox } from '../dashboard.ts';
import { check } from '../expect.ts';
import { productionVariables, pushToMain } from '../gate.ts';
import { mark, reportOf, runOf, short, writesSince } from '../moves.ts';
import { driftPolicy } from '../plans.ts';

export const drift: Chapter = {
  name: 'drift',
  title: 'Production drifts, and a tick repairs it',
  after: ['production'],
  async tell(world, page) {
    const { control } = world.house.sim;
    control.edit('github.role', { login: 'robin', role: 'maintain' });
    const sha = await pushToMain(world, 'Look at production every 15 minutes', { 'lockkeeper.yaml': driftPolicy });
    page.run(await runOf(world, sha, (run) => run.phase === 'done'), 'nothing to change');
    const made = await dashboardOf(world, '1 in sync');
    page.step(`kim turns drift on in lockkeeper.yaml: ${short(sha)}`, `issue #${made.number} is the dashboard: production is in sync`);

    const released = productionVariables(world)['CHECKOUT_MODE'];
    control.edit('vercel.set', { key: 'CHECKOUT_MODE', target: 'production', value: 'debug' });
    const before = mark(world);
    const scan = await scheduledScan(world);
    page.run(scan);
    const drifted = await dashboardOf(world, '1 drifted');
    check(drifted.body.includes('**Repair** 1 drifted resource'), 'the row has a box that repairs it', drifted.body);
    check(writesSince(world, before).length === 0, 'a scan writes nothing', writesSince(world, before));
    page.step(
      'at night somebody sets CHECKOUT_MODE to “debug” in production; the schedule looks',
      `#${drifted.number} has a row: 1 drifted. Nothing is written`,
    );

    const repair = await tickBox(world, drifted.number, 'repair', 'robin');
    page.run(repair, 'ticked');
    const { decisions, ticked } = await reportOf(world, repair);
    check(repair.outcome === 'complete', 'the run that the tick started is complete', repair.problem ?? repair.outcome);
    check(decisions?.map(({ person, through }) => `${person} by ${through}`).join() === 'robin by tick', 'the tick is the approval', decisions);
    check(ticked?.box === 'repair', 'the receipt says what was ticked', ticked);
    check(productionVariables(world)['CHECKOUT_MODE'] === released, 'production has again what was released');
    const writes = writesSince(world, before).map(({ method, path }) => `${method} ${path.split('/')[2]}`);
    check(writes.join() === 'PATCH projects,POST deployments', 'one variable is put back, the site is built with it, and nothing else is written', writes);
    const after = await dashboardOf(world, '1 in sync');
    check(!after.body.includes('[x]'), 'the box is cleared', after.body);
    page.step(
      'in the morning robin ticks “Repair”',
      'as good as an approval: the variable is put back, the site built with it, nothing else; the receipt names robin, the row is in sync',
    );
  },
};
