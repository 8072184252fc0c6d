import { join } from 'node:path';
import { Aws, Stack, Validations } from 'aws-cdk-lib';
import { CfnProject } from 'aws-cdk-lib/aws-codebuild';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bucketVariable, purposeVariable } from '../shared/stacks/job-environment.ts';
import type { LockkeeperBucket } from './bucket.ts';
import { bundles, type CodeSource } from './entry-function.ts';

/** Metadata key under which a project names the program that its builds run. */
export const PROGRAM_METADATA = 'lockkeeper:program';
const PROGRAM = 'tool-job';

/** AWS's own image; Node.js is a part of it. Tools are not: a job fetches the version that its line names. */
const IMAGE = 'aws/codebuild/amazonlinux-x86_64-standard:5.0';
const NODE = 22;
/** What a job may take at most; each start says how long it may itself. */
const MOST_MINUTES = 480;
/** How long a job waits for a machine: after that its line no longer waits for it. */
const QUEUED_MINUTES = 15;

const buildSpec = JSON.stringify({
  version: '0.2',
  phases: { install: { 'runtime-versions': { nodejs: NODE } }, build: { commands: ['node index.mjs'] } },
});

/** Objects of the bucket that a job may get and put beside its mailbox. */
const foldersOf = { plan: ['sources'], apply: ['sources', 'plans/saved'] } as const;

export interface ToolProjectsProps {
  readonly bucket: LockkeeperBucket;
  /** Who is told of each build's end. */
  readonly control: Queue;
  readonly code: CodeSource;
}

/**
 * Where infrastructure tools run: one project for plans and one for applies, so that the rights of the one are never the other's. What a job may
 * do in the account beyond its mailbox is not theirs at all: its line's worker hands it the credentials of a role that policy names.
 */
export class LockkeeperToolProjects extends Construct {
  readonly plan: CfnProject;
  readonly apply: CfnProject;

  constructor(scope: Construct, id: string, props: ToolProjectsProps) {
    super(scope, id);
    const program = props.code === 'bundle' ? new Asset(this, 'Program', { path: join(bundles, PROGRAM) }) : undefined;
    this.plan = project(this, 'plan', props, program);
    this.apply = project(this, 'apply', props, program);
    ends(this, props.control, [this.plan, this.apply]);
  }

  get arns(): string[] {
    return [this.plan.attrArn, this.apply.attrArn];
  }
}

type Purpose = 'plan' | 'apply';

function project(scope: Construct, purpose: Purpose, { bucket: { bucket } }: ToolProjectsProps, program: Asset | undefined): CfnProject {
  const id = purpose === 'plan' ? 'Plan' : 'Apply';
  const stack = Stack.of(scope);
  const mailboxes = bucket.arnForObjects(`tools/${purpose}/*`);
  const reads = foldersOf[purpose].map((folder) => bucket.arnForObjects(`${folder}/*`));
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('codebuild.amazonaws.com', { conditions: { StringEquals: { 'aws:SourceAccount': stack.account } } }),
    inlinePolicies: {
      // No list: the names of mailboxes cannot be guessed, and whoever could list them could answer in another job's name.
      work: new PolicyDocument({
        statements: [
          new PolicyStatement({ actions: ['s3:GetObject'], resources: [mailboxes, ...reads] }),
          new PolicyStatement({ actions: ['s3:PutObject'], resources: [mailboxes] }),
          ...(program
            ? [new PolicyStatement({ actions: ['s3:GetObject', 's3:GetObjectVersion'], resources: [program.bucket.arnForObjects(program.s3ObjectKey)] })]
            : []),
        ],
      }),
    },
  });
  acknowledgeFolders(role, stack.getLogicalId(bucket.node.defaultChild as CfnBucket), [`tools/${purpose}`, ...foldersOf[purpose]]);
  const made = new CfnProject(scope, id, {
    description: purpose === 'plan' ? 'Plans of infrastructure stacks' : 'Applies of infrastructure stacks',
    serviceRole: role.roleArn,
    source: program ? { type: 'S3', location: `${program.s3BucketName}/${program.s3ObjectKey}`, buildSpec } : { type: 'NO_SOURCE', buildSpec },
    artifacts: { type: 'NO_ARTIFACTS' },
    environment: {
      type: 'LINUX_CONTAINER',
      image: IMAGE,
      computeType: 'BUILD_GENERAL1_SMALL',
      privilegedMode: false,
      environmentVariables: [
        { name: bucketVariable, value: bucket.bucketName, type: 'PLAINTEXT' },
        { name: purposeVariable, value: purpose, type: 'PLAINTEXT' },
      ],
    },
    // What a tool prints is secret: nothing of it goes anywhere but through the mailbox.
    logsConfig: { cloudWatchLogs: { status: 'DISABLED' }, s3Logs: { status: 'DISABLED' } },
    timeoutInMinutes: MOST_MINUTES,
    queuedTimeoutInMinutes: QUEUED_MINUTES,
  });
  made.addMetadata(PROGRAM_METADATA, PROGRAM);
  Validations.of(made).acknowledge({
    id: 'AwsSolutions-CB4',
    reason:
      'The key would encrypt what a build puts out, and these put out nothing: no artifacts, no logs, no cache. What a job answers is sealed to the worker that asked, and lies encrypted in the bucket besides.',
  });
  return made;
}

/** CodeBuild tells the account's bus of each end; the rule puts it on the control queue, which wakes the line. */
function ends(scope: Construct, control: Queue, projects: readonly CfnProject[]): void {
  new Rule(scope, 'Ended', {
    description: 'A tool job has ended: its line is looked at at once',
    eventPattern: {
      source: ['aws.codebuild'],
      detailType: ['CodeBuild Build State Change'],
      detail: { 'build-status': ['SUCCEEDED', 'FAILED', 'FAULT', 'STOPPED', 'TIMED_OUT'], 'project-name': projects.map(({ ref }) => ref) },
    },
    targets: [
      new SqsQueue(control, {
        message: RuleTargetInput.fromObject({
          format: 7,
          look: 'tool-job',
          variables: EventField.fromPath('$.detail.additional-information.environment.environment-variables'),
          group: 'tool-job',
        }),
      }),
    ],
  });
}

function acknowledgeFolders(role: Role, bucket: string, folders: readonly string[]): void {
  for (const folder of folders) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${folder}/*]`,
      reason: `Objects in ${folder}/ are named by tokens, runs and digests, which exist only once something runs. A job may not list them, and each is encrypted under a key that only whoever it is meant for has.`,
    });
  }
}

/** Roles that a line's worker may hand to a tool: those of any account whose own trust policy lets it, and that are named for it. */
export const stackRoles = `arn:${Aws.PARTITION}:iam::*:role/lockkeeper-stack-*`;
