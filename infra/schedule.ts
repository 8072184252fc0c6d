import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

const MINUTES = 15;

/**
 * The one schedule. Every 15 minutes it wakes a function that asks the table what is due; no schedule is created while
 * Lockkeeper runs. A tick that cannot be delivered is dropped before the next one: the next asks the same question, so
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
    const schedule = new CfnSchedule(this, 'Schedule', {
      description: 'Asks the table what is due',
      scheduleExpression: `rate(${MINUTES} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: { arn: target.functionArn, roleArn: role.roleArn, retryPolicy: { maximumEventAgeInSeconds: maxAge.toSeconds(), maximumRetryAttempts: 3 } },
    });
    this.name = schedule.ref;
  }
}
