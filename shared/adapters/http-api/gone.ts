import { LockkeeperError } from '../../errors/error.ts';

/** The answer, or undefined where the provider says with 404, or a status that the line names, that nothing is there. */
export async function orGone<T>(answer: Promise<T>, gone: readonly number[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if (isGone(thrown, gone)) return undefined;
    throw thrown;
  }
}

const isGone = (thrown: unknown, gone: readonly number[]): boolean =>
  thrown instanceof LockkeeperError && (thrown.code === 'PROVIDER_NOT_FOUND' || gone.includes(Number(thrown.problem.details?.['status'])));

/** A create that is refused with a status that the line names, or a conflict: what is there is not ours (`details.exists`). */
export async function orExists<T>(create: Promise<T>, exists: readonly number[]): Promise<T> {
  try {
    return await create;
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError)) throw thrown;
    const refused = thrown.code === 'PROVIDER_CONFLICT' || exists.includes(Number(thrown.problem.details?.['status']));
    if (!refused) throw thrown;
    throw new LockkeeperError({ ...thrown.problem, code: 'PROVIDER_CONFLICT', details: { ...thrown.problem.details, exists: true } }, { cause: thrown });
  }
}
