import type { Chat, ChatMessage, ChatPlace, Within } from '../ports/chat.ts';
import type { Item } from '../ports/table.ts';
import { absent, present } from '../table/condition.ts';
import { chatKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run } from './items.ts';
import { runLifetime } from './run-log.ts';
import type { ControlWorld } from './world.ts';

/** A message of a run's in the chat: the item `RUN#<id>` / `CHAT#<purpose>`. Without a `ts` nobody knows yet whether it was posted. */
export interface PostedMessage {
  readonly channel: string;
  readonly ts?: string;
  /** When the last attempt at posting it was begun, epoch ms. */
  readonly at: number;
  /** Of the card: hash of what it shows. */
  readonly shown?: string;
  /** Of the card: how often an edit of it has failed since the last that did not. */
  readonly tries?: number;
  /** Of the card: the run that shows its own question there now. */
  readonly passedTo?: string;
}

/** What a message is found again by, in the chat: an id that one of its blocks carries. */
export const blockIdOf = (run: Pick<Run, 'id'>, purpose: string): string => `lockkeeper:${run.id}:${purpose}`;

export async function readPosted(world: Pick<ControlWorld, 'table'>, run: Pick<Run, 'id'>, purpose: string): Promise<PostedMessage | undefined> {
  return postedOf(await world.table.get(chatKey(run.id, purpose)));
}

const postedOf = (item: Item | undefined): PostedMessage | undefined => item as unknown as PostedMessage | undefined;

/** The card of a run: one, whatever number of questions the run asks. */
export const postedCard = 'card';

/** A message that is about to be posted. */
export const startPost = (world: Pick<ControlWorld, 'clock'>, run: Pick<Run, 'id'>, channel: string) => {
  const at = world.clock.now();
  return { format: 1, run: run.id, channel, at, ttl: Math.floor(at / 1000) + runLifetime };
};

/** How far Slack's clock and ours may be apart, ms. */
const apart = 60_000;

/** When a post that was begun then can have happened: no step lives longer than its function. However busy the channel is, no more is looked through. */
export const attemptOf = ({ timing }: Pick<ControlWorld, 'timing'>, { at }: Pick<PostedMessage, 'at'>): Within => ({
  since: at - apart,
  until: at + timing.functionTimeout + apart,
});

/**
 * Posts a message once, whatever is lost. Slack has no key by which it would know a request again, so what we are about to post is written
 * down first, and a post of which nobody knows the end is looked for by the id of its block before another one is made:
 *
 *     put { at }  ──▶ crash here: looked for, not found, begun anew
 *     post        ──▶ answer lost: looked for, found
 *     set { ts }  ──▶ crash here: looked for, found
 *     set { at }  ──▶ of another attempt: what is looked for from now on is that one
 *
 * A post that Slack performs only after the look cannot be caught: then there are two, of which one is never edited. Its buttons ask the
 * same question, and answer as the other ones do.
 */
export async function postOnce(
  world: ControlWorld,
  chat: Chat,
  run: Run,
  purpose: string,
  channel: string,
  message: ChatMessage,
  thread?: string,
): Promise<ChatPlace> {
  const key = chatKey(run.id, purpose);
  const known = postedOf(await world.table.get(key));
  const begun = known ?? postedOf(await begin());
  if (begun?.ts !== undefined) return { channel: begun.channel, ts: begun.ts };
  const lost = begun && (await chat.find(begun.channel, blockIdOf(run, purpose), attemptOf(world, begun), thread));
  if (begun && !lost) await write(world, key, { set: { at: world.clock.now() } }, present);
  const place = lost ?? (await chat.post(begun?.channel ?? channel, message, thread));
  await write(world, key, { set: { channel: place.channel, ts: place.ts } }, present);
  return place;

  /** What another step has begun; undefined where this one is the first. */
  async function begin(): Promise<Item | undefined> {
    const first = await write(world, key, { put: startPost(world, run, channel) }, absent);
    return first.won ? undefined : first.found;
  }
}
