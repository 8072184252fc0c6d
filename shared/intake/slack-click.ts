import { type SlackClick, slackClick } from '../../events/slack-click.ts';
import { maskProblem } from '../engine/line-call.ts';
import { type Problem, problemOf } from '../errors/error.ts';
import { personInSlack } from '../policy/policy.ts';
import type { Chat } from '../ports/chat.ts';
import { showFinal } from '../run/card.ts';
import { whyIgnored } from '../run/decided.ts';
import type { Run } from '../run/items.ts';
import { loadPolicy } from '../run/load-policy.ts';
import { queueStep } from '../run/phase.ts';
import { openOf } from '../run/questions.ts';
import { readRun } from '../run/run-store.ts';
import { becameInRun } from '../run/what-became.ts';
import type { ControlWorld } from '../run/world.ts';
import { refusalText, takenText } from '../surfaces/slack/sentences.ts';
import { utc } from '../surfaces/words.ts';
import { deliveryKey } from '../table/keys.ts';
import { closeClick } from './close-click.ts';
import { giveAnswer } from './give-answer.ts';
import { passes } from './passes.ts';

/**
 * The intake step of a click in Slack (P6): who it was is looked up in policy and at GitHub, the decision that every other surface writes is
 * written, and whoever clicked is told what came of it. The card itself is the run's: its own step edits it.
 *
 *     decision ──▶ crash here: repeated, the same person's same answer stands
 *     whisper  ──▶ crash here: whoever clicked is told twice
 *     done     ──▶ lost: repeated, it says the same
 *
 * What passes by itself, such as a host that does not answer, brings the message back: nobody is judged without being looked up.
 */
export async function clickStep(world: ControlWorld, id: string): Promise<void> {
  const item = await world.table.get(deliveryKey(id));
  if (!item) return world.log.warn('a message names nothing that is recorded', { run: id });
  const { pk: _pk, sk: _sk, ...attributes } = item;
  const click = slackClick.parse(attributes);
  if (click.status !== 'recorded') return;
  // Slack asked us, so that it was set up a moment ago: taken out meanwhile, nobody can be told anything.
  if (world.chat) await handle(world, world.chat, click);
  await closeClick(world, id, 'done');
}

async function handle(world: ControlWorld, chat: Chat, click: SlackClick): Promise<void> {
  const run = await readRun(world.table, click.question.run);
  const refusal = await refusalOf(world, chat, click, run);
  if (refusal) world.log.info('a click in Slack came to nothing', { delivery: click.id, run: click.question.run, code: refusal.code });
  const text = refusal ? refusalText(maskProblem(world, refusal).message) : takenText(click.verdict, click.question.digest);
  try {
    await chat.whisper(click.channel, click.user, text);
  } catch (error) {
    // It is said to nobody else, and kept nowhere: what was decided stands without it.
    world.log.warn('whoever clicked in Slack could not be told', { delivery: click.id, code: problemOf(error).code });
  }
}

/** Takes the answer; or says why it is none. */
async function refusalOf(world: ControlWorld, chat: Chat, click: SlackClick, run: Run | undefined): Promise<Problem | undefined> {
  const { q, digest } = click.question;
  if (run?.repository.id !== click.repository.id) return unknown('This stack knows no such question.');
  if ((await chat.team()) !== click.team) return notAPerson('You belong to another Slack workspace than the one that this stack asks in.');
  const question = await openOf(world, run);
  if (question?.q !== q || question.digest !== digest) return overNow(world, click, run);
  if (question.expiresAt <= world.clock.now()) return ranOut(world, run, question.expiresAt);
  const policy = await orProblem(() => loadPolicy(world, run.repository));
  if ('code' in policy) return policy;
  const name = personInSlack(policy, click.user);
  if (name === undefined) {
    return notAPerson(
      `lockkeeper.yaml on ${run.repository.defaultBranch} maps your Slack account to nobody. Beside your GitHub login among the approvers it needs \`slack: ${click.user}\`.`,
    );
  }
  const person = { name, through: 'slack', principal: click.user } as const;
  const stands = await giveAnswer(world, run, { digest, q }, { verdict: click.verdict, person, told: click.id, at: click.receivedAt });
  return 'code' in stands ? stands : whyIgnored(world, run, stands);
}

/** Its run may not have looked yet. */
async function ranOut(world: ControlWorld, run: Run, expiresAt: number): Promise<Problem> {
  await queueStep(world, run);
  return unknown(`This question was open until ${utc(new Date(expiresAt).toISOString())}: nothing of it is applied any more.`);
}

/** The card that was clicked asks what is not asked any more. It may be one whose end was lost: it is shown as it is now. */
async function overNow(world: ControlWorld, { channel, message, question }: SlackClick, run: Run): Promise<Problem> {
  await showFinal(world, run, { channel, ts: message });
  const became = await becameInRun(world, run, question.digest);
  return unknown(became ?? 'This question is not open any more: look at the check run for what is asked now.');
}

/** A mistake in the policy is told; what passes by itself is not. */
async function orProblem<T extends object>(read: () => Promise<T>): Promise<T | Problem> {
  try {
    return await read();
  } catch (error) {
    const problem = problemOf(error);
    if (passes(problem)) throw error;
    return { ...problem, message: `While lockkeeper.yaml has a mistake in it nobody can decide. ${problem.message}` };
  }
}

const unknown = (message: string): Problem => ({ code: 'QUESTION_UNKNOWN', message });
const notAPerson = (message: string): Problem => ({ code: 'APPROVER_NOT_A_PERSON', message });
