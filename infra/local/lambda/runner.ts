import { contextOf, type InvocationFacts } from './context.ts';
import { withVariables } from './environment.ts';

/** A function's handler, whatever event and answer it is written for. */
export type LambdaHandler = (event: never, context: never, ...rest: never[]) => unknown;
export type HandlerLoader = () => Promise<LambdaHandler>;

/** Runs invocations of one function. */
export interface Runner {
  run(event: unknown, facts: InvocationFacts): Promise<unknown>;
  /** Gives an invocation up that has timed out. */
  abandon(requestId: string): void;
  /** Processes the function runs in, those at work first; none for one that runs in this process. */
  pids(): number[];
  stop(): void;
}

/** Runs a function in this process. Its code is loaded once, at its first invocation, under its own variables. */
export function inProcess(load: HandlerLoader, environment: Readonly<Record<string, string>>): Runner {
  const variables = { ...environment };
  let loaded: Promise<LambdaHandler> | undefined;
  return {
    async run(event, facts) {
      loaded ??= withVariables(variables, load);
      const handler = await loaded;
      return withVariables(variables, async () => handler(event as never, contextOf(facts) as never));
    },
    abandon: () => undefined, // code in this process cannot be stopped; whatever it still answers is not waited for
    pids: () => [],
    stop: () => undefined,
  };
}
