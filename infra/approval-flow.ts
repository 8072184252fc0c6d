import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledgeMachineWildcard } from './acknowledged.ts';
import { approvalStates } from './approval-states.ts';
import { send } from './grants.ts';

/**
 * The state machine that stands where a person or the moved world is waited for (P7). A Standard one: an execution may last
 * days, and its transitions, at most ten a question, are all it costs.
 */
export class LockkeeperApprovalFlow extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, controlQueue: IQueue) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Log', {
      // Deliveries to groups of this name share one resource policy; any other name adds to a policy that is soon full.
      logGroupName: `/aws/vendedlogs/states/${Aws.STACK_NAME}-approval`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com', { conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } } }),
      inlinePolicies: { work: new PolicyDocument({ statements: [send(controlQueue), deliverLogs, trace] }) },
    });
    acknowledgeMachineWildcard(role);
    const states = approvalStates({ controlQueueUrl: controlQueue.queueUrl, partition: Aws.PARTITION });
    const machine = new CfnStateMachine(this, 'StateMachine', {
      stateMachineType: 'STANDARD',
      roleArn: role.roleArn,
      definitionString: Stack.of(this).toJsonString(states),
      tracingConfiguration: { enabled: true },
      loggingConfiguration: {
        level: 'ALL',
        // Without inputs and outputs: they hold task tokens, and whoever has one can answer for an approver.
        includeExecutionData: false,
        destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: logGroup.logGroupArn } }],
      },
    });
    this.arn = machine.attrArn;
  }
}

/** Vended logs are set up by calls that name no resource. */
const deliverLogs = new PolicyStatement({
  actions: [
    'logs:CreateLogDelivery',
    'logs:GetLogDelivery',
    'logs:UpdateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:ListLogDeliveries',
    'logs:PutResourcePolicy',
    'logs:DescribeResourcePolicies',
    'logs:DescribeLogGroups',
  ],
  resources: ['*'],
});

const trace = new PolicyStatement({
  actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords', 'xray:GetSamplingRules', 'xray:GetSamplingTargets'],
  resources: ['*'],
});
