import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { foldersInUse, foldersRead, lineFoldersInUse, lineFoldersRead } from './bucket.ts';
import { type LockkeeperToolProjects, stackRoles } from './tool-projects.ts';

/** What a function may do, written out: the ready-made grants of the library allow more than is used here. */
const allow = (actions: string[], ...resources: string[]): PolicyStatement => new PolicyStatement({ actions, resources });

/** Puts items of runs (an intake is `RUN#<id>` / `META`), and nothing of any other partition. */
export const putRunItems = (table: Table): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:PutItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RUN#*'] } },
  });

/** Puts what was clicked in Slack, and nothing of any other partition. */
export const putClicks = (table: Table): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:PutItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DELIVERY#slack#*'] } },
  });

/** Reads and writes items by key. No scan, no batch, no transaction: nothing uses them. */
export const useItems = (table: Table): PolicyStatement =>
  allow(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'], table.tableArn);

export const queryIndex = (table: Table, index: 'due' | 'repo'): PolicyStatement => allow(['dynamodb:Query'], `${table.tableArn}/index/${index}`);

export const send = (...queues: IQueue[]): PolicyStatement => allow(['sqs:SendMessage'], ...queues.map((queue) => queue.queueArn));

/** What a mapping needs, and the visibility: a message under somebody else's live claim is handed back until that claim ends. */
export const consume = (...queues: IQueue[]): PolicyStatement =>
  allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'], ...queues.map((queue) => queue.queueArn));

export const readSecrets = (...arns: (string | CfnSecret)[]): PolicyStatement =>
  allow(['secretsmanager:GetSecretValue'], ...arns.map((arn) => (typeof arn === 'string' ? arn : arn.ref)));

export const readParameters = (...arns: string[]): PolicyStatement => allow(['ssm:GetParameter'], ...arns);

/** Mailboxes of tool jobs, the plans they saved and what they said; the list without which S3 answers 403 where nothing is. */
export const useToolObjects = (bucket: Bucket): PolicyStatement[] => [
  allow(['s3:GetObject'], ...lineFoldersRead.map((folder) => bucket.arnForObjects(`${folder}/*`))),
  allow(['s3:PutObject'], ...lineFoldersInUse.map((folder) => bucket.arnForObjects(`${folder}/*`))),
  allow(['s3:ListBucket'], bucket.bucketArn),
];

/** Starts tool jobs, and looks after them. */
export const runTools = (projects: LockkeeperToolProjects): PolicyStatement =>
  allow(['codebuild:StartBuild', 'codebuild:StopBuild', 'codebuild:BatchGetBuilds'], ...projects.arns);

/** Ends an apply of a run that has lost its lease (P9), and starts nothing: a plan holds no lease. */
export const endTools = (projects: LockkeeperToolProjects): PolicyStatement =>
  allow(['codebuild:StopBuild', 'codebuild:BatchGetBuilds'], projects.apply.attrArn);

/** Takes the roles that policy names for stacks, for a tool job to work with. */
export const assumeStackRoles = (): PolicyStatement => allow(['sts:AssumeRole'], stackRoles);

/** Objects of the folders in use, and the list without which S3 answers 403 where nothing is. Nothing is deleted. */
export const useObjects = (bucket: Bucket): PolicyStatement[] => [
  allow(['s3:GetObject'], ...foldersRead.map((folder) => bucket.arnForObjects(`${folder}/*`))),
  allow(['s3:PutObject'], ...foldersInUse.map((folder) => bucket.arnForObjects(`${folder}/*`))),
  allow(['s3:ListBucket'], bucket.bucketArn),
];

/** Earlier versions of the receipts: what a recovery goes back to. */
export const readVersions = (bucket: Bucket): PolicyStatement[] => [
  allow(['s3:GetObjectVersion'], bucket.arnForObjects('receipts/*')),
  allow(['s3:ListBucketVersions'], bucket.bucketArn),
];

export const announce = (bus: EventBus): PolicyStatement => allow(['events:PutEvents'], bus.eventBusArn);

export const startExecutions = (stateMachineArn: string): PolicyStatement => allow(['states:StartExecution'], stateMachineArn);

/**
 * Completes the tokens of one machine. The service authorization reference names no resource for it, but IAM asks on the ARN of the machine
 * that made the token, and the library's own grant says the same (`taskResponse` of a state machine; tried in aws/aws-cdk pull request 8486).
 */
export const completeTasks = (stateMachineArn: string): PolicyStatement => allow(['states:SendTaskSuccess'], stateMachineArn);
