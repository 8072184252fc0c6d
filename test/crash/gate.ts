/** The gate that every port call of every function goes through: it stands there until somebody lets it happen, or lets a fault happen. */
import { Died, type Fates, fates, type Life } from '../ports/mortal.ts';

/**
 * What befalls a call. `before` and `after` its effect the function dies; `lost`: it takes effect and the function hears nothing; `unsent`: it
 * does neither; `twice`: it takes effect twice, as where a client sends again what it had no answer to, and the second answer is heard;
 * `paused`: the function stands still before it, for longer than any lease, and goes on then; `overtaken`: it does, what else its run has to do is
 * late, too, and another run takes the scope meanwhile.
 */
export type Fault = 'before' | 'after' | 'lost' | 'unsent' | 'twice' | Still;

/** A function that stands still is let happen nothing. */
export type Still = 'paused' | 'overtaken';

/** A call that a function is about to make. */
export interface Call {
  /** The function that makes it: invocations are numbered in the order in which they begin. */
  readonly worker: number;
  /** `table`, `queues`, `objects`, `machine`, `provider`, `codeHost`, `issues`, `chat`, `tools`, `secrets`, `bus`. */
  readonly port: string;
  readonly method: string;
  /** What it is given, as text. */
  readonly about: string;
}

/** `port.method`. */
export const nameOf = ({ port, method }: Call): string => `${port}.${method}`;

/** A request that is meant to change something outside. */
export const isWriteToProvider = ({ port, about }: Call): boolean => port === 'provider' && !about.includes('"method":"GET"');

/** One invocation at the gate. */
export interface Visitor {
  readonly number: number;
  /** The calls that stand here, in the order in which they came. */
  readonly standing: readonly Call[];
  /** Lets the first of them happen. */
  let(fault?: Exclude<Fault, Still>): void;
  /** Nothing that it still does has an effect. */
  die(): void;
}

export interface Gate {
  /** What a workbench takes its ports through. */
  readonly fates: Fates;
  /** The invocation that began last. */
  newest(): Visitor;
  /** How many invocations have begun. */
  count(): number;
}

interface Held {
  readonly call: Call;
  readonly go: (fault: Exclude<Fault, Still> | undefined) => void;
  readonly stop: (error: Error) => void;
}

export function openGate(): Gate {
  const visitors: Visitor[] = [];

  function life(): Life {
    const held: Held[] = [];
    const number = visitors.length;
    let dead = false;

    function die(): void {
      dead = true;
      for (const { stop, call } of held.splice(0)) stop(new Died(nameOf(call)));
    }

    visitors.push({
      number,
      get standing() {
        return held.map(({ call }) => call);
      },
      let(fault) {
        const [first] = held.splice(0, 1);
        if (!first) throw new Error(`function ${number} stands at no call`);
        first.go(fault);
      },
      die,
    });

    async function through(call: Call, effect: () => unknown, lost: () => Error | undefined): Promise<unknown> {
      if (dead) throw new Died(nameOf(call));
      const fault = await new Promise<Exclude<Fault, Still> | undefined>((go, stop) => void held.push({ call, go, stop }));
      if (fault === 'before') {
        die();
        throw new Died(nameOf(call));
      }
      if (fault === undefined) return effect();
      if (fault === 'twice') return twice(call, effect);
      const answer = fault === 'unsent' ? undefined : await effect();
      if (fault === 'after') {
        die();
        throw new Died(nameOf(call));
      }
      const error = lost();
      if (error) throw error;
      return fault === 'unsent' ? effect() : answer;
    }

    return {
      wrap: (port, target, lost) =>
        new Proxy(target, {
          get(whole, method: string) {
            const found = Reflect.get(whole, method) as unknown;
            if (typeof found !== 'function') return found;
            return (...given: unknown[]) =>
              through(
                { worker: number, port, method, about: textOf(given) },
                () => found.apply(whole, given),
                () => lost(method),
              );
          },
        }),
    };
  }

  return {
    fates: { ...fates(), life },
    newest: () => visitors.at(-1) as Visitor,
    count: () => visitors.length,
  };
}

/**
 * A call that takes effect twice. What is heard is the second answer, as by a client that sends again what it had no answer to; nobody sends a
 * provider's write again, so there it is the network that doubles it, and the first answer is heard.
 */
async function twice(call: Call, effect: () => unknown): Promise<unknown> {
  if (!isWriteToProvider(call)) return Promise.resolve(effect()).then(effect, effect);
  const first = await effect();
  await Promise.resolve()
    .then(effect)
    .catch(() => undefined);
  return first;
}

/** Sets as arrays; what reads an answer is left out. */
const textOf = (given: readonly unknown[]): string =>
  JSON.stringify(given.length === 1 ? given[0] : given, (key, value: unknown) => (key === 'answer' ? undefined : value instanceof Set ? [...value] : value)) ??
  '';
