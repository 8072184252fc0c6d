/** Lockkeeper on the embedded stack, in front of the fake cloud, with what a test or the story does to both. */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { pollerAgent } from '../../infra/local/data-plane/request-counts.ts';
import { type LocalStack, type LocalStackOptions, startLocalStack } from '../../infra/local/stack.ts';
import { synthesizeTemplate, type Template } from '../../infra/template.ts';
import { shortTiming, type Timing } from '../../infra/timing.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { s3Objects } from '../../shared/platform/s3-objects.ts';
import type { Objects } from '../../shared/ports/objects.ts';
import type { Table } from '../../shared/ports/table.ts';
import type { Run } from '../../shared/run/items.ts';
import { type Sim, startSim } from '../sim/sim.ts';
import { type RunsOf, readRuns } from './read-runs.ts';

const root = new URL('../../', import.meta.url);

/** Every entry point from its source, as the template names it. */
export const handlers: LocalStackOptions['handlers'] = {
  'github-webhook': async () => (await import('../../functions/github-webhook/handler.ts')).handler,
  'slack-interaction': async () => (await import('../../functions/slack-interaction/handler.ts')).handler,
  'run-controller': async () => (await import('../../functions/run-controller/handler.ts')).handler,
  'line-worker': async () => (await import('../../functions/line-worker/handler.ts')).handler,
  'dead-letter': async () => (await import('../../functions/dead-letter/handler.ts')).handler,
  schedule: async () => (await import('../../functions/schedule/handler.ts')).handler,
};

/** Values that must never be seen anywhere: planted as credentials and secrets. */
export const canaries = {
  NEON_API_KEY: 'canary-neon-7f3b9a1c5d',
  VERCEL_TOKEN: 'canary-vercel-2e8d4f6a0b',
  CLERK_SECRET_KEY: 'canary-clerk-9c1e7b3d5f',
  STRIPE_KEY: 'canary-stripe-4a6c8e0b2d',
  WEBHOOK: 'canary-webhook-secret-1b3d5f7a9c',
  SLACK_TOKEN: 'xoxb-canary-slack-token-5c7e9a1b3d',
  SLACK_SIGNING: 'canary-slack-signing-8d0f2b4c6e',
} as const;

export interface House {
  readonly stack: LocalStack;
  readonly sim: Sim;
  readonly table: Table;
  readonly objects: Objects;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  runs(of?: RunsOf): Promise<Run[]>;
  /** The run of a commit once it stands as `when` says. @throws Error after `withinMs`, with where it stands. */
  runOf(commit: string, when?: (run: Run) => boolean, withinMs?: number): Promise<Run>;
  stop(): Promise<void>;
}

export interface HouseOptions {
  readonly timing?: Timing;
  /** Repositories that may start something: the demo's alone where it is not said. */
  readonly allows?: string;
  readonly template?: (template: Template) => Template;
  readonly isolatedWorker?: boolean;
  /** Module of the isolated worker, where it is not the product's own entry point. */
  readonly workerModule?: string;
  /** Options of node for the isolated worker's processes, for example a loader. */
  readonly workerArguments?: readonly string[];
  /** Instead of `handlers`, for whoever wants to see what goes through them. */
  readonly handlers?: LocalStackOptions['handlers'];
  /** Variables of every function, beside those that point at the fake cloud. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Program of tool jobs, where it is not the product's own entry point. */
  readonly toolProgram?: string;
  /** Folders in which tool jobs look for their tools, as `PATH` has them. */
  readonly toolPath?: string;
  readonly log?: LocalStackOptions['log'];
  readonly folder?: string;
  readonly sim?: Sim;
}

/** Phases in which a run stands still until something outside happens. */
export const rests = (run: Run): boolean => run.phase === 'done' || run.phase === 'waiting';

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const sim = options.sim ?? (await startSim());
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const template = synthesizeTemplate({ timing: options.timing ?? shortTiming });
  const stack = await startLocalStack({
    template: (options.template ? options.template(template) : template) as unknown as LocalStackOptions['template'],
    handlers: options.handlers ?? handlers,
    programs: { 'tool-job': { file: options.toolProgram ?? fileURLToPath(new URL('functions/tool-job/main.ts', root)) } },
    ...(options.toolPath === undefined ? {} : { buildPath: options.toolPath }),
    parameters: { Repositories: options.allows ?? 'acme/storefront' },
    environment: { ...providerUrls(sim), ...options.environment },
    secrets: secretsOf(privateKey),
    schedules: false,
    ...(options.folder === undefined ? {} : { folder: options.folder }),
    ...(options.log ? { log: options.log } : {}),
    ...(options.isolatedWorker ? { isolated: [isolatedWorker(options)] } : {}),
  });
  const name = stack.functionEnvironment('run-controller');
  const observer = observerClients(stack.environment);
  const table = dynamoTable({ name: name['TABLE_NAME'] as string, writes: observer.dynamo, reads: observer.dynamo, writeTimeout: 5000 });
  const objects = s3Objects({ bucket: name['BUCKET_NAME'] as string, writes: observer.s3, reads: observer.s3, clock: systemClock });

  return {
    stack,
    sim,
    table,
    objects,
    webhookUrl: stack.outputs['WebhookUrl'] as string,
    webhookSecret: canaries.WEBHOOK,
    runs: (of) => readRuns(table, of),
    async runOf(commit, when = rests, withinMs = 60_000) {
      const end = Date.now() + withinMs;
      for (;;) {
        const [run] = await readRuns(table, { commit });
        if (run && when(run)) return run;
        if (Date.now() > end) throw new Error(`the run of ${commit.slice(0, 7)} is not there after ${withinMs} ms: ${JSON.stringify(run ?? 'no run')}`);
        await setTimeout(25);
      }
    },
    async stop() {
      observer.dynamo.destroy();
      observer.s3.destroy();
      await stack.stop();
      if (!options.sim) await sim.stop();
    },
  };
}

const isolatedWorker = ({ workerModule = productWorker, workerArguments = [] }: HouseOptions) => ({
  entry: 'line-worker',
  module: workerModule,
  execArgv: workerArguments,
});

const productWorker = new URL('functions/line-worker/handler.ts', root).pathname;

const providerUrls = (sim: Sim): Record<string, string> => ({
  NEON_API_URL: sim.urls.neon,
  VERCEL_API_URL: sim.urls.vercel,
  CLERK_API_URL: sim.urls.clerk,
  GITHUB_API_URL: sim.urls.github,
  SLACK_API_URL: sim.urls.slack,
});

/** Clients of the onlooker: they stand under the pollers' mark, so that the stack counts what the functions cost and nothing else. */
function observerClients(environment: Readonly<Record<string, string>>) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const common = { region: String(environment['AWS_REGION']), credentials, customUserAgent: pollerAgent };
  const dynamo = new DynamoDBClient({ ...common, endpoint: String(environment['AWS_ENDPOINT_URL_DYNAMODB']) });
  return {
    dynamo: DynamoDBDocumentClient.from(dynamo, { marshallOptions: { removeUndefinedValues: true } }),
    s3: new S3Client({ ...common, endpoint: String(environment['AWS_ENDPOINT_URL_S3']), forcePathStyle: true }),
  };
}

function secretsOf(privateKey: string): Record<string, string> {
  const { WEBHOOK, SLACK_TOKEN, SLACK_SIGNING, ...plans } = canaries;
  const named = Object.entries(plans).flatMap(([name, value]) => [
    [`lockkeeper/preview/${name}`, value],
    [`lockkeeper/production/${name}`, `${value}-production`],
  ]);
  const slack = JSON.stringify({ botToken: SLACK_TOKEN, signingSecret: SLACK_SIGNING });
  return {
    ...Object.fromEntries(named),
    'lockkeeper/slack': slack,
    'lockkeeper/github-webhook': WEBHOOK,
    'lockkeeper/github-app': JSON.stringify({ appId: '1204512', privateKey }),
  };
}
