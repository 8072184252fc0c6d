import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** A function of the template, as far as running it is concerned. */
export interface FunctionSpec {
  /** Logical id. */
  readonly id: string;
  /** Name of its entry point under `functions/`. */
  readonly entry: string;
  readonly name: string;
  readonly arn: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly variables: Readonly<Record<string, string>>;
}

/** The parts of a context that are data: they also cross to a process of its own. */
export interface InvocationFacts {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly name: string;
  readonly arn: string;
  readonly memoryMb: number;
}

export function factsOf(spec: FunctionSpec, now: number): InvocationFacts {
  return { requestId: randomUUID(), deadline: now + spec.timeoutMs, name: spec.name, arn: spec.arn, memoryMb: spec.memoryMb };
}

/** The second argument of a handler. */
export function contextOf(facts: InvocationFacts): Context {
  const nothing = (): void => undefined;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: facts.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: facts.arn,
    memoryLimitInMB: String(facts.memoryMb),
    awsRequestId: facts.requestId,
    logGroupName: `/aws/lambda/${facts.name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, facts.deadline - Date.now()),
    done: nothing,
    fail: nothing,
    succeed: nothing,
  };
}

/** An invocation that did not answer within the function's time-out. */
export class FunctionTimedOut extends Error {
  override readonly name = 'FunctionTimedOut';

  constructor(spec: Pick<FunctionSpec, 'name' | 'timeoutMs'>) {
    super(`${spec.name} timed out after ${spec.timeoutMs / 1000} seconds`);
  }
}
