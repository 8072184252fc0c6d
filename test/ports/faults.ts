import { LockkeeperError } from '../../shared/errors/error.ts';
import { AnswerLost } from '../../shared/ports/table.ts';

/** What became of a write whose answer was lost: it took effect, it never will, or it lands when the test says so. */
export type Effect = 'done' | 'never' | 'late';

type Fault<C> = { readonly match: (call: C) => boolean; times: number } & (
  | { readonly kind: 'lose'; readonly effect: Effect }
  | { readonly kind: 'fail'; readonly error: Error }
  | { readonly kind: 'before'; readonly action: () => unknown }
);

/** Faults a test plants in an in-memory store. Each fires for the first `times` calls that match, 1 by default. */
export interface Faults<C> {
  /** The call throws what this store throws without an answer. Reads have no effect to lose: for them it is a plain time-out. */
  loseAnswer(match: (call: C) => boolean, effect?: Effect, times?: number): void;
  /** The call throws `error` and has no effect. */
  fail(match: (call: C) => boolean, error: Error, times?: number): void;
  /** Runs `action` to its end right before the call takes effect: for interleaving two workers. */
  before(match: (call: C) => boolean, action: () => unknown, times?: number): void;
  /** Lets every write whose effect was `late` arrive now, in order; conditions are judged as of now. */
  landLate(): void;
  clear(): void;
}

/**
 * Faults and the gate every call of a store goes through.
 *
 * @param lost what the store throws when it has no answer.
 */
export function createFaults<C>(lost: () => Error = () => new AnswerLost('the test lost this answer')): {
  readonly faults: Faults<C>;
  through<T>(call: C, effect: () => T): Promise<T>;
} {
  const planted: Fault<C>[] = [];
  const late: (() => unknown)[] = [];

  function take(kinds: readonly Fault<C>['kind'][], call: C): Fault<C> | undefined {
    const fault = planted.find((one) => kinds.includes(one.kind) && one.times > 0 && one.match(call));
    if (fault) fault.times -= 1;
    return fault;
  }

  async function through<T>(call: C, effect: () => T): Promise<T> {
    const first = take(['before'], call);
    if (first?.kind === 'before') await first.action();

    const fault = take(['lose', 'fail'], call);
    if (fault?.kind === 'fail') throw fault.error;
    if (fault?.kind === 'lose') {
      if (fault.effect === 'done') effect();
      if (fault.effect === 'late') late.push(effect);
      throw lost();
    }
    return effect();
  }

  const faults: Faults<C> = {
    loseAnswer: (match, effect = 'done', times = 1) => void planted.push({ kind: 'lose', match, effect, times }),
    fail: (match, error, times = 1) => void planted.push({ kind: 'fail', match, error, times }),
    before: (match, action, times = 1) => void planted.push({ kind: 'before', match, action, times }),
    landLate: () => {
      for (const effect of late.splice(0)) effect();
    },
    clear: () => {
      planted.length = 0;
      late.length = 0;
    },
  };
  return { faults, through };
}

/** Bucket and queues try again by themselves; what they throw in the end leaves open whether the call took effect. */
export const unanswered = (): Error => new LockkeeperError({ code: 'STORE_UNREACHABLE', message: 'the test lost this answer' });
