import { createHash } from 'node:crypto';
import type { Code } from '../errors/codes.ts';
import { problemOf } from '../errors/error.ts';
import type { Chat, ChatMessage, ChatPlace } from '../ports/chat.ts';
import { type CardFacts, openCard } from '../surfaces/slack/card.ts';
import { approvedCard, endedCard, strayCard } from '../surfaces/slack/closed-card.ts';
import { all, lacks, present } from '../table/condition.ts';
import { chatKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { remind, tellWhatMoved } from './below-card.ts';
import { questionOf, type Run } from './items.ts';
import { queueStep } from './phase.ts';
import { attemptOf, blockIdOf, type PostedMessage, postedCard, postOnce, readPosted } from './post-once.ts';
import { readAsked } from './read-asked.ts';
import type { RunReport } from './report.ts';
import { readRun } from './run-store.ts';
import { attempt, readShown, saveShown } from './shown.ts';
import { shownBy } from './shown-by.ts';
import type { ControlWorld } from './world.ts';

/**
 * Puts an open question in Slack, where policy says so: its card, once; what moved, below it, where it was asked before; and a reminder at
 * half and at nine tenths of its time. Every step of a parked run comes by here, so that what was late, lost or refused is made up for.
 * Slack holds no truth: whatever it does costs a line in the run's log, never the question.
 */
export async function showCard(world: ControlWorld, run: Run): Promise<void> {
  const { chat } = world;
  const { slack } = run;
  if (!chat || !slack) return;
  await tried(world, run, async () => {
    const { q, digest } = questionOf(run);
    const report = shownBy(world, await readAsked(world, run));
    const asked = { repository: run.repository.id, run: run.id, q, digest };
    const facts = { ...(await factsOf(world, run)), asked, ...(slack.mention === undefined ? {} : { mention: slack.mention }) };
    const place = await put(world, chat, run, slack.channel, openCard(report, facts));
    if (!place) return;
    await tellWhatMoved(world, chat, run, place, report);
    await remind(world, chat, run, place);
  });
}

/** The question was honoured: its card loses its buttons and says who approved. */
export async function showApproved(world: ControlWorld, run: Run, approvedBy: readonly string[]): Promise<void> {
  await change(world, run, async (facts) => approvedCard(shownBy(world, await readAsked(world, run)), { ...facts, approvedBy }));
}

/** How a round of the run ended, on the card it has; one that never had a question has none. */
export async function showEnd(world: ControlWorld, run: Run, report: RunReport): Promise<void> {
  if (report.status !== 'awaiting') await change(world, run, async (facts) => endedCard(shownBy(world, report), facts));
}

/** A run at rest whose card does not show that: its last edit did not get through, or the run died on the way to it. */
export async function mendCard(world: ControlWorld, run: Run): Promise<void> {
  if (!world.chat || !run.slack || !run.question || run.report === undefined) return;
  const report = await readAsked(world, run);
  await showEnd(world, run, report.status === 'awaiting' && run.outcome ? { ...report, status: run.outcome } : report);
}

/**
 * A card was clicked whose question is over: its end may not have reached Slack, or it is one of two, of which the run knows the other.
 * It is shown as things are now. A failure costs nothing but that.
 */
export async function showFinal(world: ControlWorld, run: Run, clicked: ChatPlace): Promise<void> {
  const { chat } = world;
  const known = await readPosted(world, run, postedCard);
  if (!chat || !known) return;
  if (known.channel === clicked.channel && known.ts === clicked.ts) {
    if (known.passedTo !== undefined) await showAnew(world, known);
    return run.phase === 'done' ? mendCard(world, run) : undefined;
  }
  await tried(world, run, () => chat.update(clicked, strayCard(blockIdOf(run, 'stray'))));
}

/** Posts the card, or edits it where it shows something else. @returns where it lies; undefined: a newer commit's question is shown there by now. */
async function put(world: ControlWorld, chat: Chat, run: Run, channel: string, message: ChatMessage): Promise<ChatPlace | undefined> {
  const known = await readPosted(world, run, postedCard);
  if (await takenBy(world, known)) return undefined;
  const place = await postOnce(world, chat, run, postedCard, channel, message);
  const shown = hashOf(message);
  if (known?.shown === shown) return place;
  // Just posted, it shows it already; found again, nobody knows.
  if (known) await chat.update(place, message);
  if (known?.shown === undefined) await saveShown(world, run, { card: { run: run.id } });
  await noteShown(world, run, { set: { shown } });
  return place;
}

async function change(world: ControlWorld, run: Run, render: (facts: CardFacts) => Promise<ChatMessage>): Promise<void> {
  const { chat } = world;
  if (!chat || !run.slack || !run.question) return;
  const known = await readPosted(world, run, postedCard);
  if (!known || (await takenBy(world, known))) return;
  await tried(world, run, async () => {
    const message = await render(await factsOf(world, run));
    const shown = hashOf(message);
    const place = known.shown === shown ? undefined : await placeOf(world, chat, run, known);
    if (!place) return;
    await orLater(world, run, known, () => chat.update(place, message));
    await noteShown(world, run, { set: { ts: place.ts, shown }, remove: ['tries'] });
  });
}

/** The newer run whose card this is by now. One that was to be taken over by a run that died on the way is still its first one's. */
async function takenBy(world: ControlWorld, known: PostedMessage | undefined): Promise<{ readonly id: string; readonly card: PostedMessage } | undefined> {
  if (known?.passedTo === undefined) return undefined;
  const card = await readPosted(world, { id: known.passedTo }, postedCard);
  return card && { id: known.passedTo, card };
}

/**
 * Writes down what the card shows after an edit. Slack edits on no condition: whoever stood still before it has written over what a newer run
 * showed there meanwhile, and whoever dies between the two is made up for by the next click.
 *
 *     this run:   reads its card ──────────────────────────▶ edits it ─▶ finds it taken: the newer run shows its own again
 *     newer run:                  takes it over, edits it ─▶
 */
async function noteShown(
  world: ControlWorld,
  run: Run,
  change: { readonly set: { readonly shown: string; readonly ts?: string }; readonly remove?: string[] },
) {
  const key = chatKey(run.id, postedCard);
  const noted = await write(world, key, change, all(present, lacks('passedTo')));
  if (noted.won || noted.found === undefined) return;
  if (await takenBy(world, noted.found as unknown as PostedMessage)) return showAnew(world, noted.found as unknown as PostedMessage);
  await write(world, key, change, present);
}

/** The run that has the card now shows its own question, or its end, there once more, whatever it takes the card to show. */
async function showAnew(world: ControlWorld, passed: PostedMessage): Promise<void> {
  const by = await takenBy(world, passed);
  if (!by) return;
  if (by.card.passedTo !== undefined) return showAnew(world, by.card);
  await write(world, chatKey(by.id, postedCard), { set: {}, remove: ['shown'] }, present);
  const newer = await readRun(world.table, by.id);
  if (newer) await queueStep(world, newer);
}

/** How often an edit that failed is tried again by itself, each time after twice as long. A run that is over has no step that would. */
const mostTries = 4;

/** An edit that did not get through, where nothing says that it never will, wakes the run once more. */
async function orLater(world: ControlWorld, run: Run, { tries = 0 }: PostedMessage, edit: () => Promise<void>): Promise<void> {
  try {
    await edit();
  } catch (error) {
    if (passing.has(problemOf(error).code) && tries < mostTries) {
      await write(world, chatKey(run.id, postedCard), { set: { tries: tries + 1 } }, present);
      await queueStep(world, run, 60 * 2 ** tries);
    }
    throw error;
  }
}

const passing: ReadonlySet<Code> = new Set(['PROVIDER_AGAIN', 'PROVIDER_TRANSIENT', 'PROVIDER_TIMEOUT']);

/** Where the card lies; one whose post nobody knows the end of is looked for. */
const placeOf = async (world: ControlWorld, chat: Chat, run: Run, known: PostedMessage) =>
  known.ts === undefined ? chat.find(known.channel, blockIdOf(run, postedCard), attemptOf(world, known)) : { channel: known.channel, ts: known.ts };

async function factsOf(world: ControlWorld, run: Run): Promise<CardFacts> {
  const { check } = await readShown(world, run);
  const checkUrl = check?.commit === run.commit ? world.codeHost.surfaces?.checkUrl(run.repository, check.id) : undefined;
  const repositoryUrl = world.codeHost.surfaces?.repositoryUrl(run.repository);
  return {
    id: blockIdOf(run, postedCard),
    ...(repositoryUrl === undefined ? {} : { repositoryUrl }),
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
