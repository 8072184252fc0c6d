/**
 * Lockkeeper in one process and without waiting: the handlers' own code, the real adapters and GitHub client over HTTP to the fake
 * cloud, table, queues, bucket and state machine in memory, and a clock that moves when nothing else is left to do.
 */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { deadJob } from '../../functions/dead-letter/job.ts';
import { allowList } from '../../functions/github-webhook/allow-list.ts';
import { webhook } from '../../functions/github-webhook/webhook.ts';
import { lineJob } from '../../functions/line-worker/job.ts';
import { controlJob } from '../../functions/run-controller/job.ts';
import { night } from '../../functions/schedule/night.ts';
import { tick } from '../../functions/schedule/tick.ts';
import { interaction } from '../../functions/slack-interaction/interaction.ts';
import { opBinder } from '../../shared/adapters/bind.ts';
import { createRegistry, registry } from '../../shared/adapters/registry.ts';
import type { Op } from '../../shared/engine/op.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import { githubCodeHost } from '../../shared/platform/github/code-host.ts';
import { slackChat } from '../../shared/platform/slack/chat.ts';
import { AnswerLost } from '../../shared/ports/table.ts';
import { createRedactor } from '../../shared/redact/redactor.ts';
import type { Run, RunLine } from '../../shared/run/items.ts';
import type { RunReport } from '../../shared/run/report.ts';
import { readRun, readRunLines } from '../../shared/run/run-store.ts';
import type { ControlWorld, Timing } from '../../shared/run/world.ts';
import { countingIds } from '../ports/counting-ids.ts';
import { type FakeStacks, fakeStacks } from '../ports/fake-stacks.ts';
import { type MemoryObjects, memoryObjects } from '../ports/memory-objects.ts';
import { type MemoryQueues, memoryQueues } from '../ports/memory-queues.ts';
import { type MemoryStateMachine, memoryStateMachine } from '../ports/memory-state-machine.ts';
import { type MemoryTable, memoryTable } from '../ports/memory-table.ts';
import { memoryToolRunner } from '../ports/memory-tool-runner.ts';
import { type Fates, fates } from '../ports/mortal.ts';
import type { Mail } from '../ports/redelivery.ts';
import { stackKeys } from '../ports/stack-keys.ts';
import { deliveryHeaders } from '../sim/github/deliver.ts';
import type { Webhook } from '../sim/github/webhook.ts';
import { demo } from '../sim/seed.ts';
import type { SlackRequest } from '../sim/slack/press.ts';
import type { World as CloudState } from '../sim/world/world.ts';
import { type ClockedCloud, dawn } from './cloud.ts';
import { post } from './mail.ts';
import { secretStores } from './secret-stores.ts';

/** The times of a deployed stack: nobody waits for them here. */
export const houseTiming: Timing = { leaseTtl: 900_000, skew: 30_000, functionTimeout: 100_000, storeTimeout: 5_000, httpTimeout: 30_000 };

export const webhookSecret = 'the webhook secret of the house, long enough to be one';

export const signingSecret = 'the signing secret of the house’s workspace';
const botToken = 'xoxb-the-bot-token-of-the-house';

export interface HouseOptions {
  /** A person's own machine, or an AWS account. */
  readonly stack?: ControlWorld['stack'];
  readonly timing?: Partial<Timing>;
  /** Ops beside those that there are. */
  readonly adapters?: readonly Op[];
  /** What the cloud holds at the start; the demo's seed when absent. */
  readonly state?: CloudState;
}

/** How messages are picked on the way to quiet: the index of the next among `ready`. */
export type Picker = (ready: number) => number;

export interface MemoryHouse extends Pick<ClockedCloud, 'clock' | 'sim'> {
  readonly memory: MemoryTable;
  readonly bucket: MemoryObjects;
  readonly queues: MemoryQueues;
  readonly states: MemoryStateMachine;
  /** The infrastructure tool that runs for lines which are stacks. */
  readonly stacks: FakeStacks;
  /** What befalls the calls that functions make: `table`, `queues`, `objects`, `machine`, and `provider.fetch`. */
  readonly fates: Fates;
  /** Values by `<environment>/<name>`, as Secrets Manager has them below `lockkeeper/`; by `aws-sm://<id>` or `ssm://<name>` elsewhere. */
  readonly secrets: Map<string, string>;
  /** Everything that was logged, as the functions would have printed it. */
  readonly log: readonly string[];
  /** Every input and output of the state machine. */
  readonly machineInputs: readonly string[];
  /** The world of one invocation. */
  world(): ControlWorld;
  /** GitHub sends this, signed; under an id that was used before it is a redelivery. */
  webhook(hook: Webhook, delivery?: string): Promise<{ readonly status: number; readonly body: string; readonly delivery: string }>;
  /** Slack sends this. Returns the status of the answer. */
  click(request: SlackRequest): Promise<number>;
  /** Called right before a function's request to a provider leaves. */
  beforeRequest: ((method: string, path: string) => Promise<void>) | undefined;
  /** The line that is being worked on, of whichever run. */
  lineAtWork(): string | undefined;
  deliver(mail: Mail): Promise<void>;
  /** Delivers until nothing is left, advancing the clock to each message's time. */
  quiet(pick?: Picker): Promise<void>;
  /** Some minutes pass, then the schedule fires, then quiet. `late`: so many minutes after it was to; `again`: the last event comes once more. */
  tick(minutes?: number, event?: { readonly late?: number; readonly again?: true }): Promise<void>;
  /** The nightly clean-up, then quiet. */
  night(): Promise<void>;
  run(id: string): Promise<Run>;
  /** Every run, oldest first. */
  runs(): Run[];
  lines(id: string): Promise<RunLine[]>;
  report(id: string): RunReport | undefined;
}

/** More deliveries than any test needs: a house that does not come to rest fails instead of hanging. */
const mostDeliveries = 20_000;

const credentials = ['NEON_API_KEY', 'VERCEL_TOKEN', 'CLERK_SECRET_KEY'] as const;

function withOps(more: readonly Op[]) {
  const known = registry.adapters().flatMap((adapter) => registry.ops(adapter).flatMap((name) => registry.find(adapter, name) ?? []));
  return createRegistry([...known, ...more]);
}

const storeLost = (method: string): Error =>
  method === 'write' ? new AnswerLost('the test lost this answer') : new LockkeeperError({ code: 'STORE_UNREACHABLE', message: 'the test lost this answer' });

const serves = allowList(`${demo.owner}/${demo.repository}`);

const connectionLost = (): Error => new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });

/** A house on a cloud that is as new. */
export function openHouse(cloud: ClockedCloud, options: HouseOptions = {}): MemoryHouse {
  const { sim, clock } = cloud;
  sim.control.reset(options.state);
  clock.set(dawn);
  const ops = options.adapters ? withOps(options.adapters) : registry;
  const timing = { ...houseTiming, ...options.timing };
  const memory = memoryTable();
  const bucket = memoryObjects(clock);
  const queues = memoryQueues(clock);
  const runner = memoryToolRunner(bucket.objects, clock);
  const machineInputs: string[] = [];
  const states = memoryStateMachine((message) => void queues.queues.control({ format: 2, ...message }), clock.now);
  const fate = fates();
  const ids = countingIds();
  const secrets = new Map<string, string>();
  for (const environment of ['preview', 'staging', 'production'])
    for (const name of credentials) secrets.set(`${environment}/${name}`, `${name}-${environment}`);
  const log: string[] = [];
  const codeHost = githubCodeHost({
    baseUrl: sim.urls.github,
    credentials: { appId: String(1_204_512), privateKey: cloud.privateKey },
    clock,
    fetch: cloud.fetch,
    deadline: cloud.deadline,
  });
  const chat = slackChat({ baseUrl: sim.urls.slack, botToken, clock, redact: (text) => text, fetch: cloud.fetch, deadline: cloud.deadline });
  const heard: ControlWorld['machine'] = {
    start: (name, input) => {
      machineInputs.push(`${name} ${JSON.stringify(input)}`);
      return states.machine.start(name, input);
    },
    succeed: (token, output) => {
      machineInputs.push(JSON.stringify(output));
      return states.machine.succeed(token, output);
    },
  };

  function world(): ControlWorld {
    const life = fate.life();
    const redactor = createRedactor();
    const said = (level: string) => (message: string, fields?: Record<string, unknown>) =>
      void log.push(JSON.stringify({ level, message: redactor.mask(message), ...fields }));
    const send = life.wrap('provider', { fetch: leaving }, connectionLost);
    const baseUrls = { NEON_API_URL: sim.urls.neon, VERCEL_API_URL: sim.urls.vercel, CLERK_API_URL: sim.urls.clerk };
    return {
      table: life.wrap('table', memory.table, storeLost),
      queues: life.wrap('queues', queues.queues, storeLost),
      objects: life.wrap('objects', bucket.objects, storeLost),
      tools: life.wrap('tools', runner.tools, storeLost),
      roles: {
        async assume(role, session) {
          if (role.endsWith('/nobody')) throw new LockkeeperError({ code: 'ROLE_REFUSED', message: `The role ${role} cannot be assumed: AccessDenied.` });
          return { AWS_ACCESS_KEY_ID: 'ASIAROLE', AWS_SECRET_ACCESS_KEY: `secret key of ${role}`, AWS_SESSION_TOKEN: `token of ${session}` };
        },
      },
      machine: life.wrap('machine', heard, storeLost),
      codeHost,
      chat,
      clock,
      ids,
      log: { info: said('info'), warn: said('warn'), error: said('error') },
      timing,
      redactor,
      registry: ops,
      keys: stackKeys,
      bindOp: opBinder({
        baseUrls,
        simulatedApis: sim.urls.rest,
        redact: redactor.mask,
        clock,
        timeoutMs: timing.httpTimeout,
        fetch: (...given) => send.fetch(...given),
        deadline: cloud.deadline,
      }),
      secrets: secretStores(secrets),
      bus: { announce: async (what, detail) => void log.push(JSON.stringify({ announced: what, ...detail })) },
      stack: options.stack ?? 'deployed',
      serves,
    };
  }

  const office = post(
    queues,
    clock,
    {
      control: (handBack) =>
        controlJob(
          async () => world(),
          handBack,
          () => world().log,
        ),
      lines: (handBack) =>
        lineJob(
          async () => world(),
          handBack,
          () => world().log,
        ),
      dead: (handBack) => deadJob(world, handBack, () => world().log),
    },
    (6 * timing.functionTimeout) / 1000,
  );

  async function quiet(pick: Picker = () => 0): Promise<void> {
    for (let count = 0; ; count += 1) {
      if (count > mostDeliveries) throw new Error(`still no quiet after ${mostDeliveries} deliveries: ${JSON.stringify(queues.waiting().slice(0, 3))}`);
      const next = queues.nextAt();
      if (next === undefined) return;
      if (next > clock.now()) clock.set(next);
      const ready = queues.waiting().filter((one) => one.at <= clock.now()).length;
      await office.deliver(queues.takeAt(pick(ready)) as Mail);
    }
  }

  let deliveries = 0;
  let scheduledAt = clock.now();

  const leaving: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const prefix = Object.values(sim.urls)
      .map((url) => new URL(url).pathname)
      .find((path) => path !== '/' && pathname.startsWith(`${path}/`));
    await house.beforeRequest?.(init?.method ?? 'GET', pathname.slice(prefix?.length ?? 0));
    return cloud.fetch(input, init);
  };

  function report(id: string): RunReport | undefined {
    const run = memory.peek(`RUN#${id}`, 'META') as unknown as Run | undefined;
    const body = run?.report === undefined ? undefined : bucket.bodies(run.report).at(-1);
    return body === undefined ? undefined : (JSON.parse(body) as RunReport);
  }

  const house: MemoryHouse = {
    clock,
    sim,
    memory,
    bucket,
    queues,
    states,
    stacks: fakeStacks(bucket, runner),
    fates: fate,
    secrets,
    log,
    machineInputs,
    world,
    beforeRequest: undefined,
    async webhook({ event, payload }, delivery = `delivery-${++deliveries}`) {
      const body = JSON.stringify(payload);
      const life = world();
      const handler = webhook({ ...life, secret: async () => webhookSecret, allows: serves });
      const request = { headers: deliveryHeaders(event, body, webhookSecret, delivery), body, isBase64Encoded: false } as unknown as APIGatewayProxyEventV2;
      const answer = await handler(request, {} as Context);
      return { status: answer.statusCode ?? 200, body: answer.body ?? '', delivery };
    },
    async click({ headers, body }) {
      const event = { headers, body, isBase64Encoded: false } as unknown as APIGatewayProxyEventV2;
      return (await interaction({ ...world(), signingSecret: async () => signingSecret }, event)).statusCode ?? 200;
    },
    lineAtWork() {
      const mail = office.current();
      return mail?.queue === 'lines' ? mail.message.line : undefined;
    },
    deliver: office.deliver,
    quiet,
    async tick(minutes = 15, { late = 0, again } = {}) {
      clock.advance(minutes * 60_000);
      states.expire();
      scheduledAt = again ? scheduledAt : clock.now() - late * 60_000;
      // A schedule that fails comes again; it promises nothing to whoever started it.
      await tick(world(), scheduledAt).catch((error: unknown) => void log.push(String(error)));
      await quiet();
    },
    async night() {
      await night(world());
      await quiet();
    },
    async run(id) {
      const found = await readRun(memory.table, id);
      if (!found) throw new Error(`there is no run ${id}`);
      return found;
    },
    runs() {
      const made = memory.writes.flatMap(({ applied, key, change }) => (applied && 'put' in change && change.put['item'] === 'run' ? [key] : []));
      return made.map(({ pk, sk }) => memory.peek(pk, sk) as unknown as Run);
    },
    lines: (id) => readRunLines(memory.table, id),
    report,
  };
  return house;
}
