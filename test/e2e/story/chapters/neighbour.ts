import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { branchNames, commentOf, mark, pullOf, push, reportOf, runOf, statuses, variablesOf, writesSince } from '../moves.ts';
import { reachingPlan } from '../plans.ts';

export const neighbour: Chapter = {
  name: 'neighbour',
  title: 'A second pull request wants a resource of the first',
  after: ['opening'],
  async tell(world, page) {
    const first = pullOf(world, 'checkout');
    const theirs = variablesOf(world, 'checkout')['CHECKOUT_MODE'];
    const before = mark(world);
    const { pull } = await push(world, 'search', 'Faster search', { 'release.plan.yaml': reachingPlan('checkout') });
    const run = await runOf(world, pull.sha);
    page.run(run, 'OWNED_BY_OTHER_SCOPE');
    const report = await reportOf(world, run);
    const refused = report.lines.find((line) => line.id === 'theirs');
    check(run.outcome === 'failed' && refused?.problem?.code === 'OWNED_BY_OTHER_SCOPE', 'the line is refused with OWNED_BY_OTHER_SCOPE', statuses(report));
    check(refused.problem.message.includes(`pr-${first.number}`), 'the refusal names the owner', refused.problem.message);
    check(commentOf(world, pull).includes('OWNED_BY_OTHER_SCOPE'), 'the comment says so');
    check(variablesOf(world, 'checkout')['CHECKOUT_MODE'] === theirs, 'the variable is as its owner wrote it');
    check(!branchNames(world).some((name) => name.endsWith(`/pr-${pull.number}`)), 'what the run made is gone again', branchNames(world));
    const writes = writesSince(world, before).map((write) => `${write.method} ${write.provider}`);
    check(writes.join() === 'POST neon,DELETE neon', 'a branch is made and removed, and nothing else is written', writes);
    page.step(
      `lou opens #${pull.number} “${pull.title}”, whose plan sets CHECKOUT_MODE on the branch checkout`,
      `refused, OWNED_BY_OTHER_SCOPE: it belongs to line variables of pr-${first.number}`,
    );
    page.step('its own Neon branch had just been made', 'a run that fails takes back what it made: the branch is gone');
  },
};
