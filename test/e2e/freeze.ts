/** One request that stands still between the worker's last check and its socket. */
export interface Frozen {
  /** Resolves when the worker has come to the request. */
  readonly reached: Promise<void>;
  /** Lets it go on, and resolves with the status it was answered with. */
  thaw(): Promise<number>;
}

/**
 * Freezes the next request of this process that `matches`, as if the whole process stood still there: neither its own time-out
 * nor a lease that runs out stops it once it goes on. It stands for what a provider cannot be protected from, a worker that was
 * paused after it had looked at everything. Works for functions that run in this process;
 * `restore` undoes all of it.
 */
export function freezeNext(matches: (method: string, path: string) => boolean): Frozen {
  const before = globalThis.fetch;
  const reached = Promise.withResolvers<void>();
  const thawed = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<number>();
  let taken = false;
  const hook = async (input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input);
    if (taken || !matches(init?.method ?? 'GET', new URL(address).pathname)) return before(input, init);
    taken = true;
    reached.resolve();
    await thawed.promise;
    // The signal would have fired meanwhile; in a process that stands still it has not.
    const response = await before(input, { ...init, signal: null });
    answered.resolve(response.status);
    return response;
  };
  globalThis.fetch = hook as typeof fetch;
  return {
    reached: reached.promise,
    thaw: () => {
      thawed.resolve();
      return answered.promise;
    },
  };
}

const untouched = globalThis.fetch;

/** Takes every freeze away. Requests that stand still go on standing still. */
export function restore(): void {
  globalThis.fetch = untouched;
}
