import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { controlTimeoutOf, type Timing, visibilityOf } from './timing.ts';

/**
 * Receives before a message is dead. Lambda's guide asks for five at least, since throttling uses some up. Control steps get
 * more: several messages of one run meet at one step claim, and each that is handed back counts.
 */
const receives = { control: 10, lines: 5 } as const;

/**
 * The control and the lines queue, each with its dead-letter queue. Standard queues: order and duplicates are the protocol's
 * business (P1, P2), and a FIFO queue would cap one repository at 300 lines a second and stall it behind one bad message.
 */
export class LockkeeperQueues extends Construct {
  readonly control: Queue;
  readonly lines: Queue;
  readonly controlDead: Queue;
  readonly linesDead: Queue;

  constructor(scope: Construct, id: string, timing: Timing) {
    super(scope, id);
    // The function that reads them is a control job like any other.
    const dead = (name: string): Queue => this.queue(name, controlTimeoutOf(timing));
    this.controlDead = dead('ControlDead');
    this.linesDead = dead('LinesDead');
    this.control = this.queue('Control', controlTimeoutOf(timing), { queue: this.controlDead, maxReceiveCount: receives.control });
    this.lines = this.queue('Lines', timing.lineTimeoutSeconds, { queue: this.linesDead, maxReceiveCount: receives.lines });
  }

  private queue(id: string, functionTimeoutSeconds: number, deadLetterQueue?: { queue: Queue; maxReceiveCount: number }): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(visibilityOf(functionTimeoutSeconds)),
      ...(deadLetterQueue === undefined ? {} : { deadLetterQueue }),
    });
  }
}
