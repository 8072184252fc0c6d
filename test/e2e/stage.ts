import { setTimeout } from 'node:timers/promises';
import type { Template } from '../../infra/template.ts';
import { type Lease, readLease } from '../../shared/lease/lease.ts';
import type { Entry } from '../../shared/ledger/entry.ts';
import { type Head, readHead } from '../../shared/ledger/head.ts';
import { readLedger } from '../../shared/ledger/ledger-line.ts';
import { sqs } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import type { Run, RunLine } from '../../shared/run/items.ts';
import type { RunReport } from '../../shared/run/report.ts';
import { readRunLines } from '../../shared/run/run-store.ts';
import { scopeKey } from '../../shared/table/keys.ts';
import type { Delivery } from '../sim/github/deliver.ts';
import type { CheckRun, Comment } from '../sim/github/state.ts';
import { demo } from '../sim/seed.ts';
import type { RuleInput } from '../sim/wire/rule.ts';
import { functionOf, idOf, ofType } from '../template/reading.ts';
import { type House, type HouseOptions, openHouse, rests } from './house.ts';
import { captureLogs, type Logs } from './sinks.ts';

/** A house with its log lines caught, and the moves the race, crash and drift tests share. */
export interface Stage extends House {
  readonly logs: Logs;
  readonly template: Template;
}

export async function openStage(options: HouseOptions = {}): Promise<Stage> {
  const logs = captureLogs();
  let used: Template | undefined;
  const template = (made: Template) => {
    used = options.template ? options.template(made) : made;
    return used;
  };
  const house = await openHouse({
    ...options,
    template,
    log: (text, error) => logs.note(`${text} ${error instanceof Error ? error.stack : String(error ?? '')}`),
  });
  const stop = async () => {
    await house.stop();
    logs.restore();
  };
  return { ...house, logs, template: used as unknown as Template, stop };
}

/** One pull request of the demo repository. Its branch names every resource of its plan, so that tests share a house. */
export interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
}

const providers = `providers:
  neon: { project: ${demo.neonProject} }
  vercel: { project: ${demo.vercelProject}, team: ${demo.vercelTeam} }
`;

/** A plan of the lines given, in this order. Indentation of the lines is theirs to keep. */
export const planOf = (...lines: string[]): string => `version: 1\n${providers}changes:\n${lines.join('')}`;

/** A branch, two variables that stand on it, and a redirect that comes last: one job at a time. */
export const chain = (name: string): string => planOf(db(name), env(name), callback(name, '[env]'));

export const db = (name: string): string => `  - { id: db, adapter: neon, op: branch, name: ${name} }\n`;
export const env = (name: string, mode = 'preview'): string =>
  `  - { id: env, adapter: vercel, op: env, branch: ${name}, values: { DATABASE_URL: { from: db.connection_string }, APP_MODE: ${mode} } }\n`;
export const callback = (name: string, after = '[]'): string =>
  `  - { id: callback, adapter: clerk, op: redirect_allow, url: 'https://${name}.acme.example/cb', depends_on: ${after} }\n`;

/** Pushes a branch with this plan and opens its pull request. GitHub tells nobody yet. */
export function openPull(stage: House, branch: string, plan: string | null): Pull {
  stage.sim.control.edit('github.push', { branch, files: plan === null ? { 'notes.md': branch } : { 'release.plan.yaml': plan } });
  const { number, sha } = stage.sim.control.edit('github.open', { branch });
  return { number, branch, sha };
}

/** A further commit on the pull request; `null` takes the plan file away. */
export function pushTo(stage: House, pull: Pull, plan: string | null, more: Record<string, string> = {}): Pull {
  const { sha } = stage.sim.control.edit('github.push', { branch: pull.branch, files: { 'release.plan.yaml': plan, ...more } });
  return { ...pull, sha };
}

/** Delivers what GitHub would send now. */
export const deliverPull = (stage: House, pull: Pull, action: 'opened' | 'reopened' | 'closed'): Promise<Delivery> =>
  stage.sim.control.deliver(stage.webhookUrl, stage.sim.control.webhook(`pull_request.${action}`, { number: pull.number }), stage.webhookSecret);

export const deliverPush = (stage: House, pull: Pull, before: string): Promise<Delivery> =>
  stage.sim.control.deliver(stage.webhookUrl, stage.sim.control.webhook('pull_request.synchronize', { number: pull.number, before }), stage.webhookSecret);

/** Opens a pull request, tells Lockkeeper, and waits for its run's rest. */
export async function openAndRun(stage: House, branch: string, plan: string): Promise<{ pull: Pull; run: Run }> {
  const pull = openPull(stage, branch, plan);
  await deliverPull(stage, pull, 'opened');
  return { pull, run: await givenBack(stage, pull, await stage.runOf(pull.sha)) };
}

/** Pushes and waits for the new commit's run. */
export async function pushAndRun(
  stage: House,
  pull: Pull,
  plan: string | null,
  more?: Record<string, string>,
  withinMs?: number,
): Promise<{ pull: Pull; run: Run }> {
  const next = pushTo(stage, pull, plan, more);
  await deliverPush(stage, next, pull.sha);
  return { pull: next, run: await givenBack(stage, next, await stage.runOf(next.sha, rests, withinMs)) };
}

/** Closes the pull request and waits for the end of its destroy. */
export async function closeAndRun(stage: House, pull: Pull, withinMs?: number): Promise<Run> {
  stage.sim.control.edit('github.close', { number: pull.number });
  await deliverPull(stage, pull, 'closed');
  return givenBack(stage, pull, await stage.runOf(pull.sha, (run) => run.kind === 'destroy' && rests(run), withinMs));
}

/** The run, once it has given its lease back: that is its last write, and comes after its end shows. */
export function givenBack(stage: House, pull: Pull, run: Run): Promise<Run> {
  const look = async () => {
    const lease = await readLease(leaseWorld(stage), scopeOf(pull));
    return lease?.holder === run.id && !lease.released ? undefined : run;
  };
  return until(`the release by run ${run.id}`, look);
}

export const scopeOf = (pull: Pull): string =>
  scopeKey({ repository: String(demo.repositoryId), plan: 'main', environment: 'preview', scope: `pr-${pull.number}` });

/** Where everything about a pull request stands: what Lockkeeper recorded, and what the providers hold. */
export interface Standing {
  readonly lease: Lease | undefined;
  readonly head: Head | undefined;
  readonly entries: readonly Entry[];
  readonly runs: readonly Run[];
  readonly branches: readonly string[];
  /** Names of the branch's own variables, sorted. */
  readonly variables: readonly string[];
  readonly redirects: readonly string[];
  readonly comments: readonly Comment[];
  readonly checks: readonly CheckRun[];
}

export async function standing(stage: House, pull: Pull): Promise<Standing> {
  const scope = scopeOf(pull);
  const world = leaseWorld(stage);
  const state = stage.sim.state();
  const repository = state.github.repositories[0];
  return {
    lease: await readLease(world, scope),
    head: await readHead(stage.table, scope),
    entries: (await readLedger(stage.table, scope)).flatMap((line) => line.entries),
    runs: await stage.runs({ scope: `pr-${pull.number}` }),
    branches: (state.neon.projects[0]?.branches ?? []).map((branch) => branch.name).filter((name) => name === pull.branch),
    variables: (state.vercel.projects[0]?.variables ?? [])
      .filter((variable) => variable.gitBranch === pull.branch)
      .map((variable) => variable.key)
      .sort(),
    redirects: state.clerk.redirects.map((redirect) => redirect.url).filter((url) => url.includes(`//${pull.branch}.`)),
    comments: (repository?.comments ?? []).filter((comment) => comment.issue === pull.number),
    checks: (repository?.checks ?? []).filter((check) => check.sha === pull.sha && !isAfterMerge(check)),
  };
}

/** Whether a check is the one that tells what merging its commit would do. */
export const isAfterMerge = ({ name }: Pick<CheckRun, 'name'>): boolean => name.endsWith(' after merge');

/** How a pull request with the plan `chain` stands once it is applied. */
export const whole = (name: string) => ({
  branches: [name],
  variables: ['APP_MODE', 'DATABASE_URL'],
  redirects: [`https://${name}.acme.example/cb`],
  lease: { released: true, waiters: [] },
});

export const leaseWorld = (stage: House) => ({ table: stage.table, ids: ulids(), clock: systemClock, timing: { leaseTtl: 18_000, skew: 0 } });

/** Requests to Neon, Vercel and Clerk that were meant to change something, since a moment. */
export const providerWrites = (stage: House, since = 0) => stage.sim.writes({ since }).filter((write) => write.provider !== 'github');

/** The two queues, as any function has them. */
export function queuesOf(stage: House) {
  const { CONTROL_QUEUE_URL: control = '', LINES_QUEUE_URL: lines = '' } = stage.stack.functionEnvironment('run-controller');
  return sqsQueues({ client: sqs(stage.stack.environment), control, lines, clock: systemClock });
}

/** Logical id of the one schedule, for `fire`. */
export const scheduleOf = (stage: Stage): string => ofType(stage.template, 'AWS::Scheduler::Schedule')[0]?.[0] ?? '';

/** The nightly one. */
export const nightOf = (stage: Stage): string => ofType(stage.template, 'AWS::Scheduler::Schedule')[1]?.[0] ?? '';

export async function reportOf(stage: House, run: Run): Promise<RunReport> {
  const object = run.report === undefined ? undefined : await stage.objects.get(run.report);
  if (!object) throw new Error(`run ${run.id} names no stored report: ${run.report}`);
  return JSON.parse(object.body) as RunReport;
}

export const linesOf = (stage: House, run: Run): Promise<RunLine[]> => readRunLines(stage.table, run.id);

/** Polls until `look` answers something. @throws Error after `withinMs`, naming what was waited for. */
export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined, withinMs = 20_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${withinMs} ms`);
    await setTimeout(25);
  }
}

/** A worker's process that has loaded its code and waits. A cold one may outlast its time-out on a busy machine: again, then. */
export async function warmWorker(stage: House): Promise<number> {
  await until('a warm worker', () => stage.stack.invoke('line-worker', { Records: [] }).catch(() => undefined));
  return stage.stack.pid('line-worker') as number;
}

/**
 * Starts something and returns when the fake has killed the worker that sent the request `at`. Needs an isolated worker and one
 * at a time, so that the process that will send it is known.
 */
export async function killedAt(stage: House, at: Pick<RuleInput, 'provider' | 'on'>, start: () => Promise<unknown> = async () => undefined): Promise<void> {
  const pid = await warmWorker(stage);
  stage.sim.control.rule({ ...at, kill: pid });
  await start();
  await until(`the death of the worker at ${at.on}`, () => isGone(pid) || undefined, 30_000);
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** A pull request's runs, all at rest and at least `count` of them. */
export const runsAtRest = (stage: House, pull: Pull, count: number, withinMs = 30_000): Promise<readonly Run[]> =>
  until(
    `${count} runs of pull request ${pull.number} at rest`,
    async () => {
      const runs = await stage.runs({ scope: `pr-${pull.number}` });
      return runs.length >= count && runs.every(rests) ? runs : undefined;
    },
    withinMs,
  );

/** Changes properties of one resource of a template, by type and the name CDK's logical id begins with. */
export function withProperties(template: Template, type: string, name: string, change: (properties: Readonly<Record<string, unknown>>) => object): Template {
  const id = idOf(template, type, name);
  const resource = template.Resources[id] as Template['Resources'][string];
  const properties = resource.Properties ?? {};
  return { ...template, Resources: { ...template.Resources, [id]: { ...resource, Properties: { ...properties, ...change(properties) } } } } as Template;
}

/** Sets variables of the function behind an entry point. */
export function withVariables(template: Template, entry: string, variables: Readonly<Record<string, string>>): Template {
  const { id, properties } = functionOf(template, entry);
  const resource = template.Resources[id] as Template['Resources'][string];
  const environment = { Variables: { ...properties.Environment.Variables, ...variables } };
  return { ...template, Resources: { ...template.Resources, [id]: { ...resource, Properties: { ...resource.Properties, Environment: environment } } } };
}
