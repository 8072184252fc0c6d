/**
 * The simulator: the real handlers around the ports in memory, one clock, and a gate at which every port call stands until somebody lets it
 * happen (design, section 6; the method is told in docs/reliability.md). Nothing here knows the time of day or chance.
 */
import type { APIGatewayProxyEventV2, SQSBatchResponse } from 'aws-lambda';
import type { HandBack } from '../../functions/queue-job.ts';
import type { Run } from '../../shared/run/items.ts';
import { houseTiming } from '../house/house.ts';
import { recordOf } from '../house/mail.ts';
import { answerIn, eventOf, signingSecret } from '../ports/in-slack.ts';
import { type Mail, putBack } from '../ports/redelivery.ts';
import { countedKeys } from '../ports/stack-keys.ts';
import type { Workbench, WorkbenchParts } from '../ports/workbench.ts';
import { openHouse } from '../property/house.ts';
import { always } from '../property/oracles/always.ts';
import type { Seen } from '../property/stage.ts';
import { deliveryHeaders } from '../sim/github/deliver.ts';
import { type Press, type Pressed, pressed, signed } from '../sim/slack/press.ts';
import { leavesNothing } from './at-rest.ts';
import { fellOver } from './fell-over.ts';
import { type Call, type Fault, isWriteToProvider, nameOf, openGate } from './gate.ts';
import { type Answered, handlersOf, webhookSecret } from './handlers.ts';
import type { Hook } from './hooks.ts';
import { type Worker, workerOf } from './worker.ts';

/** With a `provider` of its own, nobody watches what is sent: whoever gives one judges it. */
export interface SimulatorOptions extends Omit<WorkbenchParts, 'fates' | 'skewed'> {
  /** An AWS account where it is not said. */
  readonly stack?: 'embedded' | 'deployed';
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
  /** Names of what somebody removed at the provider's console: a ledger may have it for ever, where no plan wants it any more. */
  readonly removed: Set<string>;
  /** How long each delivery takes, ms: none where it is not said. */
  pace: number;
  /** How far the clock of the next function is off, ms. */
  skew: () => number;
  /** GitHub sends this. What is not answered 202 is sent again, under the same id, when everything is at rest. */
  send(hook: Hook): Promise<Worker>;
  /** Sends it, and lets the function run. */
  hook(hook: Hook): Promise<void>;
  /** What a button of the newest card sends: somebody may have it before their eyes long after the card was changed. */
  button(press: Press): Pressed;
  /** Somebody presses a button of the newest card, or the one that they have before their eyes; a click that is refused or unanswered is made again. */
  click(press: Press | Pressed): Promise<void>;
  /** Slack sends this, whatever it holds. */
  interact(payload: object, what?: string): Promise<void>;
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
  /** What is broken, a sentence each, that begins with the name of the invariant: `I9: …`; with `thrown: …` where a job fell over the code itself. */
  judge(): string[];
  /** What has been judged at an end: second applies, destroys, and what came again. */
  readonly ends: { I3: number; I8: number; I10: number };
  /** Every message that was ever delivered. */
  readonly delivered: Mail[];
  /** Every webhook and click that was ever sent comes again, as it was. @returns how many. */
  resend(): Promise<number>;
}

/** How long SQS hides a message that was taken, seconds: six times the function's time-out, as the template has it. */
const hidden = (6 * houseTiming.functionTimeout) / 1000;

/** More deliveries than any story needs: one that does not come to rest is broken (I11), and does not hang. */
const mostDeliveries = 500;
const mostSweeps = 12;

export function openSimulator({ stack = 'deployed', ...parts }: SimulatorOptions = {}): Simulator {
  const gate = openGate();
  const house = openHouse({ timing: houseTiming, keys: countedKeys(), ...parts, fates: gate.fates, skewed: () => simulator.skew() }, stack);
  const { bench } = house;
  const { clock, queues } = bench;
  const handlers = handlersOf(bench);
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
    const record = recordOf(mail, received, `m-${++records}`);
    let settled = false;
    return start(
      `${mail.dead ? 'dead letter' : mail.queue} ${JSON.stringify(mail.message)}`,
      () => house.working(mail, () => handlers.message(mail, record, handBack)),
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
  async function event(what: string, request: () => APIGatewayProxyEventV2, handle: (event: APIGatewayProxyEventV2) => Promise<Answered>) {
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

  /** A schedule's event that fails comes again by its next one. */
  const scheduled = (which: 'tick' | 'night' = 'tick'): Promise<Worker> =>
    start(`schedule ${which}`, () => handlers.schedule(which), { ended: () => undefined, died: () => undefined });

  const isAtRest = (): boolean => queues.nextAt() === undefined && standing.length === 0 && unanswered.length === 0 && leavesNothing(bench);

  const simulator: Simulator = {
    ...house,
    plan: { length: 30 } as unknown as readonly unknown[],
    answers: [],
    moved: new Set(),
    removed: new Set(),
    ambiguous: new Set(),
    trace: [],
    delivered: [],
    ends: { I3: 0, I8: 0, I10: 0 },
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
      return event(`webhook ${name} ${id}`, () => ({ headers, body, isBase64Encoded: false }) as unknown as APIGatewayProxyEventV2, handlers.webhook);
    },
    async hook(hook) {
      await (await simulator.send(hook)).run();
    },
    button: (press) => pressed(bench.slack.state, press),
    async click(press) {
      const payload = 'actions' in press ? press : simulator.button(press);
      const answer = answerIn(payload);
      const run = bench.memory.peek(`RUN#${answer.run}`, 'META') as unknown as Run | undefined;
      const inTime = run?.phase === 'awaiting' && run.question?.q === answer.q;
      simulator.answers.push({ ...answer, inTime, at: clock.now() });
      await simulator.interact(payload, `click ${answer.verdict}`);
    },
    async interact(payload, what = 'click') {
      const worker = await event(what, () => eventOf(signed(payload, signingSecret, clock.now())), handlers.click);
      await worker.run();
    },
    async resend() {
      const sent = resends.slice();
      for (const again of sent) await (await again()).run();
      return sent.length;
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
    judge: () => [...fellOver(bench), ...always.flatMap((oracle) => oracle(simulator))],
  };
  return simulator;
}

/** One step of a trace, in words. */
export const stepText = ({ call, fault, what }: Simulator['trace'][number], number: number): string =>
  `${String(number).padStart(4, '0')} function ${call.worker} (${what.slice(0, 60)}) ${nameOf(call)} ${call.about.slice(0, 120)}${fault ? `  <- ${fault}` : ''}`;
