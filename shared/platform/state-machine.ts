import { SendTaskSuccessCommand, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { StateMachine } from '../ports/state-machine.ts';
import { exceptionOf, unreachable } from './failure.ts';

/** A token nobody waits for any more. Which of them is said depends on what became of its state, and on the endpoint. */
const goneTokens = new Set(['InvalidToken', 'TaskTimedOut', 'TaskDoesNotExist']);

/**
 * The state machine on Step Functions. The SDK sends a request again when its answer was lost; the second answer is then
 * `exists` or `gone`, which tell the caller no more than that somebody was there before.
 */
export function stepFunctions(client: SFNClient, stateMachineArn: string): StateMachine {
  return {
    async start(name, input) {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
        return 'started';
      } catch (error) {
        if (exceptionOf(error) === 'ExecutionAlreadyExists') return 'exists';
        throw unreachable(`starting the execution ${name}`, error);
      }
    },
    async succeed(taskToken, output) {
      try {
        await client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) }));
        return 'done';
      } catch (error) {
        if (goneTokens.has(exceptionOf(error))) return 'gone';
        throw unreachable('completing a task token', error);
      }
    },
  };
}
