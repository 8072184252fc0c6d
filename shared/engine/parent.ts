import { LockkeeperError } from '../errors/error.ts';
import { type LockWorld, releaseParentLock, takeParentLock } from '../lease/parent-lock.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import type { World } from '../run/world.ts';
import type { Op, OpCall } from './op.ts';
import type { ResolvedParams } from './value.ts';

/** Who asks for a parent's lock: one attempt at one line, and until when that may work. */
export interface Attempt {
  readonly holder: string;
  readonly until: number;
}

/**
 * The object that a line's resources are parts of, where its op says so.
 *
 * @throws LockkeeperError SECRET_IN_IDENTITY when its name carries a registered value: it is stored in clear.
 */
export function parentOf({ redactor }: Pick<World, 'redactor'>, op: Op, params: ResolvedParams, call: OpCall): string | undefined {
  const parent = op.lockOn?.(params, call);
  if (parent === undefined || !redactor.contains(parent)) return parent;
  throw new LockkeeperError({ code: 'SECRET_IN_IDENTITY', message: `The name of the object to write would carry a secret value: ${redactor.mask(parent)}.` });
}

/**
 * Does what may write a parent object under its lock. Without a parent there is none to take.
 *
 * @throws ParentBusy while another line has it.
 */
export async function underParentLock<T>(world: LockWorld, parent: Identity | undefined, { holder, until }: Attempt, work: () => Promise<T>): Promise<T> {
  if (parent === undefined) return work();
  const hash = identityHash(parent);
  const lock = await takeParentLock(world, hash, holder, until);
  try {
    return await work();
  } finally {
    // What came of the work stands, also when the release is lost: the lock runs out.
    await releaseParentLock(world, hash, lock).catch(() => undefined);
  }
}
