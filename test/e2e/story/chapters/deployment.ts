import { setTimeout } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { LineMessage } from '../../../../events/line-message.ts';
import type { Run } from '../../../../shared/run/items.ts';
import type { Chapter } from '../chapter.ts';
import { check, within } from '../expect.ts';
import type { Invocation } from '../journal.ts';
import { checksOf, mark, push, redirects, reportOf, runOf, short, statuses, writesSince } from '../moves.ts';
import { checkoutPlan } from '../plans.ts';
import { quiet, type StoryWorld } from '../world.ts';

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
    sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', hold: true });
    await sim.control.deliver(webhookUrl, hook, webhookSecret);
    await sim.control.deliver(webhookUrl, hook, webhookSecret);
    await within(90_000, 'Clerk is asked for the redirect', sim.control.untilHeld());
    const twin = await deliverTwice(world, waiting);
    check(twin.handedBack, 'the second worker finds the job taken and hands the message back');
    sim.control.release();

    const run = await runOf(world, pull.sha, (one) => one.round === 2 && one.phase === 'done');
    await quiet(world);
    page.run(run);
    const creates = writesSince(world, before).filter((write) => write.provider === 'clerk');
    check(run.outcome === 'complete', 'the run that waited is complete', run.outcome);
    check(statuses(await reportOf(world, run))['login'] === 'applied', 'the line that waited is applied');
    check(redirects(world).filter((one) => one.startsWith(`https://${url}`)).length === 1, 'the redirect is on Clerk’s list', redirects(world));
    check(creates.length === 1, 'Clerk is asked exactly once', creates.length);
    const [shown] = checksOf(world, pull.sha);
    check(shown?.conclusion === 'success', 'the check run turns green', shown?.conclusion);
    page.step('Vercel is done; deployment_status arrives twice', 'the waiting run goes on, once: the redirect to the preview is made, the check is green');
    page.step('Clerk is slow, and SQS hands out the same job a second time', 'a second worker sees the claim and leaves it alone: one redirect');
  },
};

/** Puts the message of the job at work into the queue once more, and tells what became of it. */
async function deliverTwice(world: StoryWorld, run: Run): Promise<Invocation> {
  const isJob = (one: Invocation) => one.bodies.some((body) => isLogin(body, run.id));
  const first = world.journal.invocations().find((one) => isJob(one) && !one.over);
  check(first !== undefined, 'a worker is at the redirect');
  await world.linesQueue.client.send(new SendMessageCommand({ QueueUrl: world.linesQueue.url, MessageBody: String(first.bodies[0]) }));
  const end = Date.now() + 1200; // Clerk's answer must come before the worker's patience ends
  for (;;) {
    const second = world.journal.invocations().find((one) => isJob(one) && one.id !== first.id && one.over);
    if (second || Date.now() > end) {
      check(second !== undefined, 'the second delivery is looked at while the first is at work');
      return second;
    }
    await setTimeout(10);
  }
}

function isLogin(body: string, run: string): boolean {
  const message = JSON.parse(body) as LineMessage;
  return message.run === run && message.line === 'login' && message.round === 2;
}
