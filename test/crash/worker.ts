/** One invocation of one function, driven call by call. */
import { type Call, type Fault, nameOf, type Still, type Visitor } from './gate.ts';

export interface Worker {
  /** What it works on, in words. */
  readonly what: string;
  /** The call it stands before; undefined: its function is over, or dead. */
  readonly at: Call | undefined;
  /** Lets that one call happen, or meet its fault, and waits until the function stands at the next, or is over. */
  step(fault?: Exclude<Fault, Still>): Promise<void>;
  /**
   * Lets calls happen until it stands before one that matches: by `port.method` and, behind a space, a text of what is given
   * (`table.write "sk":"LEASE"`). @throws Error when its function is over first.
   */
  until(match: string | ((call: Call) => boolean)): Promise<void>;
  /** Lets all of its calls happen, to its end or to where it is made to stand still. */
  run(): Promise<void>;
  /** Nothing it still does has an effect; its message comes again when the queue shows it again. */
  die(): void;
}

/** What a worker tells whoever started it. */
export interface Watch {
  /** Asked before each call that nobody has given a fault: what befalls it. */
  readonly fate: (call: Call) => Fault | undefined;
  /** Whether nobody stands still before a call: its sender is guarded by time alone. */
  readonly hasLeft: (call: Call) => boolean;
  /** Told of each call that goes through the gate. */
  readonly saw: (call: Call, fault: Fault | undefined) => void;
  readonly died: () => void;
  /** It stands still from now on, until somebody lets it run again. */
  readonly paused: (how: Still) => Promise<void>;
}

/** What a call must be, told as a text (`port.method text of what is given`) or judged by a function. */
export function fitting(match: string | ((call: Call) => boolean)): (call: Call) => boolean {
  if (typeof match !== 'string') return match;
  const [name, ...texts] = match.split(' ');
  return (call) => nameOf(call) === name && call.about.includes(texts.join(' '));
}

export function workerOf(what: string, visitor: Visitor, ended: () => boolean, { fate, hasLeft, saw, died, paused }: Watch): Worker {
  let dead = false;
  /** It is to stand still before its next call. */
  let tired: Still | undefined;

  const stands = (): boolean => visitor.standing.length > 0;

  /** Waits until the function stands at a call or is over. What answers in memory takes turns of the event loop, and no time. */
  async function settled(): Promise<void> {
    for (let turns = 0; !stands() && !ended(); turns += 1) {
      if (turns > 20_000) throw new Error(`${what} waits for nothing`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function die(): void {
    if (dead || ended()) return;
    dead = true;
    visitor.die();
    died();
  }

  const worker: Worker = {
    what,
    get at() {
      return dead ? undefined : visitor.standing[0];
    },
    async step(fault) {
      const call = worker.at;
      if (!call) throw new Error(`${what} stands at no call`);
      saw(call, fault);
      visitor.let(fault);
      if (fault === 'before' || fault === 'after') {
        dead = true;
        // What it still does after its effect is refused before anybody looks.
        await new Promise((resolve) => setImmediate(resolve));
        visitor.die();
        died();
      }
      await settled();
    },
    async until(match) {
      const fits = fitting(match);
      while (worker.at && !fits(worker.at)) await worker.step();
      if (!worker.at) throw new Error(`${what} is over, and never came to ${typeof match === 'string' ? match : 'that call'}`);
    },
    async run() {
      for (let call = worker.at; call; call = worker.at) {
        const fault: Fault | undefined = tired ?? fate(call);
        if (fault !== 'paused' && fault !== 'overtaken') await worker.step(fault);
        else if (hasLeft(call)) {
          // It has left: whoever stands still has sent it, and stands still at what comes next (design, section 4).
          tired = fault;
          await worker.step();
        } else {
          tired = undefined;
          saw(call, fault);
          return paused(fault);
        }
      }
    },
    die,
  };
  return worker;
}
