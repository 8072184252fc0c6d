import { EventBus } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';

/** Where runs announce what they did, for whatever else in the account wants to know. Nothing here listens to it. */
export class LockkeeperBus extends Construct {
  readonly bus: EventBus;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', { description: 'What Lockkeeper runs did' });
  }
}
