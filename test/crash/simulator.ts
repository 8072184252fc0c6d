/**
 * The simulator: the real handlers around the ports in memory, one clock, and a gate at which every port call stands until somebody lets it
 * happen (design, section 6; the method is told in docs/reliability.md). Nothing here knows the time of day or chance.
 */
import type { APIGatewayProxyEventV2, Context, SQSBatchResponse } from 'aws-lambda';
import { deadJob } from '../../functions/dead-letter/job.ts';
import { allowList } from '../../functions/github-webhook/allow-list.ts';
import { webhook } from '../../functions/github-webhook/webhook.ts';
import { lineJob } from '../../functions/line-worker/job.ts';
import type { HandBack } from '../../functions/queue-job.ts';
import { controlJob } from '../../functions/run-controller/job.ts';
import { night } from '../../functions/schedule/night.ts';
import { tick } from '../../functions/schedule/tick.ts';
import { interaction } from '../../functions/slack-interaction/interaction.ts';
import type { Item } from '../../shared/ports/table.ts';
import type { JobWorld } from '../../shared/run/world.ts';
import { houseTiming } from '../house/house.ts';
import { recordOf } from '../house/mail.ts';
import { eventOf, signingSecret } from '../ports/in-slack.ts';
import { type Mail, putBack } from '../ports/redelivery.ts';
import { countedKeys } from '../ports/stack-keys.ts';
import { commitOf, repository, type Workbench, type WorkbenchParts } from '../ports/workbench.ts';
import { openHouse } from '../property/house.ts';
import { always } from '../property/oracles/always.ts';
import { runsOf, type Seen } from '../property/stage.ts';
import { deliveryHeaders } from '../sim/github/deliver.ts';
import { type Press, pressed, signed } from '../sim/slack/press.ts';
import { type Call, type Fault, isWriteToProvider, nameOf, openGate } from './gate.ts';
import { type Worker, workerOf } from './worker.ts';

/** With a `provider` of its own, nobody watches what is sent: whoever gives one judges it. */
export interface SimulatorOptions extends Omit<WorkbenchParts, 'fates' | 'skewed'> {
  /** An AWS account where it is not said. */
  readonly stack?: 'embedded' | 'deployed';
}

/** An event as GitHub sends it. */
export interface Hook {
  readonly event: string;
  readonly payload: object;
}

export interface Simulator extends Seen {
  readonly bench: Workbench;
  /** Every call that went through the gate, in order, and what befell it. */
  readonly trace: { readonly call: Call; readonly fault: Fault | undefined; readonly what: string }[];
  /** What befalls a call that nobody steps through by hand, by its number in the trace; undefined: nothing. */
  fate: (call: Call, number: number) => Fault | undefined;
  /** Messages that stay where they are until nothing else moves: a queue that is behind. */
  hold: ((mail: Mail) => boolean) | undefined;
  /** Writes beside those to providers that a deadline alone guards. */
  guardedByTime: (call: Call) => boolean;
  /** What somebody does when a function comes to stand still that is to be overtaken. */
  meanwhile: (() => Promise<void>) | undefined;
  /** How long each delivery takes, ms: none where it is not said. */
  pace: number;
  /** How far the clock of the next function is off, ms. */
  skew: () => number;
  /** GitHub sends this. What is not answered 202 is sent again, under the same id, when everything is at rest. */
  send(hook: Hook): Promise<Worker>;
  /** Sends it, and lets the function run. */
  hook(hook: Hook): Promise<void>;
  /** Somebody presses a button of the newest card; a click that is refused or unanswered is made again. */
  click(press: Press): Promise<void>;
  /** The next message that fits, at its time, its function started and standing before its first call. @throws Error where none fits. */
  take(match?: (mail: Mail) => boolean): Promise<Worker>;
  /** One of the messages that are due, by chance. */
  takeAny(below: (count: number) => number): Promise<Worker>;
  /** The schedule fires: `tick` every few minutes, `night` once a day. */
  schedule(which?: 'tick' | 'night'): Promise<Worker>;
  /** Puts a copy of a message into its queue. */
  again(mail: Mail, seconds?: number): void;
  /** Delivers until no message is left, then lets whoever stood still go on, until nothing moves. */
  quiet(): Promise<void>;
  /** Quiet, and the schedule as often as it takes: what a deployed stack does within a few hours. */
  rest(): Promise<void>;
  /** What is broken, a sentence each, that begins with the name of the invariant: `I9: …`. */
  judge(): string[];
  /** Every message that was ever delivered. */
  readonly delivered: Mail[];
  /** Every webhook and click that was ever sent comes again, as it was. */
  resend(): Promise<void>;
}

/** What its webhooks are signed with. */
export const webhookSecret = 'the webhook secret of the simulator, long enough';

/** How long SQS hides a message that was taken, seconds: six times the function's time-out, as the template has it. */
const hidden = (6 * houseTiming.functionTimeout) / 1000;

/** More deliveries than any story needs: one that does not come to rest is broken (I11), and does not hang. */
const mostDeliveries = 500;
const mostSweeps = 12;

/** A pull request's event. */
export function pullHook(action: 'opened' | 'synchronize' | 'reopened' | 'closed', number: number, commit: string): Hook {
  const { id, owner, name, defaultBranch } = repository;
  const own = { id: Number(id), name, owner: { login: owner, id: 1, type: 'Organization' }, default_branch: defaultBranch, full_name: `${owner}/${name}` };
  const side = (ref: string, sha: string) => ({ ref, sha, repo: own });
  const pull = { number, state: action === 'closed' ? 'closed' : 'open', head: side(`feat-${number}`, commitOf(commit)), base: side('main', commitOf('base')) };
  return { event: 'pull_request', payload: { action, number, pull_request: pull, repository: own, sender: { login: 'mona', id: 2, type: 'User' } } };
}

/** The event of a push to the default branch. */
export function pushHook(commit: string): Hook {
  const { repository: own, sender } = pullHook('opened', 1, commit).payload as Record<string, unknown>;
  return { event: 'push', payload: { ref: `refs/heads/${repository.defaultBranch}`, after: commitOf(commit), deleted: false, repository: own, sender } };
}

/** Mona writes a comment on a pull request. The host has it, too, where it is put into `bench.code.written` under that id. */
export function commentHook(number: number, id: number, body: string): Hook {
  const { repository: own, sender } = pullHook('opened', number, 'one').payload as Record<string, unknown>;
  const issue = { number, state: 'open', pull_request: { url: `https://api.github.test/pulls/${number}` } };
  return { event: 'issue_comment', payload: { action: 'created', issue, comment: { id, body, user: sender }, repository: own, sender } };
}

/** A platform has deployed a commit. */
export function deploymentHook(commit: string, state: 'success' | 'failure'): Hook {
  const { repository: own, sender } = pullHook('opened', 1, commit).payload as Record<string, unknown>;
  const deployment = { sha: commitOf(commit), environment: 'Preview' };
  return { event: 'deployment_status', payload: { action: 'created', deployment, deployment_status: { state, target_url: null }, repository: own, sender } };
}

export function openSimulator({ stack = 'deployed', ...parts }: SimulatorOptions = {}): Simulator {
  const gate = openGate();
  const house = openHouse({ timing: houseTiming, keys: countedKeys(), ...parts, fates: gate.fates, skewed: () => simulator.skew() }, stack);
  const { bench } = house;
  const { clock, queues } = bench;
  const standing: Worker[] = [];
  /** What nobody has answered as it wants to be answered. */
  const unanswered: (() => Promise<Worker>)[] = [];
  /** Sends again what was ever sent. */
  const resends: (() => Promise<Worker>)[] = [];
  let deliveries = 0;
  let hooks = 0;
  let records = 0;

  /** Starts a function, and waits until it stands at its first call, or is over without one. */
  async function start(what: string, work: () => Promise<unknown>, { ended, died }: { ended: (answer: unknown) => void; died: () => void }): Promise<Worker> {
    const before = gate.count();
    let over = false;
    let dead = false;
    const end = (answer: unknown): void => {
      over = true;
      if (!dead) ended(answer);
    };
    void work().then(end, end);
    while (!over && gate.count() === before) await new Promise((resolve) => setImmediate(resolve));
    const visitor = gate.count() === before ? { number: -1, standing: [], let: () => undefined, die: () => undefined } : gate.newest();
    const worker = workerOf(what, visitor, () => over, {
      fate: (call) => simulator.fate(call, simulator.trace.length),
      hasLeft: (call) => isWriteToProvider(call) || simulator.guardedByTime(call),
      saw: (call, fault) => void simulator.trace.push({ call, fault, what }),
      died() {
        dead = true;
        died();
      },
      async paused(how) {
        standing.push(worker);
        // Nobody waits for an answer that does not come: the message, or the event, is there again for another function.
        died();
        if (how !== 'overtaken') return;
        const own = /"run":"(\w+)"/.exec(what)?.[1];
        simulator.hold = ({ message }) => 'run' in message && message.run === own;
        await simulator.meanwhile?.();
      },
    });
    while (!over && visitor.standing.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return worker;
  }

  async function work(mail: Mail): Promise<Worker> {
    deliveries += 1;
    clock.advance(simulator.pace);
    simulator.delivered.push(mail);
    const received = (mail.received ?? 0) + 1;
    const takenAt = clock.now();
    let away: number | undefined;
    const handBack: HandBack = async (_record, seconds) => {
      away = seconds;
    };
    const jobs = {
      control: () =>
        controlJob(
          async () => bench.world(),
          handBack,
          () => bench.log,
        ),
      lines: () =>
        lineJob(
          async () => bench.world(),
          handBack,
          () => bench.log,
        ),
    };
    const job = mail.dead
      ? deadJob(
          () => bench.world(),
          handBack,
          () => bench.log,
        )
      : jobs[mail.queue]();
    const record = recordOf(mail, received, `m-${++records}`);
    let settled = false;
    return start(
      `${mail.dead ? 'dead letter' : mail.queue} ${JSON.stringify(mail.message)}`,
      () => house.working(mail, () => job({ Records: [record] }, {} as Context)),
      {
        ended(answer) {
          if (settled) return;
          settled = true;
          const failed = answer instanceof Error || ((answer as SQSBatchResponse | undefined)?.batchItemFailures ?? []).length > 0;
          if (!failed) return;
          clock.advance(1); // a message that is handed back at once still takes its time
          putBack(queues, mail, received, away ?? hidden);
        },
        died() {
          if (settled) return;
          settled = true;
          putBack(queues, mail, received, hidden - (clock.now() - takenAt) / 1000);
        },
      },
    );
  }

  /** An event from outside: sent again until it is answered as it wants to be. */
  async function event(
    what: string,
    request: () => APIGatewayProxyEventV2,
    handle: (event: APIGatewayProxyEventV2) => Promise<{ readonly statusCode?: number | undefined }>,
  ) {
    let settled = false;
    const again = (): void => {
      if (!settled) unanswered.push(() => event(what, request, handle));
      settled = true;
    };
    const sent = request();
    resends.push(() => event(what, () => sent, handle));
    return start(what, () => handle(sent), {
      ended(answer) {
        const status = (answer as { statusCode?: number }).statusCode ?? 500;
        if (status >= 500) again();
        settled = true;
      },
      died: again,
    });
  }

  const scheduled = (which: 'tick' | 'night' = 'tick'): Promise<Worker> => {
    // A schedule's event that fails comes again by its next one.
    const world = (): JobWorld => bench.world();
    return start(`schedule ${which}`, () => (which === 'tick' ? tick(world()) : night(world())), { ended: () => undefined, died: () => undefined });
  };

  function isAtRest(): boolean {
    if (queues.nextAt() !== undefined || standing.length > 0 || unanswered.length > 0) return false;
    const due = new Set(['recorded', 'open', 'untold']);
    // Whoever stood still past its own claim may have taken the lease of a run that is over: it runs out by itself (P3).
    const isHeld = (item: Item): boolean => item.sk === 'LEASE' && item['released'] !== true && Number(item['expiresAt']) >= clock.now();
    return (
      runsOf(bench).every((run) => ['done', 'waiting', 'awaiting'].includes(run.phase) && !(run.outcome === 'failed' && run.resumeAt !== undefined)) &&
      !bench.memory.each().some((item) => due.has(String(item['status'])) || isHeld(item))
    );
  }

  const simulator: Simulator = {
    ...house,
    plan: { length: 30 } as unknown as readonly unknown[],
    answers: [],
    moved: new Set(),
    ambiguous: new Set(),
    trace: [],
    delivered: [],
    get deliveries() {
      return deliveries;
    },
    fate: () => undefined,
    hold: undefined,
    meanwhile: undefined,
    pace: 0,
    guardedByTime: () => false,
    skew: () => 0,
    async send({ event: name, payload }) {
      const id = `delivery-${++hooks}`;
      const body = JSON.stringify(payload);
      const headers = deliveryHeaders(name, body, webhookSecret, id);
      const handle = (sent: APIGatewayProxyEventV2) =>
        webhook({ ...bench.world(), secret: async () => webhookSecret, allows: allowList(`${repository.owner}/${repository.name}`) })(sent, {} as Context);
      return event(`webhook ${name} ${id}`, () => ({ headers, body, isBase64Encoded: false }) as unknown as APIGatewayProxyEventV2, handle);
    },
    async hook(hook) {
      await (await simulator.send(hook)).run();
    },
    async click(press) {
      const payload = pressed(bench.slack.state, press);
      const asking = runsOf(bench).find(({ phase }) => phase === 'awaiting');
      if (asking?.question) {
        const { q, digest } = asking.question;
        simulator.answers.push({ run: asking.id, q, digest, verdict: press.button === 'Approve' ? 'approve' : 'reject', inTime: true, at: clock.now() });
      }
      const handle = (sent: APIGatewayProxyEventV2) => interaction({ ...bench.world(), signingSecret: async () => signingSecret }, sent);
      const worker = await event(`click ${press.button} of ${press.user}`, () => eventOf(signed(payload, signingSecret, clock.now())), handle);
      await worker.run();
    },
    async resend() {
      for (const again of resends.slice()) await (await again()).run();
    },
    async take(match = () => true) {
      const fitting = (queues.waiting() as readonly Mail[]).filter(match);
      if (fitting.length === 0) throw new Error(`no message fits, of ${JSON.stringify(queues.waiting())}`);
      const first = fitting.reduce((one, other) => (other.at < one.at ? other : one));
      if (first.at > clock.now()) clock.set(first.at);
      const ready = queues.waiting().filter((one) => one.at <= clock.now());
      return work(queues.takeAt(ready.indexOf(first)) as Mail);
    },
    async takeAny(below) {
      const ready = queues.waiting().filter(({ at }) => at <= clock.now()).length;
      return work(queues.takeAt(below(ready)) as Mail);
    },
    schedule: scheduled,
    again: (mail, seconds = 0) => queues.deliver(mail, seconds),
    async quiet() {
      for (let count = 0; ; count += 1) {
        if (count > mostDeliveries) throw new Error(`I11: still no quiet after ${mostDeliveries} deliveries: ${JSON.stringify(queues.waiting().slice(0, 3))}`);
        if (queues.waiting().some((mail) => !simulator.hold?.(mail))) await (await simulator.take((mail) => !simulator.hold?.(mail))).run();
        else if (standing.length > 0) {
          // Longer than any lease, with the clocks as far apart as they may be.
          clock.advance(houseTiming.leaseTtl + 3 * houseTiming.skew);
          await standing.shift()?.run();
        } else if (simulator.hold) simulator.hold = undefined;
        else if (unanswered.length > 0) await (await unanswered.shift()?.())?.run();
        else return;
      }
    },
    async rest() {
      await simulator.quiet();
      for (let times = 0; times < mostSweeps && (times === 0 || !isAtRest()); times += 1) {
        clock.advance(15 * 60_000);
        bench.states.expire();
        await (await scheduled('tick')).run();
        await simulator.quiet();
      }
    },
    judge: () => always.flatMap((oracle) => oracle(simulator)),
  };
  return simulator;
}

/** One step of a trace, in words. */
export const stepText = ({ call, fault, what }: Simulator['trace'][number], number: number): string =>
  `${String(number).padStart(4, '0')} function ${call.worker} (${what.slice(0, 60)}) ${nameOf(call)} ${call.about.slice(0, 120)}${fault ? `  <- ${fault}` : ''}`;
