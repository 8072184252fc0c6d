/** Cards in Slack that ask what is not asked any more (P7): a question that is over, and one whose place a newer commit's has taken. */
import { answerIn } from '../../ports/in-slack.ts';
import { runsOf } from '../../property/stage.ts';
import type { Simulator } from '../simulator.ts';
import { first, inProduction, next, pushed } from '../stories/approval.ts';
import { approve, approveAll, newest } from '../story.ts';
import type { Worker } from '../worker.ts';
import type { Case } from './case.ts';
import { deliverDue, pastLease, untilAbout } from './deliveries.ts';

/** The first commit is in production, and the second one is asked about. */
async function asked(simulator: Simulator): Promise<void> {
  await inProduction(simulator, first);
  await pushed(simulator, 'two', next);
  await simulator.rest();
}

/** It is approved and found stale; the step that asks again stands before it shows that, and a commit that would do the same takes the card over. */
async function late(simulator: Simulator): Promise<Worker> {
  await asked(simulator);
  simulator.bench.provider.remove('b');
  await simulator.click(approve);
  const worker = await untilAbout(simulator, ({ port, method, about }) => port === 'chat' && method === 'update' && about.includes('"Approve"'));
  simulator.bench.clock.advance(pastLease);
  await pushed(simulator, 'three', next);
  await deliverDue(simulator);
  return worker;
}

/** What the newest card asks is what is asked. */
function mustAsk(simulator: Simulator): void {
  const asking = runsOf(simulator.bench).find(({ phase }) => phase === 'awaiting');
  const { run } = answerIn(simulator.button(approve));
  if (asking?.id !== run) throw new Error(`I11: the card in Slack asks for run ${run}, and ${asking ? `run ${asking.id}` : 'nobody'} waits for an answer`);
}

function mustComplete(simulator: Simulator): void {
  const run = newest(simulator);
  if (run?.outcome !== 'complete') throw new Error(`I11: everything that Slack asks is approved, and the newest run is ${run?.outcome} in ${run?.phase}`);
}

export const cardCases: readonly Case[] = [
  {
    name: 'somebody presses the button of a question that was found stale, when the next one is asked',
    source: 'protocol P7, a decision is of one question',
    guards: ['I7', 'I12'],
    async play(simulator) {
      await asked(simulator);
      const before = simulator.button({ ...approve, user: 'U0000ALEX' });
      simulator.bench.provider.remove('b');
      await simulator.click(approve);
      await simulator.rest();
      await simulator.click(before);
      await simulator.rest();
      await approveAll(simulator);
      mustComplete(simulator);
    },
  },
  {
    name: 'a step that shows its question comes late to a card that a newer commit has taken over',
    source: 'the simulator, approval, overtaken',
    guards: ['I11'],
    async play(simulator) {
      const worker = await late(simulator);
      await worker.run();
      await deliverDue(simulator);
      mustAsk(simulator);
      await approveAll(simulator);
      mustComplete(simulator);
    },
  },
  {
    name: 'a step writes over the card that a newer commit has taken over, and dies before it can know',
    source: 'the simulator, approval, overtaken',
    guards: ['I11'],
    async play(simulator) {
      await (await late(simulator)).step('after');
      await simulator.rest();
      await approveAll(simulator);
      mustComplete(simulator);
    },
  },
];
