import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnOutput, CfnParameter, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { codeHash } from '../shared/platform/code-hash.ts';
import { LockkeeperAlarms } from './alarms.ts';
import { LockkeeperApi } from './api.ts';
import { LockkeeperApprovalFlow } from './approval-flow.ts';
import { LockkeeperBucket } from './bucket.ts';
import { LockkeeperBus } from './bus.ts';
import { bundles, type CodeSource } from './entry-function.ts';
import { LockkeeperFunctions } from './functions.ts';
import { LockkeeperQueues } from './queues.ts';
import { LockkeeperSchedule } from './schedule.ts';
import { LockkeeperSecrets } from './secrets.ts';
import { LockkeeperTable } from './table.ts';
import { awsTiming, checkTiming, type Timing } from './timing.ts';
import { LockkeeperToolProjects } from './tool-projects.ts';

export interface LockkeeperStackProps extends StackProps {
  readonly timing: Timing;
  readonly code: CodeSource;
  /** Default of the `Repositories` parameter, the allow-list. Nobody where absent. */
  readonly repositories?: string;
  /** First part of every secret's name; `lockkeeper` where absent. A second stack in one account needs another. */
  readonly secretsPrefix?: string;
}

/**
 * Lockkeeper in one AWS account.
 *
 * @throws Error when the times do not fit together (P1, P3).
 */
export class LockkeeperStack extends Stack {
  constructor(scope: Construct, id: string, props: LockkeeperStackProps) {
    super(scope, id, props);
    const { timing, code, secretsPrefix = 'lockkeeper' } = props;
    checkTiming(timing);
    const repositories = allowList(this, props.repositories ?? '');
    const table = new LockkeeperTable(this, 'State');
    const bucket = new LockkeeperBucket(this, 'Objects');
    const queues = new LockkeeperQueues(this, 'Queues', timing);
    const bus = new LockkeeperBus(this, 'Events');
    const approvals = new LockkeeperApprovalFlow(this, 'Approvals', queues.control);
    const secrets = new LockkeeperSecrets(this, 'Secrets', secretsPrefix);
    const tools = new LockkeeperToolProjects(this, 'Tools', { bucket, control: queues.control, code });
    const parts = { table, bucket, queues, bus, approvals, tools, secrets };
    const functions = new LockkeeperFunctions(this, 'Functions', { ...parts, secretsPrefix, repositories, timing, code });
    const schedule = new LockkeeperSchedule(this, 'Every15Minutes', functions.schedule);
    const api = new LockkeeperApi(this, 'Api', functions);
    const alarms = new LockkeeperAlarms(this, 'Alarms', { queues, timing, ...functions.logs });
    outputs(this, {
      Version: version,
      CodeHash: (code === 'bundle' ? codeHash(bundles) : undefined) ?? 'none',
      WebhookUrl: api.urls.webhook,
      SlackInteractionsUrl: api.urls.slack,
      TableName: table.table.tableName,
      BucketName: bucket.bucket.bucketName,
      EventBusName: bus.bus.eventBusName,
      StateMachineArn: approvals.arn,
      ControlQueueUrl: queues.control.queueUrl,
      LinesQueueUrl: queues.lines.queueUrl,
      ControlDeadLetterQueueUrl: queues.controlDead.queueUrl,
      LinesDeadLetterQueueUrl: queues.linesDead.queueUrl,
      ScheduleName: schedule.name,
      ToolPlanProjectName: tools.plan.ref,
      ToolApplyProjectName: tools.apply.ref,
      LineWorkerRoleArn: functions.lineWorkerRoleArn,
      AlarmTopicArn: alarms.topic.topicArn,
      WebhookSecretName: `${secretsPrefix}/github-webhook`,
      GithubAppSecretName: `${secretsPrefix}/github-app`,
      SlackSecretName: `${secretsPrefix}/slack`,
    });
  }
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string };

/** An empty list serves nobody: a webhook of a repository that is not named is refused. */
function allowList(stack: Stack, byDefault: string): string {
  const entry = '([\\w.-]+/([\\w.-]+|\\*)|\\d+|\\*)';
  const parameter = new CfnParameter(stack, 'Repositories', {
    type: 'String',
    default: byDefault,
    description: 'Repositories that may use this stack: owner/name, owner/*, a numeric id, or * for all; comma-separated. Empty: none.',
    allowedPattern: `^$|^${entry}(\\s*,\\s*${entry})*$`,
    constraintDescription: 'owner/name, owner/*, a numeric id or *, comma-separated',
  });
  return parameter.valueAsString;
}

function outputs(stack: Stack, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) new CfnOutput(stack, name, { value });
}

/** What may be chosen with `-c name=value`: with each deploy and each destroy, since the CDK keeps none of it. */
export interface Chosen {
  /** `-c stack=…`: the stack's name. */
  readonly stack: string;
  /** `-c secretsPrefix=…`: first part of every secret's name. */
  readonly secretsPrefix: string;
}

/** @throws Error for a name that CloudFormation or Secrets Manager would not take, before anything is made. */
export function chosenFor(scope: Construct): Chosen {
  const choice = (name: keyof Chosen, byDefault: string, pattern: RegExp): string => {
    const value: unknown = scope.node.tryGetContext(name) ?? byDefault;
    if (typeof value !== 'string' || !pattern.test(value)) throw new Error(`-c ${name}=${String(value)}: it must match ${pattern.source}`);
    return value;
  };
  return {
    stack: choice('stack', 'Lockkeeper', /^[A-Za-z][A-Za-z0-9-]{0,63}$/),
    secretsPrefix: choice('secretsPrefix', 'lockkeeper', /^[A-Za-z0-9_-]{1,64}$/),
  };
}

/** The stack as it is deployed. Its functions come from `dist/functions`. */
export function deployableStack(scope: Construct): LockkeeperStack {
  const { stack, secretsPrefix } = chosenFor(scope);
  return new LockkeeperStack(scope, stack, { timing: awsTiming, code: 'bundle', secretsPrefix, description: 'Lockkeeper: release control plane' });
}
