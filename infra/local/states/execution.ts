import type { StateMachine as Machine, StateMachineDefinition } from 'aws-local-stepfunctions';
import { type Definition, longestTimer, runnable, tasksOf, timeoutField } from './definition.ts';
import { type Message, messageOf, waitsForToken } from './integrations.ts';
import type { Answer, TaskTokens } from './task-tokens.ts';

export type Status = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';

/** One execution as it stands. Times in epoch milliseconds. */
export interface Execution {
  readonly status: Status;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Names of the states it has entered, in order: each is one of the transitions that AWS counts. */
  readonly entered: readonly string[];
  readonly output?: unknown;
  readonly error?: string;
  readonly cause?: string;
}

export interface RunningExecution {
  state(): Execution;
  /** Whether it is on its way from one state to the next: neither ended nor waiting for a token. */
  moves(): boolean;
  /** Ends it where it stands. Without effect when it has ended. */
  stop(error?: string, cause?: string): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

export interface ExecutionParts {
  readonly definition: Definition;
  readonly tokens: TaskTokens;
  readonly send: (message: Message) => Promise<void>;
  readonly now: () => number;
}

type RunningMachine = ReturnType<Machine['run']>;

/** An error a state can catch or retry by its name. */
const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/** Runs a definition over an input. It lives in this process: nothing is stored. */
export function startExecution({ definition, tokens, send, now }: ExecutionParts, name: string, input: unknown): RunningExecution {
  const entered: string[] = [];
  let execution: Execution = { status: 'RUNNING', startedAt: now(), entered };
  let wait: { parked: boolean; end(answer: Answer): void } | undefined;
  let token: string | undefined;

  /** A token is made when a state's parameters ask for it, and taken by the state's task right afterwards. */
  const context = {
    Execution: { Name: name, Id: name },
    Task: {
      get Token() {
        token ??= tokens.fresh();
        return token;
      },
    },
    State: {
      get EnteredTime() {
        return new Date(now()).toISOString();
      },
      RetryCount: 0, // every attempt enters anew here
    },
  };

  function end(how: Partial<Execution> & { status: Status }): void {
    if (execution.status === 'RUNNING') execution = { ...execution, ...how, endedAt: now() };
  }

  async function attempt(resource: string, given: unknown): Promise<unknown> {
    const { [timeoutField]: seconds, ...parameters } = given as Record<string, unknown>;
    const mine = token;
    token = undefined;
    if (execution.status !== 'RUNNING') throw named('States.Runtime', 'the execution has ended');
    if (!Number.isInteger(seconds) || Number(seconds) < 1) throw named('States.Runtime', `${seconds} is no time-out in seconds`);
    if (!waitsForToken(resource)) return send(messageOf(parameters)).then(() => ({}));
    if (mine === undefined) throw named('States.Runtime', 'the parameters of the state hold no task token');
    return waitFor(mine, Number(seconds), () => send(messageOf(parameters)));
  }

  /** Waits from before the message is sent: it may be answered before the sending has returned. */
  async function waitFor(awaited: string, seconds: number, sent: () => Promise<void>): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const mine = { parked: false, end: resolve };
    wait = mine;
    const timer = setTimeout(() => resolve({ error: 'States.Timeout', cause: '' }), Math.min(seconds, longestTimer) * 1000);
    tokens.wait(awaited, (answer) => {
      wait = undefined;
      resolve(answer);
    });
    try {
      await Promise.race([sent(), promise]);
      mine.parked = true;
      const answer = await promise;
      if ('error' in answer) throw named(answer.error, answer.cause);
      return answer.output;
    } finally {
      clearTimeout(timer);
      tokens.forget(awaited);
      wait = undefined;
    }
  }

  const handlers = Object.fromEntries(
    tasksOf(definition).map(({ state, resource }) => [state, (given: unknown) => attempt(resource, given) as Promise<never>]),
  );
  async function follow(events: RunningMachine['eventLogs']): Promise<void> {
    for await (const event of events) if (event.type === 'StateEntered') entered.push(event.state.name);
  }

  let abort = (): void => undefined;
  async function run(): Promise<unknown> {
    // Loaded with the first execution: it is large, and most commands and runs start none.
    const { StateMachine } = await import('aws-local-stepfunctions');
    if (execution.status !== 'RUNNING') return undefined;
    // What it would check is checked when the machine is created.
    const machine = new StateMachine(runnable(definition) as StateMachineDefinition, { validationOptions: { noValidate: true } });
    const running = machine.run(input as never, { context, noThrowOnAbort: true, overrides: { taskResourceLocalHandlers: handlers } });
    abort = running.abort;
    void follow(running.eventLogs);
    return running.result;
  }
  const ended = run().then(
    (output) => end({ status: 'SUCCEEDED', output }),
    (failure: Error) => {
      const { name: error, message: cause } = failure.cause instanceof Error ? failure.cause : failure;
      end({ status: 'FAILED', error, cause });
    },
  );

  return {
    state: () => execution,
    moves: () => execution.status === 'RUNNING' && wait?.parked !== true,
    stop(error, cause) {
      end({ status: 'ABORTED', ...(error === undefined ? {} : { error }), ...(cause === undefined ? {} : { cause }) });
      abort();
      wait?.end({ error: 'States.Runtime', cause: 'the execution was stopped' });
    },
    ended,
  };
}
