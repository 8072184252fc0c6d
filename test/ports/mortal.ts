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
  /** The nth call from now on (0: the next), of those that `of` means by `port.method`, or of all. */
  plan(nth: number, fate: Fate, of?: (name: string) => boolean): void;
  /** Forgets the calls after the first so many, and what is planned. */
  forget(count: number): void;
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
  let planned: { left: number; readonly fate: Fate; readonly of: (name: string) => boolean } | undefined;
  let met: string | undefined;
  const standing: (() => void)[] = [];
  const watching: (() => void)[] = [];

  /** Tells whoever waits for it, and resolves when the function is thawed. */
  function standStill(): Promise<void> {
    for (const seen of watching.splice(0)) seen();
    return new Promise((resolve) => void standing.push(resolve));
  }

  /** What is planned for this call, which is then used up. */
  function fateOf(name: string, about: unknown): Fate | undefined {
    if (!planned?.of(name) || planned.left-- > 0) return undefined;
    const { fate } = planned;
    const hasLeft = name === 'provider.send' && (about as { method?: string }).method !== 'GET';
    if (fate === 'frozen' && hasLeft) return undefined;
    planned = undefined;
    return fate;
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
    const fate = fateOf(name, about);
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
    plan(nth, fate, of = () => true) {
      planned = { left: nth, fate, of };
      met = undefined;
    },
    forget(count) {
      calls.length = count;
      planned = undefined;
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
