import { type ChildProcess, fork } from 'node:child_process';
import { programBeside } from '../program.ts';
import type { FunctionSpec, InvocationFacts } from './context.ts';
import type { Runner } from './runner.ts';

/** A function that runs in processes of its own, so that one can be killed in the middle of its work. */
export interface IsolatedFunction {
  readonly entry: string;
  /** Path or URL of the module whose export `handler` is the function. */
  readonly module: string;
  /** Node options of the processes, for example a loader. */
  readonly execArgv?: readonly string[];
}

/** What the parent sends. */
export interface ChildRequest {
  readonly module: string;
  readonly event: unknown;
  readonly facts: InvocationFacts;
}

/** What the child answers. */
export type ChildAnswer = { readonly answer: unknown } | { readonly error: { readonly name: string; readonly message: string; readonly stack?: string } };

interface Child {
  readonly process: ChildProcess;
  /** Request that it works on. */
  requestId?: string;
}

/** Runs a function in child processes: one invocation a process at a time, idle ones used again, killed ones replaced. */
export function isolated(spec: FunctionSpec, isolation: IsolatedFunction, environment: Readonly<Record<string, string>>): Runner {
  const children = new Set<Child>();

  function freeChild(): Child {
    const idle = [...children].find((child) => child.requestId === undefined);
    if (idle) return idle;
    const started: Child = {
      process: fork(programBeside(import.meta.url, 'child.ts', 'lambda-child.mjs'), {
        env: { ...process.env, ...environment },
        execArgv: [...(isolation.execArgv ?? [])],
      }),
    };
    started.process.on('exit', () => children.delete(started));
    children.add(started);
    return started;
  }

  return {
    run(event, facts) {
      const child = freeChild();
      child.requestId = facts.requestId;
      return answerOf(child, { module: isolation.module, event, facts }, spec);
    },
    abandon(requestId) {
      for (const child of children) if (child.requestId === requestId) child.process.kill('SIGKILL');
    },
    pids() {
      const busyFirst = [...children].sort((a, b) => Number(b.requestId !== undefined) - Number(a.requestId !== undefined));
      return busyFirst.flatMap((child) => child.process.pid ?? []);
    },
    stop() {
      for (const child of children) child.process.kill('SIGKILL');
    },
  };
}

function answerOf(child: Child, request: ChildRequest, spec: FunctionSpec): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const done = () => {
    delete child.requestId;
    child.process.off('message', answered).off('exit', ended).off('error', reject);
  };
  const answered = (message: unknown) => {
    done();
    const answer = message as ChildAnswer;
    if ('answer' in answer) resolve(answer.answer);
    else reject(Object.assign(new Error(answer.error.message), answer.error));
  };
  const ended = (code: number | null, signal: string | null) => {
    done();
    reject(new Error(`${spec.name}: its process ended (${signal ?? `code ${code}`}) before it answered`));
  };
  child.process.on('message', answered).on('exit', ended).on('error', reject);
  child.process.send(request, (error) => error && reject(error));
  return promise;
}
