/** The whole domain on stores in memory: runs are started, messages delivered, clocks advanced by the test, in one process. */
import { createHash } from 'node:crypto';
import type { Intake } from '../../events/intake.ts';
import type { OpRegistry, ProviderHttp } from '../../shared/engine/op.ts';
import { LockkeeperError } from '../../shared/errors/error.ts';
import type { Repository } from '../../shared/ports/code-host.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { StateMachine } from '../../shared/ports/state-machine.ts';
import { AnswerLost } from '../../shared/ports/table.ts';
import { createRedactor } from '../../shared/redact/redactor.ts';
import { Again } from '../../shared/run/again.ts';
import { controlStep } from '../../shared/run/control-step.ts';
import { createRun, type NewRun } from '../../shared/run/create-run.ts';
import { deadLine, deadStep } from '../../shared/run/dead-letter.ts';
import type { Run, RunLine } from '../../shared/run/items.ts';
import type { RunReport } from '../../shared/run/report.ts';
import { readRun, readRunLines } from '../../shared/run/run-store.ts';
import { sweep } from '../../shared/run/sweep.ts';
import { workLine } from '../../shared/run/work-line.ts';
import type { ControlWorld, Timing } from '../../shared/run/world.ts';
import type { SecretReference } from '../../shared/secrets/reference.ts';
import { scopeKey } from '../../shared/table/keys.ts';
import { countingIds } from './counting-ids.ts';
import { exampleRegistry } from './example-op.ts';
import { type ExampleProvider, exampleProvider, unansweredRequest } from './example-provider.ts';
import { type FakeCodeHost, fakeCodeHost } from './fake-code-host.ts';
import { type FakeSlack, fakeSlack } from './fake-slack.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { type MemoryObjects, memoryObjects } from './memory-objects.ts';
import { type MemoryQueues, memoryQueues, type Queued } from './memory-queues.ts';
import { type MemoryStateMachine, memoryStateMachine, type SendState } from './memory-state-machine.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { type MemoryToolRunner, memoryToolRunner } from './memory-tool-runner.ts';
import { type Fates, fates } from './mortal.ts';
import { type Mail, putBack } from './redelivery.ts';
import { stackKeys } from './stack-keys.ts';
import { unansweredHost, wrappedHost } from './wrapped-host.ts';

/** The ratios of the deployed stack, small enough to count in. */
export const benchTiming: Timing = { leaseTtl: 18_000, skew: 0, functionTimeout: 2_000, storeTimeout: 500, httpTimeout: 1_000 };

export const repository: Repository = { id: '7101', owner: 'acme', name: 'storefront', defaultBranch: 'main' };
export const planPath = 'release.plan.yaml';
/** A commit's full name from a short one. */
export const commitOf = (name: string): string => createHash('sha1').update(name).digest('hex');
/** The scope of a pull request in `preview`, or of a named scope. */
export const scopeOf = (scope: string | number, environment = 'preview'): string =>
  scopeKey({ repository: repository.id, plan: 'main', environment, scope: typeof scope === 'number' ? `pr-${scope}` : scope });

/** How messages are picked while the bench runs to quiet: the index of the next among `ready`. */
export type Picker = (ready: number) => number;

export interface Workbench {
  readonly clock: ManualClock;
  readonly states: MemoryStateMachine;
  readonly memory: MemoryTable;
  readonly bucket: MemoryObjects;
  readonly queues: MemoryQueues;
  readonly provider: ExampleProvider;
  /** Where infrastructure tools run. */
  readonly runner: MemoryToolRunner;
  readonly code: FakeCodeHost;
  readonly slack: FakeSlack;
  readonly fates: Fates;
  /** How many announcements the bus does not take, from now on. */
  readonly bus: { refuses: number };
  /** Values by variable name: credentials and `env://` secrets; of another scheme by what follows it. */
  readonly secrets: Map<string, string>;
  /** Everything logged, and every announcement. */
  readonly logged: { readonly level: string; readonly message: string; readonly fields?: Record<string, unknown> }[];
  /** Writes to `logged`, without a world. */
  readonly log: Log;
  /** The world of one invocation. */
  world(timing?: Partial<Timing>): ControlWorld;

  /** Opens or moves a pull request at a commit with this plan (changes of its lines), without telling anybody. */
  pull(number: number, commit: string, changes: readonly object[], more?: { readonly providers?: object; readonly environments?: readonly string[] }): void;
  /** Records and queues what a webhook would have. Returns the run it will start in `preview`. */
  event(action: 'opened' | 'synchronize' | 'reopened' | 'closed', number: number, commit: string): Promise<string>;
  /** Records and queues any happening. Returns the intake's id. */
  happens(happening: Happening): Promise<string>;
  /** Moves the default branch to a commit, with this plan or without one, and says so. Returns the run it will start in `production`. */
  push(commit: string, changes?: readonly object[]): Promise<string>;
  deployed(commit: string, state: 'success' | 'failure'): Promise<void>;
  /** `pull`, `event` and `quiet` in one. Returns the run as it then stands. */
  release(number: number, commit: string, changes: readonly object[], more?: { readonly providers?: object }): Promise<Run>;
  close(number: number, commit: string): Promise<Run>;
  /** A person's run of a plan, from a terminal. */
  command(run: Partial<NewRun> & { readonly commit: string; readonly start?: string }): Promise<string>;

  /** Delivers one message as the queue does: handed back on `Again`, hidden after a death, dead after too many. */
  deliver(message: Queued, dead?: boolean): Promise<void>;
  /** Delivers until nothing is left, advancing the clock to each message's time. */
  quiet(pick?: Picker): Promise<void>;
  /** The schedule's step after some minutes, then quiet. */
  sweep(minutes?: number): Promise<void>;
  /** The schedule's step alone, now. */
  sweepOnce(): Promise<void>;

  /** What brings everything back as it is now, as often as it is called: for whoever goes many ways from one place. */
  keep(): () => void;

  run(id: string): Promise<Run>;
  lines(id: string): Promise<Record<string, RunLine>>;
  /** Status by line, as the newest report of the run says. */
  statuses(id: string): Promise<Record<string, string>>;
  report(id: string): Promise<RunReport>;
}

/** What the events of the bench say of where and who. */
export const mona = { repository, sender: { login: 'mona', type: 'User' } } as const;

/** An intake without what the moment of recording adds. */
export type Happening = HappeningOf<Intake>;
type HappeningOf<One> = One extends Intake ? Omit<One, 'kind' | 'id' | 'source' | 'deliveryId' | 'receivedAt' | 'status' | 'since' | 'writeId' | 'ttl'> : never;

/** More deliveries than any test needs: a bench that does not come to rest fails instead of hanging. */
const mostDeliveries = 20_000;

const nameOf = (reference: SecretReference): string => {
  if (reference.scheme === 'aws-sm') return reference.key === undefined ? reference.id : `${reference.id}#${reference.key}`;
  return reference.scheme === 'op' ? reference.address.slice('op://'.length) : reference.name;
};

const storeLost = (method: string): Error =>
  method === 'write' ? new AnswerLost('the test lost this answer') : new LockkeeperError({ code: 'STORE_UNREACHABLE', message: 'the test lost this answer' });

const unansweredChat = (): Error => new LockkeeperError({ code: 'PROVIDER_TIMEOUT', message: 'the test lost this answer' });

/** What stands in the place of the example op, its provider, or the state machine in memory. */
export interface WorkbenchParts {
  /** Starts every id it makes: for a second bench that goes on where a first one stopped. */
  readonly idPrefix?: string;
  /** In the place of {@link benchTiming}, for all that the bench delivers. */
  readonly timing?: Partial<Timing>;
  /** How far the clock of the next function is off, ms. */
  readonly skewed?: () => number;
  readonly registry?: OpRegistry;
  readonly provider?: ProviderHttp;
  /** Ids of the things that the example provider makes, by their count. */
  readonly thingId?: (count: number) => string;
  /** Made with what takes the messages that its states send. */
  readonly machine?: (send: SendState) => StateMachine;
  /** In the place of keys whose nonces are counted over all benches. */
  readonly keys?: ControlWorld['keys'];
  /** What the runs work on is made up. */
  readonly simulated?: true;
  /** What every call of every port goes through, GitHub's, secrets' and the bus's too, in the place of fates that befall most of them. */
  readonly fates?: Fates;
}

export function openWorkbench(stack: ControlWorld['stack'] = 'embedded', parts: WorkbenchParts = {}): Workbench {
  const clock = manualClock();
  const memory = memoryTable();
  const bucket = memoryObjects(clock);
  const queues = memoryQueues(clock);
  const send: SendState = (message) => void queues.queues.control({ format: 2, ...message });
  const states = memoryStateMachine(send, clock.now);
  const machine = parts.machine?.(send) ?? states.machine;
  const provider = exampleProvider(clock, parts.thingId);
  const runner = memoryToolRunner(bucket.objects, clock);
  const code = fakeCodeHost(clock.now);
  const slack = fakeSlack(clock);
  const fate = parts.fates ?? fates();
  const ids = countingIds(parts.idPrefix);
  const secrets = new Map([['EXAMPLE_TOKEN', 'token-of-the-example-provider']]);
  const logged: { level: string; message: string; fields?: Record<string, unknown> }[] = [];

  const log = (level: string) => (message: string, fields?: Record<string, unknown>) => void logged.push({ level, message, ...(fields ? { fields } : {}) });

  const said: Log = { info: log('info'), warn: log('warn'), error: log('error') };
  const bus = { refuses: 0 };
  const everyCall = parts.fates !== undefined;

  const resolving: ControlWorld['secrets'] = {
    resolve: async (_environment, reference) => {
      const name = nameOf(reference);
      const value = secrets.get(name);
      return value === undefined ? { found: false, why: `${name} is not set` } : { found: true, value };
    },
  };

  const announcing: ControlWorld['bus'] = {
    async announce(what, detail) {
      if (bus.refuses-- > 0) throw new LockkeeperError({ code: 'INTERNAL', message: 'the bus does not answer' });
      log('bus')(what, { ...detail });
    },
  };

  function world(timing: Partial<Timing> = {}): ControlWorld {
    const life = fate.life();
    const times = { ...benchTiming, ...parts.timing, ...timing };
    const off = parts.skewed?.() ?? 0;
    const now = () => clock.now() + off;
    const http = life.wrap('provider', parts.provider ?? provider.http, unansweredRequest);
    return {
      table: life.wrap('table', memory.table, storeLost),
      queues: life.wrap('queues', queues.queues, storeLost),
      objects: life.wrap('objects', bucket.objects, storeLost),
      tools: life.wrap('tools', runner.tools, storeLost),
      codeHost: { ...(everyCall ? wrappedHost(life, code.host) : code.host), issues: life.wrap('issues', code.issues.issues, unansweredHost) },
      clock: { now, sleep: clock.sleep },
      ids,
      log: said,
      timing: times,
      redactor: createRedactor(),
      registry: parts.registry ?? exampleRegistry,
      keys: parts.keys ?? stackKeys,
      bindOp: (_op, { provider: block, context, guard }) => ({
        provider: block,
        context,
        now,
        http: {
          async send(request) {
            if (request.method !== 'GET') await guard.beforeWrite(times.httpTimeout);
            return http.send(request);
          },
        },
      }),
      secrets: everyCall ? life.wrap('secrets', resolving, storeLost) : resolving,
      bus: everyCall ? life.wrap('bus', announcing, storeLost) : announcing,
      machine: life.wrap('machine', machine, storeLost),
      chat: life.wrap('chat', slack.chat, unansweredChat),
      stack,
      ...(parts.simulated ? { simulated: true } : {}),
      serves: ({ owner }) => owner === repository.owner,
    };
  }

  /** A schedule that fails comes again; it promises nothing to whoever started it. */
  const sweepOnce = async (): Promise<void> => {
    states.expire();
    await sweep(world()).catch((error: unknown) => log('thrown')(String(error)));
  };

  async function handle(message: Queued, dead: boolean): Promise<void> {
    if (message.queue === 'control') return dead ? deadStep(world(), message.message) : controlStep(world(), message.message);
    return dead ? deadLine(world(), message.message) : workLine(world(), message.message);
  }

  async function deliver(message: Queued, dead = false): Promise<void> {
    try {
      await handle(message, dead);
    } catch (error) {
      clock.advance(1); // a message that is handed back at once still takes its time
      const seconds = error instanceof Again ? error.seconds : (6 * benchTiming.functionTimeout) / 1000;
      if (!(error instanceof Again)) log('thrown')(error instanceof Error ? `${error.name}: ${error.message}` : String(error), { message: message.message });
      const mail: Mail = message;
      putBack(queues, dead ? { ...mail, dead } : mail, (mail.received ?? 0) + 1, seconds);
    }
  }

  async function quiet(pick: Picker = () => 0): Promise<void> {
    for (let count = 0; ; count += 1) {
      if (count > mostDeliveries) throw new Error(`still no quiet after ${mostDeliveries} deliveries: ${JSON.stringify(queues.waiting().slice(0, 3))}`);
      const next = queues.nextAt();
      if (next === undefined) return;
      if (next > clock.now()) clock.set(next);
      const ready = queues.waiting().filter((one) => one.at <= clock.now()).length;
      const taken = queues.takeAt(pick(ready)) as Mail;
      await deliver(taken, taken.dead === true);
    }
  }

  /** Records what a webhook would have, and queues it. Returns the intake's id. */
  async function happens(happening: Happening): Promise<string> {
    const deliveryId = ids.fresh();
    const at = new Date(clock.now()).toISOString();
    const intake: Intake = {
      kind: 'intake',
      id: createHash('sha256').update(deliveryId).digest('hex').slice(0, 32),
      source: 'github',
      deliveryId,
      receivedAt: at,
      ...happening,
      status: 'recorded',
      since: at,
      writeId: deliveryId,
      ttl: Math.floor(clock.now() / 1000) + 86_400,
    };
    await memory.table.write({ pk: `RUN#${intake.id}`, sk: 'META' }, { put: { ...intake } }, { is: 'always' });
    queues.deliver({ queue: 'control', message: { format: 1, run: intake.id, group: repository.id }, at: clock.now() });
    return intake.id;
  }

  async function event(action: 'opened' | 'synchronize' | 'reopened' | 'closed', number: number, commit: string): Promise<string> {
    const pullRequest = { number, headSha: commitOf(commit), headBranch: `feat-${number}`, fork: false };
    return runIdOfIntake(await happens({ format: 1, event: 'pull_request', action, ...mona, pullRequest }));
  }

  const runIdOfIntake = (intake: string, environment = 'preview'): string =>
    createHash('sha256')
      .update(JSON.stringify([intake, 'main', environment]))
      .digest('hex')
      .slice(0, 32);

  function pull(
    number: number,
    commit: string,
    changes: readonly object[],
    more: { readonly providers?: object; readonly environments?: readonly string[] } = {},
  ): void {
    code.commit(commitOf(commit), planPath, planOf(changes, more));
    code.pulls.set(number, { number, open: true, head: { sha: commitOf(commit), branch: `feat-${number}`, fork: false } });
  }

  function keep(): () => void {
    const parts = [memory.keep(), bucket.keep(), queues.keep(), states.keep(), provider.keep(), ids.keep(), code.keep(), runner.keep()];
    const [now, said, called] = [clock.now(), logged.length, fate.calls.length];
    return () => {
      for (const back of parts) back();
      clock.set(now);
      logged.length = said;
      fate.forget(called);
    };
  }

  async function run(id: string): Promise<Run> {
    const found = await readRun(memory.table, id);
    if (!found) throw new Error(`there is no run ${id}`);
    return found;
  }

  async function report(id: string): Promise<RunReport> {
    const key = (await run(id)).report;
    const body = key === undefined ? undefined : bucket.bodies(key).at(-1);
    if (body === undefined) throw new Error(`run ${id} has no report: ${JSON.stringify(await run(id))}`);
    return JSON.parse(body) as RunReport;
  }

  return {
    clock,
    states,
    memory,
    bucket,
    queues,
    provider,
    runner,
    code,
    slack,
    fates: fate,
    bus,
    secrets,
    logged,
    log: said,
    world,
    pull,
    event,
    deployed: (commit, state) => {
      provider.deploy(commitOf(commit), state);
      const deployment = { sha: commitOf(commit), environment: 'Preview', state };
      return happens({ format: 1, event: 'deployment_status', action: 'created', ...mona, deployment }).then(() => undefined);
    },
    happens,
    async push(commit, changes) {
      if (changes) code.commit(commitOf(commit), planPath, planOf(changes));
      code.tips.set(repository.defaultBranch, commitOf(commit));
      const push = { branch: repository.defaultBranch, sha: commitOf(commit) };
      return runIdOfIntake(await happens({ format: 2, event: 'push', ...mona, push }), 'production');
    },
    async release(number, commit, changes, more) {
      pull(number, commit, changes, more);
      const id = await event('synchronize', number, commit);
      await quiet();
      return run(id);
    },
    async close(number, commit) {
      const found = code.pulls.get(number);
      if (found) code.pulls.set(number, { ...found, open: false });
      const id = await event('closed', number, commit);
      await quiet();
      return run(id);
    },
    async command({ commit, start = ids.fresh(), ...more }) {
      const fixed: NewRun = {
        intent: 'apply',
        repository,
        plan: { name: 'main', path: planPath },
        environment: 'preview',
        scope: 'branch-x',
        commit: commitOf(commit),
        branch: 'x',
        options: { busy: 'fail' },
      };
      return createRun({ table: memory.table, queues: queues.queues, ids, clock }, start, { ...fixed, ...more });
    },
    deliver: (message) => deliver(message, (message as Mail).dead === true),
    quiet,
    async sweep(minutes = 15) {
      clock.advance(minutes * 60_000);
      await sweepOnce();
      await quiet();
    },
    sweepOnce,
    keep,
    run,
    lines: async (id) => Object.fromEntries((await readRunLines(memory.table, id)).map((line) => [line.spec.id, line])),
    report,
    statuses: async (id) => Object.fromEntries((await report(id)).lines.map((line) => [line.id, line.status])),
  };
}

/** A plan file of these lines; a line that says nothing else is one of `example.things`. */
export function planOf(changes: readonly object[], more: { readonly providers?: object; readonly environments?: readonly string[] } = {}): string {
  const lines = changes.map((line) => ({ adapter: 'example', op: 'things', ...line }));
  return JSON.stringify({ version: 1, ...more, changes: lines });
}
