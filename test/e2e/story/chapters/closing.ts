import { demo } from '../../../sim/seed.ts';
import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { branchNames, commentOf, ledgerOf, redirects, reportOf, runOf, variablesOf } from '../moves.ts';
import type { Page } from '../page.ts';
import type { Pull, StoryWorld } from '../world.ts';

export const closing: Chapter = {
  name: 'closing',
  title: 'The pull requests close',
  after: ['opening'],
  async tell(world, page) {
    for (const pull of [...world.pulls.values()].reverse()) await close(world, page, pull);
    check(branchNames(world).join() === 'main', 'Neon has its main branch and no other', branchNames(world));
    check(redirects(world).join() === demo.clerkRedirect, 'Clerk has the redirect that was there before, and no other', redirects(world));
  },
};

async function close(world: StoryWorld, page: Page, pull: Pull): Promise<void> {
  const { sim, webhookUrl, webhookSecret } = world.house;
  const managed = (await ledgerOf(world, pull)).flatMap((line) => line.entries);
  sim.control.edit('github.close', { number: pull.number, merged: true });
  await sim.control.deliver(webhookUrl, sim.control.webhook('pull_request.closed', { number: pull.number }), webhookSecret);
  const run = await runOf(world, pull.sha, (one) => one.kind === 'destroy' && one.phase === 'done');
  page.run(run);
  const report = await reportOf(world, run);
  const adopted = managed.filter((entry) => entry.createdBy === 'adopted').map((entry) => entry.label);
  check(run.outcome === 'complete', `what #${pull.number} made is removed`, report.lines);
  check(report.managed === 0, 'nothing is managed any more', report.managed);
  const left = adopted.map((label) => `${label} (it was there before)`);
  check(report.kept.join() === left.join(), 'what was adopted is kept, named, and why', report.kept);
  check(Object.keys(variablesOf(world, pull.branch)).length === 0, 'its variables are gone', variablesOf(world, pull.branch));
  const named = (label: string) => commentOf(world, pull).includes(label.replace(/^.*:\/\//, ''));
  check(adopted.every(named), 'the comment names what is kept', commentOf(world, pull));
  page.step(`#${pull.number} is merged and closed`, `its ${managed.length - adopted.length} resources are removed, newest first`);
  for (const label of adopted) page.step(`${label} was on the list before anybody came`, 'found as wanted, adopted, never made here: it stays');
}
