import { controlMessage } from '../../../events/control-message.ts';
import { approvalStates } from '../../../infra/approval-states.ts';
import { readDefinition } from '../../../infra/local/states/definition.ts';
import { createMachines } from '../../../infra/local/states/machines.ts';
import type { StateMachine } from '../../../shared/ports/state-machine.ts';
import type { SendState } from '../../ports/memory-state-machine.ts';
import { atMost, type Row } from '../row.ts';
import { type Counted, type DomainBench, linesOf, openDomain } from './runs.ts';

const perQuestion = 10;
const arn = 'arn:aws:states:us-east-1:000000000000:stateMachine:Approvals';

/** Transitions of the state machine, counted where its own definition runs, with the domain behind it. */
export async function transitions(): Promise<Row[]> {
  return [await ungated(), await asked(3), await asked(100), await askedTwice(100)];
}

async function ungated(): Promise<Row> {
  const { bench, entered } = openAsking();
  const { run } = await bench.run(linesOf('u', 3), { intent: 'apply', name: 'u' });
  return atMost('transitions: ungated run', 0, { value: entered().length, sound: run.outcome === 'complete' });
}

async function asked(lines: number): Promise<Row> {
  const { bench, entered } = openAsking();
  const run = await parked(bench, lines, 'once');
  const done = await bench.approve(run.run);
  return atMost(`transitions per question: gated run of ${lines} lines`, perQuestion, {
    value: entered().length,
    sound: done.run.outcome === 'complete',
    details: [entered().join(' → ')],
  });
}

/** The state moves between approval and guard: the run plans again and asks again, in the same execution. */
async function askedTwice(lines: number): Promise<Row> {
  const { bench, entered } = openAsking();
  await bench.approve((await parked(bench, lines, 'twice')).run);
  const before = entered().length;
  const second = await parked(bench, lines, 'twice', '2');
  const { table } = bench.workbench.memory;
  const line = bench.workbench.memory.items().find((item) => item.sk === 'LEDGER#l0' && item['lastRun'] !== second.run.id);
  if (line) await table.write({ pk: line.pk, sk: line.sk }, { set: { version: 'moved', lastRun: 'another' } }, { is: 'always' });
  const again = await bench.approve(second.run);
  const done = await bench.approve(again.run);
  return atMost(`transitions per question: gated run of ${lines} lines, asked twice`, perQuestion, {
    value: (entered().length - before) / 2,
    digits: 1,
    sound: line !== undefined && again.run.phase === 'awaiting' && done.run.outcome === 'complete',
    details: [entered().slice(before).join(' → ')],
  });
}

const parked = (bench: DomainBench, lines: number, name: string, text = '1'): Promise<Counted> =>
  bench.run(linesOf(name, lines, { text }), { intent: 'apply', name, environment: 'production' });

/** A bench that asks, as a deployed stack does. */
export interface Asking {
  readonly bench: DomainBench;
  /** Names of the states that all executions have entered. */
  readonly entered: () => string[];
}

/** The domain on the machine's own definition, run as the embedded stack runs it. */
export function openAsking(): Asking {
  const machines = createMachines(() => undefined);
  const started: string[] = [];
  const port = (send: SendState): StateMachine => {
    const definition = readDefinition('Approvals', JSON.stringify(approvalStates({ controlQueueUrl: 'control', partition: 'aws' })));
    machines.add(arn, { id: 'Approvals', name: 'approvals', definition, send: async ({ body }) => send(messageOf(body)) });
    return {
      async start(name, input) {
        const answer = machines.start(arn, name, input);
        if (typeof answer === 'object') started.push(answer.arn);
        return answer === 'exists' ? 'exists' : 'started';
      },
      succeed: async (token, output) => (machines.tokens.complete(token, { output }) ? 'done' : 'gone'),
    };
  };
  const entered = () => started.flatMap((execution) => machines.describe(execution)?.entered ?? []);
  return { bench: openDomain({ machine: { port, moves: () => machines.moving() > 0 } }), entered };
}

const messageOf = (body: string): Parameters<SendState>[0] => {
  const message = controlMessage.parse(JSON.parse(body));
  if (message.format !== 2) throw new Error(`the machine sent ${body}`);
  return message as Parameters<SendState>[0];
};
