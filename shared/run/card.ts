import { createHash } from 'node:crypto';
import { readDecisions } from '../approvals/decision.ts';
import type { Approvals } from '../approvals/judge-decisions.ts';
import { readQuestion } from '../approvals/question.ts';
import { problemOf } from '../errors/error.ts';
import { readStops } from '../guard/stale.ts';
import type { Chat, ChatMessage, ChatPlace } from '../ports/chat.ts';
import { approvedCard, type CardFacts, endedCard, openCard, strayCard } from '../surfaces/slack/card.ts';
import { movedReply, reminder } from '../surfaces/slack/sentences.ts';
import { present } from '../table/condition.ts';
import { chatKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { readAsked } from './asked-report.ts';
import { questionOf, type Run } from './items.ts';
import { loadPolicy } from './load-policy.ts';
import { blockIdOf, type PostedMessage, postedCard, postOnce, readPosted } from './post-once.ts';
import type { RunReport } from './report.ts';
import { attempt, readShown, saveShown } from './shown.ts';
import type { ControlWorld } from './world.ts';

/**
 * Puts an open question in Slack, where policy says so: its card, once; what moved, below it, where it was asked before; and a reminder at
 * half and at nine tenths of its time. Every step of a parked run comes by here, so that what was late, lost or refused is made up for.
 * Slack holds no truth: whatever it does costs a line in the run's log, never the question.
 */
export async function showCard(world: ControlWorld, run: Run, approvals?: Approvals): Promise<void> {
  const { chat } = world;
  const { slack } = run;
  if (!chat || !slack) return;
  await tried(world, run, async () => {
    const { q, digest } = questionOf(run);
    const report = await readAsked(world, approvals ? { ...run, approvals: { q, ...approvals } } : run);
    const asked = { repository: run.repository.id, run: run.id, q, digest };
    const facts = { ...(await factsOf(world, run)), asked, ...(slack.mention === undefined ? {} : { mention: slack.mention }) };
    const place = await put(world, chat, run, slack.channel, openCard(report, facts));
    await tellWhatMoved(world, chat, run, place);
    await remind(world, chat, run, place);
  });
}

/** The question was honoured: its card loses its buttons and says who approved. */
export async function showApproved(world: ControlWorld, run: Run, approvedBy: readonly string[]): Promise<void> {
  await change(world, run, async (facts) => approvedCard(await readAsked(world, run), { ...facts, approvedBy }));
}

/** How a round of the run ended, on the card it has; one that never had a question has none. */
export async function showEnd(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  if (report.status !== 'awaiting') await change(world, run, async (facts) => endedCard(report, facts));
}

/**
 * A card was clicked whose question is over: its end may not have reached Slack, or it is one of two, of which the run knows the other.
 * It is shown as things are now. A failure costs nothing but that.
 */
export async function showFinal(world: ControlWorld, run: Run, clicked: ChatPlace): Promise<void> {
  const { chat } = world;
  const known = await readPosted(world, run, postedCard);
  if (!chat || !known) return;
  if (known.channel === clicked.channel && known.ts === clicked.ts) return run.phase === 'done' ? showEnd(world, run, await readAsked(world, run)) : undefined;
  await tried(world, run, () => chat.update(clicked, strayCard(blockIdOf(run, 'stray'))));
}

/** Posts the card, or edits it where it shows something else. @returns where it lies. */
async function put(world: ControlWorld, chat: Chat, run: Run, channel: string, message: ChatMessage): Promise<ChatPlace> {
  const known = await readPosted(world, run, postedCard);
  const place = await postOnce(world, chat, run, postedCard, channel, message);
  const shown = hashOf(message);
  if (known?.shown === shown) return place;
  // Just posted, it shows it already; found again, nobody knows.
  if (known) await chat.update(place, message);
  if (known?.shown === undefined) await saveShown(world, run, { card: { run: run.id } });
  await write(world, chatKey(run.id, postedCard), { set: { shown } }, present);
  return place;
}

async function change(world: ControlWorld, run: Run, render: (facts: CardFacts) => Promise<ChatMessage>): Promise<void> {
  const { chat } = world;
  if (!chat || !run.slack || !run.question) return;
  const known = await readPosted(world, run, postedCard);
  if (!known || known.passedTo !== undefined) return;
  await tried(world, run, async () => {
    const message = await render(await factsOf(world, run));
    const shown = hashOf(message);
    const place = known.shown === shown ? undefined : await placeOf(chat, run, known);
    if (!place) return;
    await chat.update(place, message);
    await write(world, chatKey(run.id, postedCard), { set: { ts: place.ts, shown } }, present);
  });
}

/** Where the card lies; one whose post nobody knows the end of is looked for. */
const placeOf = async (chat: Chat, run: Run, { channel, ts, at }: PostedMessage) =>
  ts === undefined ? chat.find(channel, blockIdOf(run, postedCard), at) : { channel, ts };

async function factsOf(world: ControlWorld, run: Run): Promise<CardFacts> {
  const { check } = await readShown(world, run);
  const checkUrl = check?.commit === run.commit ? world.codeHost.surfaces?.checkUrl(run.repository, check.id) : undefined;
  return {
    id: blockIdOf(run, postedCard),
    ...(run.triggeredBy === undefined ? {} : { asker: run.triggeredBy }),
    ...(checkUrl === undefined ? {} : { checkUrl }),
  };
}

/** A stack that Slack was never set up for has nothing to say about it: the policy may be read by several stacks. */
async function tried(world: ControlWorld, run: Run, show: () => Promise<void>): Promise<void> {
  await attempt(world, run, async () => {
    try {
      await show();
    } catch (error) {
      if (problemOf(error).code !== 'SECRET_UNRESOLVED') throw error;
      world.log.info('Slack is not set up here', { run: run.id, message: problemOf(error).message });
    }
  });
}

const hashOf = (message: ChatMessage): string => createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 32);

/** Tells those who decided on the plan before it in one sentence what moved. */
async function tellWhatMoved(world: ControlWorld, chat: Chat, run: Run, place: ChatPlace): Promise<void> {
  const { q, digest } = questionOf(run);
  const stop = (await readStops(world, run.id)).findLast(({ replanned }) => replanned === digest);
  const purpose = `moved-${q}`;
  if (q === 1 || !stop || (await readPosted(world, run, purpose))?.ts !== undefined) return;
  const reply = movedReply(blockIdOf(run, purpose), stop, await peopleBefore(world, run, stop.approved, q - 1));
  await postOnce(world, chat, run, purpose, place.channel, reply, place.ts);
}

/** Whoever decided on the question before this one, by the Slack id that policy knows them by, else by their login. */
async function peopleBefore(world: ControlWorld, run: Run, digest: string, q: number): Promise<string[]> {
  const decisions = await readDecisions(world.table, { digest, run: run.id, q });
  if (decisions.length === 0) return [];
  const policy = await loadPolicy(world, run.repository);
  const known = Object.values(policy.environments).flatMap(({ approvers = [] }) => approvers);
  const idOf = (login: string) => known.find(({ github, slack }) => slack !== undefined && github.toLowerCase() === login.toLowerCase())?.slack;
  return [...new Set(decisions.map(({ person }) => (person.through === 'slack' ? person.principal : undefined) ?? idOf(person.name) ?? person.name))];
}

/** Parts of a question's time after which it is said again, each once. What is past both is said once. */
const reminders = [
  { part: 0.9, purpose: 'late' },
  { part: 0.5, purpose: 'half' },
] as const;

async function remind(world: ControlWorld, chat: Chat, run: Run, place: ChatPlace): Promise<void> {
  const { q, digest, expiresAt } = questionOf(run);
  const question = await readQuestion(world.table, digest, run.id, q);
  if (!question) return;
  const askedAt = Date.parse(question.askedAt);
  const passed = (world.clock.now() - askedAt) / (expiresAt - askedAt);
  const due = reminders.find(({ part }) => passed >= part);
  if (!due || passed >= 1) return;
  const purpose = `${due.purpose}-${q}`;
  await postOnce(world, chat, run, purpose, place.channel, reminder(blockIdOf(run, purpose), expiresAt, run.slack?.mention), place.ts);
}
