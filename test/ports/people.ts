/** People who decide, on the workbench: a policy, the principals it maps, and their answers. */
import { type Decision, decide, type Person } from '../../shared/approvals/decision.ts';
import { policyPath } from '../../shared/policy/policy-file.ts';
import type { Run } from '../../shared/run/items.ts';
import { commitOf, type Workbench } from './workbench.ts';

/** The IAM user of somebody. */
export const principalOf = (login: string): string => `arn:aws:iam::123456789012:user/${login}`;

/** A GitHub user who answers through a deployed stack. */
export const throughAws = (login: string, principal = principalOf(login)): Person => ({ name: login, through: 'aws', principal });

/** Whoever sits at the machine of an embedded stack. */
export const atMachine: Person = { name: 'kim', through: 'machine' };

/** Puts a policy on the default branch: these people are known; `production` lists those given, or nobody, and asks for as many as `required`. */
export function knowPeople(bench: Workbench, logins: readonly string[], production?: readonly string[], required = 1): void {
  const listed = (names: readonly string[]) => names.map((github) => ({ github, aws: principalOf(github) }));
  const environments = { staging: { approvers: listed(logins) }, ...(production ? { production: { approvers: listed(production), required } } : {}) };
  putPolicy(bench, JSON.stringify({ version: 1, environments }));
}

let written = 0;

/** Puts a policy file on the default branch, whatever it says. */
export function putPolicy(bench: Workbench, text: string): void {
  const tip = commitOf(`policy ${++written}`);
  bench.code.commit(tip, policyPath, text);
  bench.code.tips.set('main', tip);
}

/** A run in production, planned and parked at its question. */
export async function askedRun(bench: Workbench, changes: readonly object[], commit = 'one', more: object = {}): Promise<Run> {
  bench.pull(7, commit, changes);
  const id = await bench.command({ commit, environment: 'production', scope: 'main', ...more });
  await bench.quiet();
  return bench.run(id);
}

/** Writes an answer and tells nobody. */
export async function writeAnswer(bench: Workbench, run: Run, verdict: Decision['verdict'], person: Person = atMachine): Promise<void> {
  const { q, digest } = run.question as NonNullable<Run['question']>;
  const at = new Date(bench.clock.now()).toISOString();
  // A person's own hand: no function that could die.
  const writer = { table: bench.memory.table, ids: bench.world().ids };
  await decide(writer, { q, digest, run: run.id }, { verdict, person, at });
}

export const wake = (bench: Workbench, run: Run): Promise<void> => bench.queues.queues.control({ format: 1, run: run.id, group: run.repository.id });

/** Answers, wakes the run, and lets everything come to rest. */
export async function answer(bench: Workbench, run: Run, verdict: Decision['verdict'] = 'approve', person: Person = atMachine): Promise<Run> {
  await writeAnswer(bench, run, verdict, person);
  await wake(bench, run);
  await bench.quiet();
  return bench.run(run.id);
}
