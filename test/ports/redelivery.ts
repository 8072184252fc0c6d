import type { MemoryQueues, Queued } from './memory-queues.ts';

/** A message with what its queue knows of it. */
export type Mail = Queued & { readonly received?: number; readonly dead?: true };

/** Receives before a message is dead, as the template has them. */
export const receives = { control: 10, lines: 5 } as const;

/** SQS keeps a message invisible for twelve hours at most. */
const longest = 43_200;

/**
 * What becomes of a message that was taken and not done with: it is visible again after `seconds`, with the number of its receives, or lies
 * among the dead from now on, where it starts anew.
 */
export function putBack(queues: Pick<MemoryQueues, 'deliver'>, mail: Mail, received: number, seconds: number): void {
  if (!mail.dead && received >= receives[mail.queue]) queues.deliver({ ...mail, received: 0, dead: true } as Mail);
  else queues.deliver({ ...mail, received } as Mail, Math.min(longest, Math.max(0, Math.ceil(seconds))));
}
