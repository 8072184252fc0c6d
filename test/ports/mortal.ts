/** Thrown by every port of a function that has died: nothing it still does has an effect. */
export class Died extends Error {
  override readonly name = 'Died';
}

/**
 * What befalls one call of a port. `before` and `after` its effect the function dies; `lost` and `unsent` leave it alive without an answer;
 * `frozen`: it stands still before the call, and goes on when it is thawed. A write to a provider has left by then and freezes nothing: the
 * call after it does.
 */
export type Fate = 'before' | 'after' | 'lost' | 'unsent' | 'frozen';

/** Counts every call that functions make on their ports, and lets one of them meet its fate. */
export interface Fates {
  /** Every call so far, by port and method, and the number of the life that made it. */
  readonly calls: { readonly name: string; readonly life: number }[];
  /** The nth call from now on (0: the next). */
  plan(nth: number, fate: Fate): void;
  /** Whether the planned fate has been met. */
  met(): string | undefined;
  /** Lets every function go on that stands still. */
  thaw(): void;
  /** Resolves when the next function stands still. */
  frozen(): Promise<void>;
  /** One function invocation: wraps its ports. */
  life(): Life;
}

export interface Life {
  /** A port whose calls are counted. `lost` makes the error a caller sees without an answer; undefined: such a call is not lost. */
  wrap<P extends object>(name: string, port: P, lost: (method: string) => Error | undefined): P;
}

export function fates(): Fates {
  const calls: { name: string; life: number }[] = [];
  let lives = 0;
  let planned: { at: number; fate: Fate } | undefined;
  let met: string | undefined;
  const standing: (() => void)[] = [];
  const watching: (() => void)[] = [];

  /** Tells whoever waits for it, and resolves when the function is thawed. */
  function standStill(): Promise<void> {
    for (const seen of watching.splice(0)) seen();
    return new Promise((resolve) => void standing.push(resolve));
  }

  async function call(
    life: { dead: boolean; still?: Promise<void>; readonly number: number },
    name: string,
    about: unknown,
    effect: () => unknown,
    lost: () => Error | undefined,
  ): Promise<unknown> {
    if (life.still) await life.still;
    if (life.dead) throw new Died(name);
    const isLeft = name === 'provider.send' && (about as { method?: string }).method !== 'GET';
    if (planned?.at === calls.length && planned.fate === 'frozen' && isLeft) planned = { at: calls.length + 1, fate: 'frozen' };
    const fate = planned?.at === calls.length ? planned.fate : undefined;
    calls.push({ name, life: life.number });
    if (fate === undefined) return effect();
    met = `${fate} ${name} ${JSON.stringify(about, (key, value) => (key === 'answer' ? undefined : value))}`;
    if (fate === 'frozen') {
      life.still = standStill();
      await life.still;
      return effect();
    }
    if (fate === 'before') {
      life.dead = true;
      throw new Died(name);
    }
    const answer = fate === 'unsent' ? undefined : await effect();
    if (fate === 'after') {
      life.dead = true;
      throw new Died(name);
    }
    const error = lost();
    if (error) throw error;
    return fate === 'unsent' ? effect() : answer;
  }

  return {
    calls,
    plan(nth, fate) {
      planned = { at: calls.length + nth, fate };
      met = undefined;
    },
    met: () => met,
    thaw() {
      for (const go of standing.splice(0)) go();
    },
    frozen: () => new Promise((resolve) => void watching.push(resolve)),
    life() {
      const life: { dead: boolean; still?: Promise<void>; number: number } = { dead: false, number: lives++ };
      return {
        wrap: (name, port, lost) =>
          new Proxy(port, {
            get(target, method: string) {
              const found = Reflect.get(target, method) as unknown;
              if (typeof found !== 'function') return found;
              return (...given: unknown[]) =>
                call(
                  life,
                  `${name}.${method}`,
                  given[0],
                  () => found.apply(target, given),
                  () => lost(method),
                );
            },
          }),
      };
    },
  };
}
