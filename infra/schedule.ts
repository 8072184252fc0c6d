import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

const MINUTES = 15;
/** Once a night, when few people push. UTC. */
const NIGHTLY = 'cron(17 3 * * ? *)';

/**
 * The two schedules. Every 15 minutes one wakes a function that asks the table what is due; once a night the other has the same function ask
 * for the clean-up. No schedule is created while Lockkeeper runs. A tick that cannot be delivered is dropped before the next one: the next asks the same question, so
 * a lost tick costs one interval, and a queue of old ones would only ask it many times over.
 */
export class LockkeeperSchedule extends Construct {
  readonly name: string;

  constructor(scope: Construct, id: string, target: LambdaFunction) {
    super(scope, id);
    const maxAge = Duration.minutes(MINUTES - 5);
    // The scheduler's own limit ends when Lambda has taken the event; this is Lambda's.
    target.configureAsyncInvoke({ maxEventAge: maxAge, retryAttempts: 1 });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } } }),
      inlinePolicies: {
        invoke: new PolicyDocument({ statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target.functionArn] })] }),
      },
    });
    const retryPolicy = { maximumEventAgeInSeconds: maxAge.toSeconds(), maximumRetryAttempts: 3 };
    const invoked = { arn: target.functionArn, roleArn: role.roleArn, retryPolicy };
    const schedule = new CfnSchedule(this, 'Schedule', {
      description: 'Asks the table what is due',
      scheduleExpression: `rate(${MINUTES} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      // The scheduler puts the time in: an event that comes twice, or late, is known by it.
      target: { ...invoked, input: JSON.stringify({ scheduledAt: '<aws.scheduler.scheduled-time>' }) },
    });
    this.name = schedule.ref;
    new CfnSchedule(this, 'Nightly', {
      description: 'Asks for the clean-up of what closed pull requests and deleted branches left',
      scheduleExpression: NIGHTLY,
      flexibleTimeWindow: { mode: 'OFF' },
      target: { ...invoked, input: JSON.stringify({ tick: 'clean-up' }) },
    });
  }
}
