/** Runs plans of many lines on the embedded stack and counts what they cost. */
import { createHash } from 'node:crypto';
import { localTiming } from '../../../infra/timing.ts';
import { sqs } from '../../../shared/platform/clients.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { ulids } from '../../../shared/platform/ids.ts';
import { sqsQueues } from '../../../shared/platform/sqs-queues.ts';
import { createRun } from '../../../shared/run/create-run.ts';
import type { Run } from '../../../shared/run/items.ts';
import { readRun } from '../../../shared/run/run-store.ts';
import { type House, openHouse } from '../../e2e/house.ts';
import { demo } from '../../sim/seed.ts';

/** `dynamodb.PutItem` → how many, by the functions alone: the mappings' polling is AWS's own. */
export type Requests = Readonly<Record<string, number>>;

export interface Measured {
  readonly seconds: number;
  readonly status: string;
  readonly requests: Requests;
  /** Requests to the fake cloud: k of the time budget, times the lines. */
  readonly providerCalls: number;
}

export interface Bench {
  /** Runs a plan of `lines` lines to its end. */
  run(intent: 'plan' | 'apply' | 'destroy', lines: number, scope: string, provider?: Line): Promise<Measured>;
  readonly house: House;
  stop(): Promise<void>;
}

/** What one line of a bench's plan is: one resource each. */
export type Line = keyof typeof lineOf;

const lineOf = {
  'neon.branch': (at: number, scope: string) => `  - { id: l${at}, adapter: neon, op: branch, name: ${scope}-${at} }`,
  'clerk.redirect_allow': (at: number, scope: string) => `  - { id: l${at}, adapter: clerk, op: redirect_allow, url: "https://${scope}-${at}.example/cb" }`,
  'vercel.env': (at: number, scope: string) => `  - { id: l${at}, adapter: vercel, op: env, target: preview, branch: ${scope}, values: { V${at}: x } }`,
};

const providers = `providers: { neon: { project: ${demo.neonProject} }, vercel: { project: ${demo.vercelProject}, team: ${demo.vercelTeam} } }`;

/** A stack whose line mapping works on `concurrency` messages at once, in front of providers that take `latencyMs` to answer. */
export async function openBench({ concurrency, latencyMs }: { concurrency: number; latencyMs: number }): Promise<Bench> {
  const house = await openHouse({ timing: localTiming, template: (template) => withConcurrency(template, concurrency) });
  if (latencyMs > 0) house.sim.control.rule({ on: '* /**', latencyMs });
  const { stack } = house;
  const variables = stack.functionEnvironment('run-controller');
  const { table } = house;
  const queues = sqsQueues({
    client: sqs(stack.environment),
    control: variables['CONTROL_QUEUE_URL'] as string,
    lines: variables['LINES_QUEUE_URL'] as string,
    clock: systemClock,
  });
  const world = { table, queues, clock: systemClock, ids: ulids() };

  const run = async (intent: 'plan' | 'apply' | 'destroy', lines: number, scope: string, provider: Line = 'neon.branch'): Promise<Measured> => {
    const object = await putPlan(house, planOf(lines, scope, provider));
    await stack.resetCounts();
    const earlier = house.sim.requests().length;
    const started = performance.now();
    const id = await createRun(world, ulids().fresh(), {
      intent,
      repository: { id: String(demo.repositoryId), owner: demo.owner, name: demo.repository, defaultBranch: 'main' },
      plan: { name: 'main', path: 'release.plan.yaml', object },
      environment: 'preview',
      scope,
      commit: demo.mainCommit,
      branch: scope,
      options: { busy: 'fail' },
    });
    const ended = await settled(house, id);
    const seconds = (performance.now() - started) / 1000;
    await stack.idle({ withinMs: 20_000 });
    const counts = await stack.counts();
    const providerCalls = house.sim.requests().length - earlier;
    return { seconds, status: ended.outcome ?? 'none', requests: counts['functions'] ?? {}, providerCalls };
  };
  return { run, house, stop: () => house.stop() };
}

async function settled(house: House, id: string): Promise<Run> {
  for (;;) {
    const run = await readRun(house.table, id);
    if (run && (run.phase === 'done' || run.phase === 'waiting')) return run;
    await systemClock.sleep(20);
  }
}

async function putPlan(house: House, plan: string): Promise<string> {
  const key = `plans/${createHash('sha256').update(plan).digest('hex')}.yaml`;
  await house.objects.put(key, plan, { ifAbsent: true });
  return key;
}

function planOf(lines: number, scope: string, provider: Line): string {
  return ['version: 1', providers, 'changes:', ...Array.from({ length: lines }, (_, at) => lineOf[provider](at, scope)), ''].join('\n');
}

type Template = Parameters<NonNullable<NonNullable<Parameters<typeof openHouse>[0]>['template']>>[0];

/** The template with another maximum on the mapping of the line worker. */
function withConcurrency(template: Template, maximum: number): Template {
  const worker = Object.entries(template.Resources).find(([, resource]) => resource.Metadata?.['lockkeeper:entry'] === 'line-worker')?.[0];
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    const reads = resource.Type === 'AWS::Lambda::EventSourceMapping' && JSON.stringify(resource.Properties?.['FunctionName']).includes(`"${worker}"`);
    return [id, reads ? { ...resource, Properties: { ...resource.Properties, ScalingConfig: { MaximumConcurrency: maximum } } } : resource];
  });
  return { ...template, Resources: Object.fromEntries(resources) };
}
