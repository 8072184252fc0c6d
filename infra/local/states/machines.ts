import type { LocalLog } from '../log.ts';
import type { Definition } from './definition.ts';
import { type Execution, type RunningExecution, startExecution } from './execution.ts';
import type { Message } from './integrations.ts';
import { createTaskTokens, type TaskTokens } from './task-tokens.ts';

export interface Machine {
  /** Logical id. */
  readonly id: string;
  readonly name: string;
  readonly definition: Definition;
  readonly send: (message: Message) => Promise<void>;
}

/** An execution with what it was started with. */
export interface Started extends Execution {
  readonly machineArn: string;
  readonly name: string;
  readonly input: unknown;
}

/** The state machines of the stack and their executions. An execution is a promise in this process: a new start knows none. */
export interface Machines {
  readonly tokens: TaskTokens;
  add(arn: string, machine: Machine): void;
  /** The ARN of the new execution; `exists` when the name is taken, `no machine` when nothing has that ARN. */
  start(machineArn: string, name: string, input: unknown): { readonly arn: string; readonly startedAt: number } | 'exists' | 'no machine';
  describe(executionArn: string): Started | undefined;
  /** Ends an execution where it stands; false when there is none. */
  stopExecution(executionArn: string, error?: string, cause?: string): boolean;
  /** States that all executions have entered: each is a transition, which is what AWS charges for. */
  transitions(): number;
  /** Executions on their way to a state: those that wait for a token stand still. */
  moving(): number;
  /** Ends every execution. */
  stop(): Promise<void>;
}

export function createMachines(log: LocalLog, now: () => number = Date.now): Machines {
  const machines = new Map<string, Machine>();
  const executions = new Map<string, { readonly machineArn: string; readonly name: string; readonly input: unknown; readonly running: RunningExecution }>();
  const tokens = createTaskTokens();
  const running = (): RunningExecution[] => [...executions.values()].map((one) => one.running);

  return {
    tokens,
    add: (arn, machine) => void machines.set(arn, machine),
    start(machineArn, name, input) {
      const machine = machines.get(machineArn);
      if (!machine) return 'no machine';
      const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      if (executions.has(arn)) return 'exists';
      const { definition, send } = machine;
      const started = startExecution({ definition, tokens, send, now }, name, input);
      executions.set(arn, { machineArn, name, input, running: started });
      void started.ended.then(() => {
        const { status, error, cause } = started.state();
        if (status === 'FAILED') log(`${machine.id}: the execution ${name} failed`, new Error(`${error}: ${cause}`));
      });
      return { arn, startedAt: started.state().startedAt };
    },
    describe(executionArn) {
      const found = executions.get(executionArn);
      if (!found) return undefined;
      const { machineArn, name, input } = found;
      return { machineArn, name, input, ...found.running.state() };
    },
    stopExecution(executionArn, error, cause) {
      const found = executions.get(executionArn);
      found?.running.stop(error, cause);
      return found !== undefined;
    },
    transitions: () => running().reduce((sum, one) => sum + one.state().entered.length, 0),
    moving: () => running().filter((one) => one.moves()).length,
    async stop() {
      for (const one of running()) one.stop();
      await Promise.all(running().map((one) => one.ended));
    },
  };
}
