import type { LocalLog } from '../log.ts';
import { unsupported } from '../template/unsupported.ts';
import { type FunctionSpec, FunctionTimedOut, factsOf } from './context.ts';
import type { Runner } from './runner.ts';

/** Runs the functions of the stack. A function is named by its logical id or by its entry. */
export interface FunctionHost {
  declare(spec: FunctionSpec): void;
  /**
   * Invokes and waits. Event and answer make a round trip through JSON, as they do in AWS.
   *
   * @throws FunctionTimedOut, or whatever the handler throws.
   */
  invoke(name: string, event: unknown): Promise<unknown>;
  /** How often a failed asynchronous invocation of a function is repeated; twice where nothing is said. */
  retry(name: string, times: number): void;
  /** Invokes asynchronously. */
  invokeLater(name: string, event: unknown): void;
  /** Invocations that run or wait for their next attempt. */
  running(): number;
  pids(name: string): number[];
  /** Every variable a function sees. */
  variables(name: string): Record<string, string>;
  /** Waits for what runs, for `withinMs` at most, then gives it up. */
  stop(withinMs: number): Promise<void>;
}

export type RunnerFor = (spec: FunctionSpec, environment: Readonly<Record<string, string>>) => Runner;

/** What Lambda does of itself. */
const retriesByDefault = 2;

/** `shared` are variables of every function, below its own; `extra` stand above them. */
export function createFunctionHost(
  runnerFor: RunnerFor,
  shared: () => Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>>,
  log: LocalLog,
): FunctionHost {
  const functions = new Map<string, { spec: FunctionSpec; retries: number; runner?: Runner }>();
  const running = new Set<Promise<unknown>>();
  const pauses = new Set<NodeJS.Timeout>();
  const stopping = Promise.withResolvers<never>();
  stopping.promise.catch(() => undefined);
  let stopped = false;

  const named = (name: string) => {
    const found = functions.get(name) ?? [...functions.values()].find(({ spec }) => spec.entry === name);
    if (!found) throw unsupported(name, 'the template has no function of this logical id or entry');
    return found;
  };
  const variables = (spec: FunctionSpec) => ({ ...shared(), ...spec.variables, AWS_LAMBDA_FUNCTION_NAME: spec.name, ...extra });

  async function once(name: string, event: unknown): Promise<unknown> {
    const declared = named(name);
    const { spec } = declared;
    declared.runner ??= runnerFor(spec, variables(spec));
    const { runner } = declared;
    const facts = factsOf(spec, Date.now());
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new FunctionTimedOut(spec)), spec.timeoutMs);
    try {
      return throughJson(await Promise.race([runner.run(throughJson(event), facts), late.promise, stopping.promise]));
    } catch (error) {
      if (error instanceof FunctionTimedOut) runner.abandon(facts.requestId);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  function invoke(name: string, event: unknown): Promise<unknown> {
    const invocation = once(name, event);
    const settled = invocation.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return invocation;
  }

  function attempt(name: string, event: unknown, number: number): void {
    invoke(name, event).catch((error) => {
      log(`${name}: asynchronous attempt ${number} failed`, error);
      if (number > named(name).retries || stopped) return;
      const timer = setTimeout(() => {
        pauses.delete(timer);
        attempt(name, event, number + 1);
      }, number * 1000);
      pauses.add(timer);
    });
  }

  return {
    declare: (spec) => void functions.set(spec.id, { spec, retries: retriesByDefault }),
    invoke,
    retry: (name, times) => {
      named(name).retries = times;
    },
    invokeLater: (name, event) => attempt(name, event, 1),
    running: () => running.size + pauses.size,
    pids: (name) => named(name).runner?.pids() ?? [],
    variables: (name) => variables(named(name).spec),
    async stop(withinMs) {
      stopped = true;
      for (const timer of pauses) clearTimeout(timer);
      const bound = Promise.withResolvers<void>();
      const timer = setTimeout(bound.resolve, withinMs);
      await Promise.race([Promise.all(running), bound.promise]);
      clearTimeout(timer);
      stopping.reject(new Error('the stack has stopped'));
      for (const { runner } of functions.values()) runner?.stop();
    },
  };
}

const throughJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null'));
