import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Machines } from '../states/machines.ts';
import { type Answer, isTaskToken } from '../states/task-tokens.ts';
import { type Operation, ServiceError } from './json-service.ts';

const startExecution = z.looseObject({ stateMachineArn: z.string(), name: z.string().optional(), input: z.string().default('{}') });
const oneExecution = z.looseObject({ executionArn: z.string(), error: z.string().optional(), cause: z.string().optional() });
const taskSuccess = z.looseObject({ taskToken: z.string(), output: z.string() });
const taskFailure = z.looseObject({ taskToken: z.string(), error: z.string().default('States.TaskFailed'), cause: z.string().default('') });

/** What Step Functions takes as the name of an execution, as far as names are given here. */
const namePattern = /^[A-Za-z0-9_-]{1,80}$/;

/** Step Functions, as far as it is called. */
export function stateOperations(machines: Machines): Record<string, Operation> {
  const operations: Record<string, Operation> = {
    StartExecution(given) {
      const { stateMachineArn, name = randomUUID(), input } = startExecution.parse(given);
      if (!namePattern.test(name)) throw new ServiceError('InvalidName', `${name} is no name for an execution`);
      const started = machines.start(stateMachineArn, name, parsed(input, 'InvalidExecutionInput'));
      if (started === 'no machine') throw new ServiceError('StateMachineDoesNotExist', `There is no state machine ${stateMachineArn}`);
      if (started === 'exists') throw new ServiceError('ExecutionAlreadyExists', `There was an execution ${name} already`);
      return { executionArn: started.arn, startDate: seconds(started.startedAt) };
    },
    DescribeExecution(given) {
      const { executionArn } = oneExecution.parse(given);
      const found = machines.describe(executionArn);
      if (!found) throw noExecution(executionArn);
      const { machineArn, name, input, startedAt, endedAt, output, ...rest } = found;
      return {
        ...rest,
        executionArn,
        stateMachineArn: machineArn,
        name,
        input: JSON.stringify(input),
        startDate: seconds(startedAt),
        ...(endedAt === undefined ? {} : { stopDate: seconds(endedAt) }),
        ...(output === undefined ? {} : { output: JSON.stringify(output) }),
      };
    },
    StopExecution(given) {
      const { executionArn, error, cause } = oneExecution.parse(given);
      if (!machines.stopExecution(executionArn, error, cause)) throw noExecution(executionArn);
      return { stopDate: seconds(machines.describe(executionArn)?.endedAt ?? 0) };
    },
    SendTaskSuccess(given) {
      const { taskToken, output } = taskSuccess.parse(given);
      return complete(taskToken, { output: parsed(output, 'InvalidOutput') });
    },
    SendTaskFailure(given) {
      const { taskToken, error, cause } = taskFailure.parse(given);
      return complete(taskToken, { error, cause });
    },
  };

  function complete(token: string, answer: Answer): object {
    if (!isTaskToken(token)) throw new ServiceError('InvalidToken', 'That is no task token');
    if (!machines.tokens.complete(token, answer)) throw new ServiceError('TaskDoesNotExist', 'Nobody waits for this task token');
    return {};
  }
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [`AWSStepFunctions.${name}`, operation]));
}

const noExecution = (arn: string): ServiceError => new ServiceError('ExecutionDoesNotExist', `There is no execution ${arn}`);

const seconds = (epochMs: number): number => epochMs / 1000;

function parsed(text: string, code: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(code, 'That is not JSON');
  }
}
