import { LockkeeperError } from '../../errors/error.ts';

/** The answer, or undefined where the provider says 404: for lookups and deletes, to which absence is an answer. */
export async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if (thrown instanceof LockkeeperError && thrown.code === 'PROVIDER_NOT_FOUND') return undefined;
    throw thrown;
  }
}
