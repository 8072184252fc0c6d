import type { Code } from '../../errors/codes.ts';
import { LockkeeperError } from '../../errors/error.ts';

const unsure: readonly Code[] = ['PROVIDER_TIMEOUT', 'PROVIDER_TRANSIENT', 'CODE_HOST'];

/** A create whose answer was lost or unreadable may have happened: then what it made is looked for, and never made twice. */
export async function orFound(create: Promise<{ id: number }>, find: () => Promise<number | undefined>): Promise<{ id: number }> {
  try {
    return await create;
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError) || !unsure.includes(thrown.code)) throw thrown;
    const id = await find();
    if (id === undefined) throw thrown;
    return { id };
  }
}
