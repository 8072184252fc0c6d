import type { StateMachine } from '../../shared/ports/state-machine.ts';

type Step = 'ask' | 'guard' | 'replan';

/** What a state of the machine sends: a control message, with a task token unless its question ran out. */
export type SendState = (message: {
  readonly step: Step | 'expired';
  readonly run: string;
  readonly group: string;
  readonly token?: string;
  readonly entered?: string;
  readonly execution?: string;
}) => void;

export interface MemoryStateMachine {
  readonly machine: StateMachine;
  /** Executions that have not ended, by name, and the state each waits in. */
  readonly open: ReadonlyMap<string, string>;
  /** The tokens that states wait with, and until when, epoch ms. */
  waiting(): readonly { readonly token: string; readonly name: string; readonly until: number }[];
  /** Every name ever started, in order. */
  readonly started: readonly string[];
  /** Lets every time-out happen that is due by now: a question tells the controller, guard and replan end their execution. */
  expire(): void;
  /** Ends every execution, as whoever aborts them; their names stay used. */
  forget(): void;
  /** What brings the executions back as they are now, as often as it is called. */
  keep(): () => void;
  /** Forgets what runs, as a process does that ends; names may be used again. */
  restart(): void;
}

interface Waiting {
  readonly name: string;
  readonly step: Step;
  readonly until: number;
  readonly run: string;
  readonly group: string;
}

const day = 86_400;
const steps: ReadonlySet<unknown> = new Set(['ask', 'guard', 'replan']);

/** The approval flow in memory: states that wait for a token, and a choice after each. */
export function memoryStateMachine(send: SendState, now: () => number): MemoryStateMachine {
  const open = new Map<string, string>();
  const used = new Set<string>();
  const tokens = new Map<string, Waiting>();
  const started: string[] = [];
  let count = 0;

  /** Where an input or an answer leads. What leads nowhere ends the execution, as a failed one ends. */
  function enter(name: string, about: Pick<Waiting, 'run' | 'group'>, to: unknown, input: Readonly<Record<string, unknown>>): void {
    open.delete(name);
    const seconds = to === 'ask' ? input['expiresSeconds'] : day;
    if (!steps.has(to) || !Number.isInteger(seconds) || Number(seconds) < 1) return;
    const step = to as Step;
    const { run, group } = about;
    const token = `token-${++count}`;
    open.set(name, step);
    tokens.set(token, { name, step, run, group, until: now() + Number(seconds) * 1000 });
    send({ step, token, entered: `${new Date(now()).toISOString()}#${String(count).padStart(6, '0')}`, execution: name, run, group });
  }

  /** Takes a token whose state still waits. */
  function take(token: string): Waiting | undefined {
    const waiting = tokens.get(token);
    if (!waiting || waiting.until <= now()) return undefined;
    tokens.delete(token);
    return waiting;
  }

  const machine: StateMachine = {
    async start(name, input) {
      if (used.has(name)) return 'exists';
      used.add(name);
      started.push(name);
      enter(name, { run: String(input['run']), group: String(input['group']) }, input['enter'], input);
      return 'started';
    },
    async succeed(token, output) {
      const waiting = take(token);
      if (!waiting) return 'gone';
      enter(waiting.name, waiting, output['next'], output);
      return 'done';
    },
  };
  return {
    machine,
    open,
    waiting: () => [...tokens].map(([token, { name, until }]) => ({ token, name, until })),
    started,
    expire() {
      for (const [token, { name, step, run, group, until }] of [...tokens]) {
        if (until > now()) continue;
        tokens.delete(token);
        open.delete(name);
        if (step === 'ask') send({ step: 'expired', run, group });
      }
    },
    forget() {
      open.clear();
      tokens.clear();
    },
    keep() {
      const kept = { open: [...open], used: [...used], tokens: [...tokens], started: started.length, count };
      return () => {
        open.clear();
        used.clear();
        tokens.clear();
        for (const [name, step] of kept.open) open.set(name, step);
        for (const name of kept.used) used.add(name);
        for (const [token, waiting] of kept.tokens) tokens.set(token, waiting);
        started.length = kept.started;
        count = kept.count;
      };
    },
    restart() {
      open.clear();
      used.clear();
      tokens.clear();
    },
  };
}
