/** Thousands of bad inputs at every door: each has a clear answer, none is half done, and memory does not grow. */
import { randomOf } from '../../weave/random.ts';
import { objects } from './bucket.ts';
import { typedCommands } from './command.ts';
import { dashboards } from './dashboard.ts';
import type { Door } from './door.ts';
import { clicks, webhooks } from './events.ts';
import { plans, policies } from './files.ts';
import { followedClicks, followedHooks } from './followed.ts';
import { messages } from './messages.ts';
import { items, receipts } from './stored.ts';
import { trees } from './trees.ts';

/** A new one goes to the end: what an id makes depends on its door's place. */
export const doors: readonly Door[] = [
  webhooks,
  clicks,
  plans,
  policies,
  messages,
  receipts,
  items,
  followedHooks,
  trees,
  objects,
  dashboards,
  typedCommands,
  followedClicks,
];

export interface Judged {
  /** `<door>/<number>`. */
  readonly id: string;
  readonly answer: string;
  readonly wrong?: string;
}

/** Makes the input of an id, which is the same each time, and hands it in. @throws Error that says what is known. */
export async function sendOne(id: string): Promise<Judged> {
  const [, name = id, number = ''] = /^(.+)\/(\d+)$/.exec(id) ?? [];
  const door = doors.find((one) => one.name === name);
  if (!door) throw new Error(`there is no bad input ${id}: one is webhook/12, and the doors are ${doors.map((one) => one.name).join(', ')}`);
  const random = randomOf(Number(number) + 1_000_000 * doors.indexOf(door));
  try {
    return { id, ...(await door.send(random)) };
  } catch (error) {
    return { id, answer: 'thrown', wrong: error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error) };
  }
}

/** @param share of each door's inputs, 1 for all. */
export async function sendAll(share: number, told: (judged: Judged) => void): Promise<void> {
  for (const { name, count } of doors) for (let at = 0; at < Math.ceil(count * share); at += 1) told(await sendOne(`${name}/${at}`));
}
