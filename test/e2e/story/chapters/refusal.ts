import { redacted } from '../../../../shared/redact/redactor.ts';
import { canaries } from '../../house.ts';
import type { Chapter } from '../chapter.ts';
import { check } from '../expect.ts';
import { leaksIn } from '../leaks.ts';
import { branchNames, checksOf, commentOf, push, reportOf, runOf, variablesOf } from '../moves.ts';
import { searchPlan } from '../plans.ts';

export const refusal: Chapter = {
  name: 'refusal',
  title: 'A provider refuses, and quotes a secret in its error',
  after: [],
  async tell(world, page) {
    const secret = canaries.STRIPE_KEY;
    const message = `value "${secret}" of STRIPE_KEY is not allowed (received ${Buffer.from(secret).toString('base64')})`;
    world.house.sim.control.rule({ provider: 'vercel', on: 'POST /v10/projects/*/env', fail: { status: 400, code: 'BAD_REQUEST', message } });
    const { pull } = await push(world, 'search', 'Search with its own variables', { 'release.plan.yaml': searchPlan });
    const run = await runOf(world, pull.sha);
    page.run(run, 'PROVIDER_INVALID');
    const report = await reportOf(world, run);
    const failed = report.lines.find((line) => line.id === 'variables');
    check(run.outcome === 'failed' && failed?.problem?.code === 'PROVIDER_INVALID', 'the line fails with PROVIDER_INVALID', failed);
    check(failed.problem.message.includes(redacted), 'the provider’s words are kept, the value is masked', failed.problem.message);
    check(!branchNames(world).some((name) => name.endsWith(`/pr-${pull.number}`)), 'the Neon branch is gone again', branchNames(world));
    check(Object.keys(variablesOf(world, 'search')).length === 0, 'no variable is left', variablesOf(world, 'search'));
    const shown = [commentOf(world, pull), JSON.stringify(checksOf(world, pull.sha)), JSON.stringify(report)];
    check(leaksIn(world, { 'comment, check or receipt': shown }).length === 0, 'no secret is in comment, check run or receipt');
    page.step(
      'Vercel answers 400 and quotes the Stripe key it was sent, in clear and in base64',
      `the run is undone; comment, log and receipt say “value "${redacted}" of STRIPE_KEY …”`,
    );
  },
};
