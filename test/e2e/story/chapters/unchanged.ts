import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { checksOf, commentOf, mark, pullOf, push, reportOf, runOf, short, statuses, writesSince } from '../moves.ts';

export const unchanged: Chapter = {
  name: 'unchanged',
  title: 'A commit that changes nothing in the plan',
  after: ['opening'],
  async tell(world, page) {
    const old = pullOf(world, 'checkout');
    const before = mark(world);
    const { pull } = await push(world, 'checkout', 'Rounder buttons', { 'src/button.css': 'button { border-radius: 8px }\n' });
    const run = await runOf(world, pull.sha);
    page.run(run);
    const lines = statuses(await reportOf(world, run));
    check(lines['database'] === 'unchanged' && lines['variables'] === 'unchanged' && lines['main_login'] === 'unchanged', 'every line is as it was', lines);
    check(lines['login'] === 'waiting', 'the redirect waits for the new deployment', lines);
    check(writesSince(world, before).length === 0, 'nothing is written at any provider', writesSince(world, before));
    const former = await runOf(world, old.sha);
    check(former.outcome === 'superseded', 'the run that waited for the older deployment gives way', former.outcome);
    check(checksOf(world, pull.sha).length === 1 && commentOf(world, pull).includes(short(pull.sha)), 'comment and check speak of the new commit');
    page.step(
      `kim pushes ${short(pull.sha)}, a stylesheet; Vercel starts to build it`,
      'everything is looked at, nothing is written; the redirect now waits for this build',
    );
  },
};
