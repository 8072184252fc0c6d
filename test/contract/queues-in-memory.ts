/** The two queues in memory, taken from and put back to as the simulator, the house and the workbench do it. */
import { groupOf } from '../ports/fair-queue.ts';
import { manualClock } from '../ports/manual-clock.ts';
import { memoryQueues } from '../ports/memory-queues.ts';
import { type Mail, putBack, receives } from '../ports/redelivery.ts';
import type { QueueName, QueuesUnderTest, Received } from './queues-contract.ts';

export function queuesInMemory(): QueuesUnderTest {
  const clock = manualClock();
  const memory = memoryQueues(clock);
  /** What was received and is neither finished nor visible again, and until when. */
  const hidden = new Map<Mail, number>();

  function comeBack(): void {
    for (const [mail, until] of hidden) {
      if (until > clock.now()) continue;
      hidden.delete(mail);
      putBack(memory, mail, mail.received ?? 0, 0);
    }
  }

  function take(queue: QueueName, isDead: boolean): Mail | undefined {
    const due = memory.waiting().filter(({ at }) => at <= clock.now()) as readonly Mail[];
    const place = due.findIndex((mail) => mail.queue === queue && (mail.dead === true) === isDead);
    return place < 0 ? undefined : (memory.takeAt(place) as Mail);
  }

  function all(queue: QueueName, isDead: boolean): Mail[] {
    comeBack();
    const mails: Mail[] = [];
    for (let mail = take(queue, isDead); mail; mail = take(queue, isDead)) mails.push({ ...mail, received: (mail.received ?? 0) + 1 });
    return mails;
  }

  return {
    queues: memory.queues,
    receives,
    receive: async (queue, hiddenSeconds) =>
      all(queue, false).map((mail): Received => {
        hidden.set(mail, clock.now() + hiddenSeconds * 1000);
        return {
          message: mail.message,
          receives: mail.received ?? 0,
          group: groupOf(mail),
          async handBack(seconds) {
            if (hidden.has(mail)) hidden.set(mail, clock.now() + seconds * 1000);
          },
          finish: async () => void hidden.delete(mail),
        };
      }),
    dead: async (queue) => all(queue, true).map(({ message }) => message),
    delayed: async (queue) => memory.waiting().filter((one) => one.queue === queue && one.at > clock.now()).length,
    loseNextSend: (queue) => memory.faults.loseAnswer((call) => call.queue === queue),
    afterLoss: 'STORE_UNREACHABLE',
    pass: (seconds) => clock.advance(seconds * 1000),
    stop: async () => {},
  };
}
