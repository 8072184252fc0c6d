import type { StateMachine } from '../../shared/ports/state-machine.ts';

/** Sends what a state of the machine sends: a control message with a task token. */
export type SendState = (message: { step: 'ask' | 'guard' | 'replan'; token: string; entered: string; run: string; group: string }) => void;

export interface MemoryStateMachine {
  readonly machine: StateMachine;
  /** Executions that have not ended, by name, and the state each waits in. */
  readonly open: ReadonlyMap<string, string>;
  /** Every name ever started, in order. */
  readonly started: readonly string[];
  /** Forgets what runs, as a process does that ends; names may be used again. */
  restart(): void;
}

/** The approval flow in memory: states that wait for a token, and a choice after each. */
export function memoryStateMachine(send: SendState, now: () => number): MemoryStateMachine {
  const open = new Map<string, string>();
  const used = new Set<string>();
  const tokens = new Map<string, { name: string; run: string; group: string }>();
  const started: string[] = [];
  let count = 0;

  function enter(name: string, step: 'ask' | 'guard' | 'replan', run: string, group: string): void {
    const token = `token-${++count}`;
    open.set(name, step);
    tokens.set(token, { name, run, group });
    send({ step, token, entered: `${new Date(now()).toISOString()}#${String(count).padStart(6, '0')}`, run, group });
  }

  const machine: StateMachine = {
    async start(name, input) {
      if (used.has(name)) return 'exists';
      used.add(name);
      started.push(name);
      enter(name, input['enter'] as 'ask', input['run'] as string, input['group'] as string);
      return 'started';
    },
    async succeed(token, output) {
      const waiting = tokens.get(token);
      if (!waiting) return 'gone';
      tokens.delete(token);
      if (output['next'] === 'done') open.delete(waiting.name);
      else enter(waiting.name, output['next'] as 'ask', waiting.run, waiting.group);
      return 'done';
    },
  };
  return {
    machine,
    open,
    started,
    restart: () => {
      open.clear();
      used.clear();
      tokens.clear();
    },
  };
}
