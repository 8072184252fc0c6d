import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { checksOf, commentOf, mark, push, reportOf, runOf, short, statuses, variablesOf, writesSince } from '../moves.ts';

export const consoleEdit: Chapter = {
  name: 'console',
  title: 'Somebody edits a value in Vercel’s console',
  after: ['opening'],
  async tell(world, page) {
    world.house.sim.control.edit('vercel.set', { key: 'CHECKOUT_MODE', branch: 'checkout', value: 'debug' });
    const before = mark(world);
    const { pull } = await push(world, 'checkout', 'Fix a typo', { 'README.md': '# The storefront\n' });
    const run = await runOf(world, pull.sha);
    page.run(run, 'DRIFT_CHANGED');
    const report = await reportOf(world, run);
    const refused = report.lines.find((line) => line.id === 'variables');
    check(run.outcome === 'failed' && refused?.problem?.code === 'DRIFT_CHANGED', 'the line is refused with DRIFT_CHANGED', statuses(report));
    check(
      report.drift.some((item) => item.kind === 'changed' && item.line === 'variables'),
      'the drift is recorded apart from the changes',
      report.drift,
    );
    check(variablesOf(world, 'checkout')['CHECKOUT_MODE'] === 'debug', 'the edited value stands');
    check(writesSince(world, before).length === 0, 'nothing is written at any provider', writesSince(world, before));
    check(commentOf(world, pull).includes('DRIFT_CHANGED'), 'the comment says so');
    const [shown] = checksOf(world, pull.sha);
    check(shown?.conclusion === 'failure', 'the check run fails', shown?.conclusion);
    page.step(
      `at night somebody sets CHECKOUT_MODE to “debug”; in the morning kim pushes ${short(pull.sha)}`,
      'line variables is refused, DRIFT_CHANGED, in the comment too; the edit is not overwritten',
    );
  },
};
