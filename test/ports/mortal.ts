/** Thrown by every port of a function that has died: nothing it still does has an effect. */
export class Died extends Error {
  override readonly name = 'Died';
}

/** What befalls one call of a port. `before` and `after` its effect the function dies; `lost` and `unsent` leave it alive without an answer. */
export type Fate = 'before' | 'after' | 'lost' | 'unsent';

/** Counts every call that functions make on their ports, and lets one of them meet its fate. */
export interface Fates {
  /** Every call so far, by port and method, and the number of the life that made it. */
  readonly calls: { readonly name: string; readonly life: number }[];
  /** The nth call from now on (0: the next), of those that `of` means by `port.method`, or of all. */
  plan(nth: number, fate: Fate, of?: (name: string) => boolean): void;
  /** Whether the planned fate has been met. */
  met(): string | undefined;
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

  /** What is planned for this call, which is then used up. */
  function fateOf(name: string): Fate | undefined {
    if (!planned?.of(name) || planned.left-- > 0) return undefined;
    const { fate } = planned;
    planned = undefined;
    return fate;
  }

  async function call(
    life: { dead: boolean; readonly number: number },
    name: string,
    about: unknown,
    effect: () => unknown,
    lost: () => Error | undefined,
  ): Promise<unknown> {
    if (life.dead) throw new Died(name);
    const fate = fateOf(name);
    calls.push({ name, life: life.number });
    if (fate === undefined) return effect();
    met = `${fate} ${name} ${JSON.stringify(about, (key, value) => (key === 'answer' ? undefined : value))}`;
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
    met: () => met,
    life() {
      const life = { dead: false, number: lives++ };
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
