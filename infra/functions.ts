import { Aws } from 'aws-cdk-lib';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeControllerNames, acknowledgeWorkerNames } from './acknowledged.ts';
import type { LockkeeperApprovalFlow } from './approval-flow.ts';
import type { LockkeeperBucket } from './bucket.ts';
import type { LockkeeperBus } from './bus.ts';
import { type CodeSource, EntryFunction } from './entry-function.ts';
import {
  announce,
  assumeStackRoles,
  completeTasks,
  consume,
  endTools,
  putClicks,
  putRunItems,
  queryIndex,
  readParameters,
  readSecrets,
  readVersions,
  runTools,
  send,
  startExecutions,
  useItems,
  useObjects,
  useToolObjects,
} from './grants.ts';
import type { LockkeeperQueues } from './queues.ts';
import type { LockkeeperSecrets } from './secrets.ts';
import type { LockkeeperTable } from './table.ts';
import { controlTimeoutOf, type Timing } from './timing.ts';
import type { LockkeeperToolProjects } from './tool-projects.ts';

/** GitHub gives up on a delivery after ten seconds. */
const WEBHOOK_TIMEOUT_SECONDS = 10;
/** Slack tells whoever clicked after three seconds that nothing came of it; what is written afterwards is handled all the same. */
const INTERACTION_TIMEOUT_SECONDS = 6;
const SCHEDULE_TIMEOUT_SECONDS = 60;

/**
 * How many messages of a queue are worked on at once, held by the mapping. Reserved concurrency would do it too, but a new
 * account has little to reserve, and a throttled function uses up receives of a message that nobody looked at.
 */
const concurrency = { control: 10, lines: 50, dead: 2 } as const;

export interface FunctionsProps {
  readonly table: LockkeeperTable;
  readonly bucket: LockkeeperBucket;
  readonly queues: LockkeeperQueues;
  readonly bus: LockkeeperBus;
  readonly approvals: LockkeeperApprovalFlow;
  readonly tools: LockkeeperToolProjects;
  readonly secrets: LockkeeperSecrets;
  readonly secretsPrefix: string;
  /** The allow-list, comma-separated. */
  readonly repositories: string;
  readonly timing: Timing;
  readonly code: CodeSource;
}

/** One function per entry point, each with the variables and rights it uses and no others, and what wakes it. */
export class LockkeeperFunctions extends Construct {
  readonly webhook: LambdaFunction;
  readonly interaction: LambdaFunction;
  readonly schedule: LambdaFunction;
  /** The role that takes the roles of stacks: their trust policies name it. */
  readonly lineWorkerRoleArn: string;
  /** Where the functions whose lines are counted write them. */
  readonly logs: { readonly controllerLog: ILogGroup; readonly scheduleLog: ILogGroup; readonly interactionLog: ILogGroup };

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    this.webhook = webhook(this, props).function;
    const clicks = interaction(this, props);
    this.interaction = clicks.function;
    const scheduled = schedule(this, props);
    this.schedule = scheduled.function;
    const { queues } = props;
    const control = controller(this, props);
    this.logs = { controllerLog: control.logGroup, scheduleLog: scheduled.logGroup, interactionLog: clicks.logGroup };
    readOneByOne('Control', queues.control, control, concurrency.control);
    const lines = worker(this, props);
    this.lineWorkerRoleArn = lines.role.roleArn;
    readOneByOne('Lines', queues.lines, lines, concurrency.lines);
    const dead = deadLetter(this, props);
    readOneByOne('ControlDead', queues.controlDead, dead, concurrency.dead);
    readOneByOne('LinesDead', queues.linesDead, dead, concurrency.dead);
  }
}

function webhook(scope: Construct, { table, queues, secrets, repositories, code }: FunctionsProps): EntryFunction {
  return new EntryFunction(scope, 'GithubWebhook', {
    entry: 'github-webhook',
    description: 'Verifies a webhook, records it, queues it, answers',
    timeoutSeconds: WEBHOOK_TIMEOUT_SECONDS,
    memoryMiB: 512,
    environment: {
      TABLE_NAME: table.table.tableName,
      CONTROL_QUEUE_URL: queues.control.queueUrl,
      WEBHOOK_SECRET_ID: secrets.webhook.ref,
      REPOSITORIES: repositories,
    },
    may: [putRunItems(table.table), send(queues.control), readSecrets(secrets.webhook)],
    code,
  });
}

/** A click comes seldom and has three seconds, a cold start included: more memory is more processor. */
function interaction(scope: Construct, { table, queues, secrets, code }: FunctionsProps): EntryFunction {
  return new EntryFunction(scope, 'SlackInteraction', {
    entry: 'slack-interaction',
    description: 'Verifies a click in Slack, records it, queues it, answers',
    timeoutSeconds: INTERACTION_TIMEOUT_SECONDS,
    memoryMiB: 1024,
    environment: {
      TABLE_NAME: table.table.tableName,
      CONTROL_QUEUE_URL: queues.control.queueUrl,
      SLACK_SECRET_ID: secrets.slack.ref,
    },
    may: [putClicks(table.table), send(queues.control), readSecrets(secrets.slack)],
    code,
  });
}

function schedule(scope: Construct, { table, queues, timing, code }: FunctionsProps): EntryFunction {
  return new EntryFunction(scope, 'Schedule', {
    entry: 'schedule',
    description: 'Asks the table what is due and queues it again',
    timeoutSeconds: SCHEDULE_TIMEOUT_SECONDS,
    memoryMiB: 512,
    environment: {
      TABLE_NAME: table.table.tableName,
      CONTROL_QUEUE_URL: queues.control.queueUrl,
      CLOCK_SKEW_SECONDS: String(timing.skewSeconds),
      FUNCTION_TIMEOUT_SECONDS: String(SCHEDULE_TIMEOUT_SECONDS),
    },
    may: [queryIndex(table.table, 'due'), send(queues.control)],
    code,
  });
}

function controller(scope: Construct, props: FunctionsProps): EntryFunction {
  const { table, bucket, queues, bus, approvals, tools, secrets, secretsPrefix, repositories, timing, code } = props;
  const made = new EntryFunction(scope, 'RunController', {
    entry: 'run-controller',
    description: 'One control step of a run',
    timeoutSeconds: controlTimeoutOf(timing),
    memoryMiB: 1024,
    environment: {
      ...jobVariables(props, controlTimeoutOf(timing)),
      ...toolVariables(props),
      STACK_NAME: Aws.STACK_NAME,
      EVENT_BUS_NAME: bus.bus.eventBusName,
      STATE_MACHINE_ARN: approvals.arn,
      LINE_TIMEOUT_SECONDS: String(timing.lineTimeoutSeconds),
      GITHUB_APP_SECRET_ID: secrets.githubApp.ref,
      SLACK_SECRET_ID: secrets.slack.ref,
      FINGERPRINT_KEY_SECRET_ID: secrets.fingerprintKey.ref,
      SEALING_KEY_SECRET_ID: secrets.sealingKey.ref,
      SECRETS_PREFIX: secretsPrefix,
      SECRETS_SOURCE: 'secrets-manager',
      REPOSITORIES: repositories,
    },
    may: [
      useItems(table.table),
      queryIndex(table.table, 'repo'),
      ...useObjects(bucket.bucket),
      ...readVersions(bucket.bucket),
      consume(queues.control),
      send(queues.control, queues.lines),
      readSecrets(secrets.githubApp, secrets.slack, secrets.fingerprintKey, secrets.sealingKey, secrets.ofPlans),
      readParameters(secrets.parametersOfPlans),
      announce(bus.bus),
      startExecutions(approvals.arn),
      completeTasks(approvals.arn),
      endTools(tools),
    ],
    code,
  });
  acknowledgeControllerNames(made.role, bucket, secretsPrefix);
  return made;
}

function worker(scope: Construct, props: FunctionsProps): EntryFunction {
  const { table, bucket, queues, secrets, tools, timing, code } = props;
  const made = new EntryFunction(scope, 'LineWorker', {
    entry: 'line-worker',
    description: 'One line of one run',
    timeoutSeconds: timing.lineTimeoutSeconds,
    memoryMiB: 512,
    environment: {
      ...jobVariables(props, timing.lineTimeoutSeconds),
      ...toolVariables(props),
      LINE_TIMEOUT_SECONDS: String(timing.lineTimeoutSeconds),
      FINGERPRINT_KEY_SECRET_ID: secrets.fingerprintKey.ref,
      SEALING_KEY_SECRET_ID: secrets.sealingKey.ref,
    },
    may: [
      useItems(table.table),
      consume(queues.lines),
      send(queues.control, queues.lines),
      readSecrets(secrets.fingerprintKey, secrets.sealingKey),
      ...useToolObjects(bucket.bucket),
      runTools(tools),
      assumeStackRoles(),
    ],
    code,
  });
  acknowledgeWorkerNames(made.role, bucket);
  return made;
}

function deadLetter(scope: Construct, props: FunctionsProps): EntryFunction {
  const { table, queues, timing, code } = props;
  return new EntryFunction(scope, 'DeadLetter', {
    entry: 'dead-letter',
    description: 'Fails the line or the run whose message died',
    timeoutSeconds: controlTimeoutOf(timing),
    memoryMiB: 512,
    environment: jobVariables(props, controlTimeoutOf(timing)),
    may: [useItems(table.table), consume(queues.controlDead, queues.linesDead), send(queues.control, queues.lines)],
    code,
  });
}

/** Where tool jobs run, and the bucket through which they are spoken to. */
const toolVariables = ({ bucket, tools }: FunctionsProps): Record<string, string> => ({
  BUCKET_NAME: bucket.bucket.bucketName,
  TOOL_PLAN_PROJECT: tools.plan.ref,
  TOOL_APPLY_PROJECT: tools.apply.ref,
});

/** What every job needs: where its item lies, whom it wakes, and the times of claim and lease (P1, P3). */
const jobVariables = ({ table, queues, timing }: FunctionsProps, timeoutSeconds: number): Record<string, string> => ({
  TABLE_NAME: table.table.tableName,
  CONTROL_QUEUE_URL: queues.control.queueUrl,
  LINES_QUEUE_URL: queues.lines.queueUrl,
  LEASE_TTL_SECONDS: String(timing.leaseTtlSeconds),
  CLOCK_SKEW_SECONDS: String(timing.skewSeconds),
  FUNCTION_TIMEOUT_SECONDS: String(timeoutSeconds),
});

/**
 * One message per invocation. A claim runs from its start to the function's time-out: a second message in the batch would
 * begin late, under a claim that promises time it no longer has, and a time-out would take the whole batch with it.
 */
function readOneByOne(id: string, queue: IQueue, reader: EntryFunction, maxConcurrency: number): void {
  new EventSourceMapping(reader, `From${id}`, {
    target: reader.function,
    eventSourceArn: queue.queueArn,
    batchSize: 1,
    reportBatchItemFailures: true,
    maxConcurrency,
  });
}
