/** The world of the model: the workbench with few people in it, who send, decide and move things one at a time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProviderHttp, ProviderRequest } from '../../shared/engine/op.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { policyPath } from '../../shared/policy/policy-file.ts';
import { runIdOf } from '../../shared/run/create-run.ts';
import type { Run } from '../../shared/run/items.ts';
import type { ExampleProvider } from '../ports/example-provider.ts';
import type { Queued } from '../ports/memory-queues.ts';
import { principalOf } from '../ports/people.ts';
import { commitOf, openWorkbench, planOf, planPath, scopeOf, type Workbench } from '../ports/workbench.ts';
import type { Setting } from './settings.ts';

/** What a person said of a question, as they saw it. */
export interface Said {
  readonly run: string;
  readonly q: number;
  readonly digest: string;
  readonly person: string;
  readonly verdict: 'approve' | 'reject';
  /** The guard had not begun to judge it. */
  readonly inTime: boolean;
}

/** What has happened, for whoever judges a later state. */
export interface Past {
  readonly said: readonly Said[];
  /** Who made what is there, by the provider's id. */
  readonly made: ReadonlyMap<string, string>;
  /** The provider takes nothing about x any more. */
  readonly refusing: boolean;
  /** Something has moved that the run had not written itself. */
  readonly moved: boolean;
  /** Commit one is deployed, and the stack was told so. */
  readonly deployed?: boolean;
  /** Runs that waited for longer than the decision they go on under holds, as run and question. */
  readonly over?: readonly string[];
  /** Production is frozen: what was honoured before, as run and question, goes on, and nothing else. */
  readonly frozen?: readonly string[];
}

/** What a function was called with. */
export interface Work {
  readonly message: Queued['message'];
  /** Its round had been stopped when it began, and it had not been at it before; or its run had been cancelled. */
  readonly late: boolean;
}

export interface Stage {
  readonly bench: Workbench;
  readonly setting: Setting;
  past: Past;
  /** What the way here has broken. */
  broken: string[];
  /** The function that is at work. */
  readonly working: AsyncLocalStorage<Work>;
}

/** Where everything happens. */
export const scope = scopeOf('main', 'production');
/** The run that a commit's push starts. */
export const runOfCommit = (commit: string): string => runIdOf(commit, { plan: { name: 'main' }, environment: 'production' });

export const nothingYet: Past = { said: [], made: new Map(), refusing: false, moved: false };

export function openStage(setting: Setting, judgeWrite: (stage: Stage, sent: Sent) => readonly string[]): Stage {
  const working = new AsyncLocalStorage<Work>();
  const parts: { provider?: ExampleProvider } = {};
  const watched: ProviderHttp = {
    send: async <T>(request: ProviderRequest<T>) => {
      const provider = parts.provider as ExampleProvider;
      if (request.method === 'GET') return provider.http.send(request);
      const sent = sentBy(stage, request);
      stage.broken.push(...judgeWrite(stage, sent));
      if (stage.past.refusing && sent.name === 'x') throw new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'the provider does not take it' });
      const answer = await provider.http.send(request);
      if (request.method === 'POST') stage.past = { ...stage.past, made: new Map(stage.past.made).set((answer as { id: string }).id, sent.run.id) };
      return answer;
    },
  };
  const bench = openWorkbench(setting.stack, { provider: watched });
  parts.provider = bench.provider;
  const stage: Stage = { bench, setting, past: nothingYet, broken: [], working };
  return stage;
}

/** A request that is about to reach the provider. */
export interface Sent {
  readonly method: string;
  readonly name: string;
  /** Of the thing it is about; of one that is to be made there is none. */
  readonly id: string | undefined;
  readonly to: string | undefined;
  readonly from: string | undefined;
  readonly run: Run;
  readonly line: string;
  readonly late: boolean;
}

function sentBy({ bench, working }: Stage, { method, path, body }: ProviderRequest<unknown>): Sent {
  const id = path.split('/')[1];
  const found = bench.provider.things().find((one) => one.id === id);
  const { name, value } = (body ?? {}) as { name?: string; value?: string };
  const work = working.getStore();
  const message = work?.message as { run: string; line?: string };
  const run = bench.memory.peek(`RUN#${message.run}`, 'META') as unknown as Run;
  return { method, name: found?.name ?? name ?? '', id, to: value, from: found?.value, run, line: message.line ?? '', late: work?.late === true };
}

export async function deliver({ bench, working }: Stage, message: Queued): Promise<void> {
  await working.run({ message: message.message, late: isLate(bench, message) }, () => bench.deliver(message));
}

function isLate({ memory }: Workbench, { queue, message }: Queued): boolean {
  if (queue !== 'lines') return false;
  const stopping = memory.peek(`RUN#${message.run}`, 'META')?.['stopping'] as Run['stopping'];
  if (stopping?.cause === 'cancelled') return true;
  const line = memory.peek(`RUN#${message.run}`, `LINE#${message.line}`);
  return line?.['attempt'] === 0 && memory.peek(`RUN#${message.run}`, `STALE#${message.round}`) !== undefined;
}

/** Delivers until nothing is left that is due, and whatever else comes of it. */
export const quiet = (stage: Stage): Promise<void> => until(stage, async () => false);

/** The same, until something holds. */
export async function until(stage: Stage, holds: () => Promise<boolean>): Promise<void> {
  const { bench } = stage;
  for (let at = bench.queues.nextAt(), count = 0; at !== undefined && !(await holds()); at = bench.queues.nextAt(), count += 1) {
    if (count > 500) throw new Error('the model does not come to rest');
    if (at > bench.clock.now()) bench.clock.set(at);
    await deliver(stage, bench.queues.takeAt(0) as Queued);
  }
}

/** Delivers what is due at this moment, and what that sends at once. */
export async function dueNow(stage: Stage): Promise<void> {
  const { bench } = stage;
  const now = bench.clock.now() + 500;
  await until(stage, async () => (bench.queues.nextAt() ?? 0) > now);
}

/** Somebody pushes a commit of the default branch, with the setting's plan for it; or has one pushed again. */
export async function push({ bench, setting }: Stage, start: string, commit = start): Promise<string> {
  bench.code.commit(commitOf(commit), planPath, planOf(setting.commits[commit] ?? []));
  bench.code.commit(commitOf(commit), policyPath, policyOf(setting));
  bench.code.authors.set(commitOf(commit), ['mona']);
  bench.code.tips.set('main', commitOf(commit));
  const run = { intent: 'follow', commit, start, environment: 'production', scope: 'main', branch: 'main', triggeredBy: 'mona', options: { busy: 'wait' } };
  return bench.command(run as Parameters<Workbench['command']>[0]);
}

function policyOf({ people, required, recheck }: Setting): string {
  const approvers = people.map((github) => ({ github, aws: principalOf(github) }));
  const more = { ...(required === 1 ? {} : { required }), ...(recheck ? { recheck } : {}) };
  return JSON.stringify({ version: 1, environments: { production: { approvers, ...more } } });
}
