/** Lockkeeper itself is updated in the middle of a run: for a while functions of two versions work on the same items and messages. */
import type { Mail } from '../../ports/redelivery.ts';
import type { Write } from '../../property/oracles/table-writes.ts';
import { goesOn, plant, queueAgain, readFixture } from '../../upgrade/restore.ts';
import type { Simulator } from '../simulator.ts';
import { type Story, turn } from '../story.ts';
import { isComplete } from './releases.ts';

const where = { pull: 7, commit: 'one', things: ['first', 'second', 'third'] };
const fixture = readFixture('line');

/** A format that only a later version knows. */
const later = 99;

const strays = new WeakMap<Simulator, string[]>();

/** Whoever works on a line claims it before anything else is read (P1): that ends by itself. */
const isClaim = ({ key, change }: Write): boolean =>
  key.sk.startsWith('LINE#') && 'set' in change && change.set?.['until'] !== undefined && !('result' in change.set);

/** The run that the older version began. */
const own = String((JSON.parse(fixture.messages[0]?.body ?? '{}') as { run?: string }).run);

/** What a function that knows less leaves as it is, it hands back: nothing is written of it. */
async function handsBack(simulator: Simulator, what: string, work: () => Promise<void>): Promise<void> {
  const { memory } = simulator.bench;
  const before = memory.writes.length;
  await work();
  const written = memory.writes.slice(before).filter((write) => write.key.pk === `RUN#${own}` && !isClaim(write));
  strays.get(simulator)?.push(...written.map(({ key: { pk, sk } }) => `I10: of ${what} of a later version ${pk} ${sk} was written`));
}

/** Every message of the run, once, and then it lies there as it was before it was looked at. */
async function deliverEach(simulator: Simulator, as: (mail: Mail) => Mail): Promise<void> {
  const { queues, clock } = simulator.bench;
  const isOwn = ({ message }: Mail): boolean => 'run' in message && message.run === own;
  const mails = queues.waiting() as readonly Mail[];
  const asBefore = queues.keep();
  while (queues.takeAt(0));
  for (const mail of mails) queues.deliver(as(mail));
  for (const _each of mails) await (await simulator.take((mail) => isOwn(mail) && mail.at <= clock.now())).run();
  const left = queues.waiting() as readonly Mail[];
  asBefore();
  for (const other of left.filter((mail) => !isOwn(mail))) queues.deliver(other, Math.max(0, (other.at - clock.now()) / 1000));
  const count = left.filter(isOwn).length;
  if (count !== mails.length) strays.get(simulator)?.push(`I10: ${count} messages are left of ${mails.length} that nobody here can read`);
  // Nobody here ever reads them, however often they come again.
  for (const mail of simulator.delivered.splice(0)) if (mail.message.format !== (later as number)) simulator.delivered.push(mail);
}

/** A later version has written the run's item, or sent the messages; a function of this one is given them first. */
async function meetsLater(simulator: Simulator): Promise<void> {
  const { bench } = simulator;
  await handsBack(simulator, 'messages', () => deliverEach(simulator, (mail) => ({ ...mail, message: { ...mail.message, format: later } }) as unknown as Mail));
  const key = { pk: `RUN#${own}`, sk: 'META' };
  const saysFormat = (format: number) => bench.memory.table.write(key, { set: { format } }, { is: 'always' });
  await saysFormat(later);
  await handsBack(simulator, 'a run', () => deliverEach(simulator, (mail) => mail));
  await saysFormat(1);
}

export const upgrade: Story = {
  name: 'upgrade',
  about: 'A run that an older version began meets functions of this one, and what a later version sends is handed back until that one takes it.',
  world: () => goesOn,
  overtake: (simulator) => turn(simulator, where),
  async before(simulator) {
    strays.set(simulator, []);
    await plant(simulator.bench, fixture);
    for (const { id } of fixture.things) simulator.ours.add(id);
    queueAgain(simulator.bench, fixture);
  },
  async play(simulator) {
    await meetsLater(simulator);
    await simulator.rest();
  },
  after: isComplete,
  closed: (simulator) => strays.get(simulator) ?? [],
  where,
};
