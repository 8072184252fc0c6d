/** Why a tool is to end before it is done. */
export type Ending = 'timed-out' | 'stopped';

export interface Endings {
  /** Its reason is an {@link Ending}. */
  readonly signal: AbortSignal;
  end(why: Ending): void;
  /** Lets go of everything that would keep the process alive. */
  close(): void;
}

export interface WatchedFor {
  /** How long the work may take, ms. */
  readonly timeoutMs: number;
  readonly isCancelled: () => Promise<boolean>;
  /** How often the mailbox is looked at, ms. */
  readonly everyMs: number;
}

/**
 * Watches for what ends a tool early: its time, a letter in the mailbox, a signal to this process. A mailbox that does not answer is asked
 * again: it is no reason to break off a write.
 */
export function watchForEnd({ timeoutMs, isCancelled, everyMs }: WatchedFor): Endings {
  const ending = new AbortController();
  const end = (why: Ending): void => ending.abort(why);
  const onSignal = (): void => end('stopped');
  const limit = setTimeout(() => end('timed-out'), timeoutMs);
  let asking = false;
  const look = setInterval(() => {
    if (asking) return;
    asking = true;
    isCancelled()
      .then((cancelled) => (cancelled ? end('stopped') : undefined))
      .catch(() => undefined)
      .finally(() => {
        asking = false;
      });
  }, everyMs);
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return {
    signal: ending.signal,
    end,
    close() {
      clearTimeout(limit);
      clearInterval(look);
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    },
  };
}
