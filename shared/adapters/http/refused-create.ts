import { LockkeeperError } from '../../errors/error.ts';

/**
 * Awaits the create of one resource and marks every conflict as "exists" (`details.exists`): it was plainly refused, so what
 * is there is not ours, whatever words the provider found.
 */
export async function refusedAsExisting<T>(create: Promise<T>): Promise<T> {
  try {
    return await create;
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError) || thrown.code !== 'PROVIDER_CONFLICT') throw thrown;
    throw new LockkeeperError({ ...thrown.problem, details: { ...thrown.problem.details, exists: true } }, { cause: thrown });
  }
}
