import { latestKey } from '../../../../shared/receipts/chain.ts';
import type { LatestReceipt } from '../../../../shared/receipts/receipt.ts';
import { demo } from '../../../sim/seed.ts';
import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { branchNames, checksOf, commentOf, mark, push, redirects, reportOf, runOf, short, statuses, variablesOf, writesSince } from '../moves.ts';
import { checkoutPlan } from '../plans.ts';

export const opening: Chapter = {
  name: 'opening',
  title: 'A pull request opens',
  after: [],
  async tell(world, page) {
    const before = mark(world);
    const { pull, delivery } = await push(world, 'checkout', 'One-page checkout', { 'release.plan.yaml': checkoutPlan('preview') });
    page.step(
      `kim opens #${pull.number} “${pull.title}”; GitHub delivers pull_request.opened, signed`,
      `the webhook is verified, recorded and queued: ${delivery.status}`,
    );
    const run = await runOf(world, pull.sha);
    page.run(run);
    const report = await reportOf(world, run);
    const { database, variables, login, main_login } = statuses(report);
    check(run.outcome === 'partial', 'the run ends partial, because one line waits', run.outcome);
    check(database === 'applied' && variables === 'applied' && main_login === 'unchanged', 'three lines are done', statuses(report));
    check(login === 'waiting', 'the redirect waits for the deployment', statuses(report));

    const [branch] = branchNames(world).filter((name) => name.endsWith(`/pr-${pull.number}`));
    const url = new URL(variablesOf(world, 'checkout')['DATABASE_URL'] ?? 'none:');
    check(branch !== undefined, 'there is a Neon branch for the pull request', branchNames(world));
    check(url.protocol.startsWith('postgres') && url.password !== '', 'DATABASE_URL at Vercel is the branch’s connection string');
    page.step(
      `release.plan.yaml is read at ${short(pull.sha)}; its four lines go through SQS, the ready ones at once`,
      `Neon branch ${branch}, 3 Vercel variables on it; the Clerk redirect waits`,
    );

    const built = writesSince(world, before).some((write) => write.path.includes('/deployments'));
    check(built, 'the commit is built again with its variables');
    page.step('Vercel had begun to build before the variables were there', 'so the commit is built once more');

    check(redirects(world).join() === demo.clerkRedirect, 'nothing is written at Clerk yet', redirects(world));
    const [shown] = checksOf(world, pull.sha);
    check(shown?.status === 'completed' && shown.conclusion === 'neutral', 'the check run is completed and neutral', shown?.conclusion);
    check(commentOf(world, pull).includes('login'), 'the comment names the line that waits');
    const receipt = await world.house.objects.get(latestKey(`${demo.repositoryId}/main/preview/pr-${pull.number}`));
    check(receipt !== undefined && (JSON.parse(receipt.body) as LatestReceipt).previous === null, 'the first receipt of the chain lies in the bucket');
    page.step(`#${pull.number} has one comment and one check run: “${shown.title}”`, 'the receipt lies in the bucket, versioned');
  },
};
