import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoryResult } from '../e2e/story/result.ts';
import { play } from '../e2e/story/story.ts';
import { textTeller } from '../e2e/story/teller.ts';
import { startSim } from '../sim/sim.ts';
import { bootstrap, type CdkOptions, type Deployed, deploy, destroy, stackName } from './cdk.ts';
import { doctor } from './chapters/doctor.ts';
import { logs } from './chapters/logs.ts';
import { production } from './chapters/production.ts';
import { terminal } from './chapters/terminal.ts';
import { chapters } from './chapters.ts';
import { checkoutOf } from './checkout.ts';
import { clear, type Left, whatIsLeft } from './clear.ts';
import { type Clients, clientsOf } from './clients.ts';
import type { Endpoint } from './endpoint.ts';
import { logLines } from './function-logs.ts';
import { pointFunctions } from './functions.ts';
import { personOf } from './person.ts';
import { page, type Stage } from './proof.ts';
import { putSecrets } from './secrets.ts';
import { deployedWorld } from './world.ts';

const root = join(import.meta.dirname, '..', '..');

export interface RunOptions {
  readonly endpoint: Endpoint;
  readonly folder: string;
  readonly proof: boolean;
  readonly keep: boolean;
  readonly print: (text: string) => void;
}

/** From an endpoint without us to an endpoint without us. False when something was not as it should be; it has been printed. */
export async function run(options: RunOptions): Promise<boolean> {
  const { endpoint, folder, print } = options;
  const clients = clientsOf(endpoint);
  const stages: Stage[] = [];
  const stage = stageTo(stages, print);
  const cdk: CdkOptions = { endpoint, folder, note: (text) => appendFileSync(join(folder, 'cdk.log'), text) };
  print(`Lockkeeper, deployed at ${endpoint.url} (${endpoint.version}), in front of a fake cloud on this machine.\n`);
  try {
    if (countOf(await whatIsLeft(clients)) > 0) {
      await stage('clear away what an earlier run left', async () => {
        await destroy(cdk);
        await clear(clients);
      });
    }
    await stage('cdk bootstrap', () => bootstrap(cdk));
    const deployed = await stage(
      'cdk deploy',
      () => deploy(cdk, 'acme/storefront'),
      ({ template }) => `${Object.keys(template.Resources).length} resources`,
    );
    const story = await tell(options, clients, deployed, stage);
    const removed = options.keep || (await remove(cdk, clients, stage));
    for (const sentence of story.proven) print(`  ✓ ${sentence}\n`);
    if (story.problem !== undefined) print(`\nFAILED: ${story.problem}\n`);
    if (options.proof && story.ok) writeFileSync(join(root, 'docs', 'deploy-proof.md'), page(transcript(options, deployed, stages, story)));
    return story.ok && removed;
  } catch (error) {
    print(`\nFAILED: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  } finally {
    clients.destroy();
  }
}

type StageOf = <T>(name: string, work: () => Promise<T>, detail?: (made: T) => string) => Promise<T>;

function stageTo(stages: Stage[], print: (text: string) => void): StageOf {
  return async (name, work, detail = () => '') => {
    const began = performance.now();
    const made = await work();
    const done = { name, seconds: (performance.now() - began) / 1000, detail: detail(made) };
    stages.push(done);
    print(`  ${done.name}: ${done.seconds.toFixed(1)} s${done.detail === '' ? '' : `, ${done.detail}`}\n`);
    return made;
  };
}

/** Puts the secrets, points the functions at the fake cloud, and plays the chapters; then reads what the functions logged. */
async function tell(options: RunOptions, clients: Clients, deployed: Deployed, stage: StageOf): Promise<StoryResult> {
  const { endpoint, folder, print } = options;
  const sim = await startSim();
  const checkout = checkoutOf(endpoint, sim);
  try {
    await stage('put the secrets', () => putSecrets(clients.secrets, deployed.outputs));
    const urls = { NEON_API_URL: sim.urls.neon, VERCEL_API_URL: sim.urls.vercel, CLERK_API_URL: sim.urls.clerk, GITHUB_API_URL: sim.urls.github };
    const place = { template: deployed.template, table: String(deployed.outputs['TableName']) };
    const functions = await stage(
      'point the functions at the fake cloud',
      () => pointFunctions(clients.lambda, place, urls),
      (made) => `${made.length} functions`,
    );
    const world = deployedWorld({ endpoint, clients, deployed, functions, sim }, folder);
    const teller = textTeller({ print, live: false, colour: false, columns: 110 });
    const [ada, grace] = await Promise.all([personOf(clients.sts, 'ada'), personOf(clients.sts, 'grace')]);
    const told = [...chapters, terminal(checkout, ada, grace), production(checkout, ada, grace), doctor(endpoint), logs(() => logLines(endpoint, stackName))];
    return await stage(
      'the story',
      () => play(world, told, teller),
      (story) => `${story.chapters.filter(({ ok }) => ok).length} of ${told.length} chapters`,
    );
  } finally {
    checkout.remove();
    await sim.stop();
  }
}

/** `cdk destroy` takes the stack away and leaves the state, as the design says; a test's state is then cleared away. */
async function remove(cdk: CdkOptions, clients: Clients, stage: StageOf): Promise<boolean> {
  const left = await stage(
    'cdk destroy',
    async () => {
      await destroy(cdk);
      return whatIsLeft(clients);
    },
    (kept) => `what must outlive it is there: ${kept.tables.length} table, ${kept.buckets.length} bucket, ${ownKeys(kept).length} keys`,
  );
  await stage('clear the kept state away', () => clear(clients));
  return left.tables.length === 1 && left.buckets.length === 1 && ownKeys(left).length === 2;
}

const ownKeys = ({ secrets }: Left): string[] => secrets.filter((name) => /\/(fingerprint|sealing)-key$/.test(name));
const countOf = ({ tables, buckets, secrets }: Left): number => tables.length + buckets.length + secrets.length;

function transcript({ endpoint }: RunOptions, { outputs, template }: Deployed, stages: readonly Stage[], story: StoryResult) {
  const resources: Record<string, number> = {};
  for (const { Type } of Object.values(template.Resources)) resources[Type] = (resources[Type] ?? 0) + 1;
  const versionOf = (file: string) => (JSON.parse(readFileSync(join(root, file), 'utf8')) as { version: string }).version;
  return {
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    version: versionOf('package.json'),
    date: new Date(),
    endpoint: `${endpoint.version} at ${endpoint.url}`,
    node: process.version,
    cdk: versionOf('node_modules/aws-cdk/package.json'),
    stages,
    resources,
    outputs,
    story,
  };
}
