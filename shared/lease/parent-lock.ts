import type { Clock } from '../ports/clock.ts';
import type { Item } from '../ports/table.ts';
import { absent, all, any, atMost, equal, has } from '../table/condition.ts';
import { parentLockKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';

/**
 * The right to write an object whose parts belong to several lines, of any scope and environment (P3, R1.54, R1.94). A lease on another
 * key, with these differences: it guards nothing in the table, so nothing is sealed; and its holder is one attempt at one line, which ends
 * before the lease does, so nothing is renewed.
 *
 *     claims ─▶ lock ─▶ inspect again ─▶ intent, provider, record ─▶ release
 *
 * It is taken last, and nothing is waited for under it: no circle of waiters can come about (R1.95). A crash lets it run out.
 */
export interface ParentLock {
  readonly holder: string;
  readonly fence: number;
}

export interface LockWorld extends Writer {
  readonly clock: Clock;
  readonly timing: { readonly skew: number };
}

/** The object is being written by another line: the job comes back. */
export class ParentBusy extends Error {
  override readonly name = 'ParentBusy';
  readonly holder: string;

  constructor(holder: string) {
    super(`its parent object is locked by ${holder}`);
    this.holder = holder;
  }
}

/** One attempt at one line: a run that could hold it for all its lines would let two of them write at once. */
export const lockHolder = (run: string, line: string, attempt: number): string => `${run}#${line}#${attempt}`;

/**
 * Takes the lock, or throws. One read and one write; nothing is written where it is held.
 *
 * @param hash of the object's identity. @param until when the holder's claim ends, by its own clock; nobody starts before, whatever clock they go by.
 * @throws ParentBusy
 */
export async function takeParentLock(world: LockWorld, hash: string, holder: string, until: number): Promise<ParentLock> {
  const now = world.clock.now();
  const found = await world.table.get(parentLockKey(hash));
  if (found && isHeld(found, now) && found['holder'] !== holder) throw new ParentBusy(String(found['holder']));
  const fence = (typeof found?.['fence'] === 'number' ? found['fence'] : 0) + 1;
  const next = { holder, fence, grantedAt: now, expiresAt: until + 2 * world.timing.skew };
  const free = found ? all(equal('fence', found['fence'] as number), any(has('released'), atMost('expiresAt', now), equal('holder', holder))) : absent;
  const result = await write(world, parentLockKey(hash), found ? { set: next, remove: ['released'] } : { put: next }, free);
  if (result.won) return { holder, fence };
  throw new ParentBusy(String(result.found?.['holder'] ?? 'somebody'));
}

/** Gives it back. Whatever becomes of that, it runs out by itself. */
export async function releaseParentLock(world: LockWorld, hash: string, { holder, fence }: ParentLock): Promise<void> {
  await write(world, parentLockKey(hash), { set: { released: true } }, all(equal('holder', holder), equal('fence', fence)));
}

const isHeld = (item: Item, now: number): boolean => item['released'] !== true && now <= (item['expiresAt'] as number);
