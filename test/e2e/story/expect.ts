/** Something did not end as the story says it does. The message is for the person who ran it. */
export class StoryFailed extends Error {
  override readonly name = 'StoryFailed';
}

/** @throws StoryFailed with the sentence that was to be true, and what is true instead. */
export function check(holds: boolean, sentence: string, instead?: unknown): asserts holds {
  if (holds) return;
  throw new StoryFailed(instead === undefined ? sentence : `${sentence}; instead: ${typeof instead === 'string' ? instead : JSON.stringify(instead)}`);
}

/** Bounds a wait for something that may never come. @throws StoryFailed naming it. */
export async function within<T>(milliseconds: number, what: string, coming: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new StoryFailed(`${what}: not within ${Math.round(milliseconds / 1000)} s`)), milliseconds);
  try {
    return await Promise.race([coming, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
