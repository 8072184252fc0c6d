import { z } from 'zod';
import { account, arn, region } from '../../../infra/local/template/place.ts';
import type { Template } from '../../../infra/template.ts';
import { purposeVariable } from '../../../shared/stacks/job-environment.ts';
import { functionsOf, mappingsOf, propertiesOf } from '../../template/reading.ts';
import type { AwsCall } from './call.ts';

/** One action on one resource pattern that a function's role allows or denies. */
export interface Grant {
  readonly entry: string;
  readonly effect: 'Allow' | 'Deny';
  readonly action: string;
  readonly resource: string;
  /** Operator, then condition key, then the patterns. */
  readonly condition: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const many = <T extends z.ZodType>(one: T) => z.union([z.array(one), one.transform((value) => [value])]);

/** Strict: an element of IAM that is not read here (NotAction, NotResource) would change what the statement means. */
const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: many(z.string()),
  Resource: many(z.unknown()),
  Condition: z.record(z.string(), z.record(z.string(), many(z.string()))).default({}),
});
const role = z.strictObject({
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statement) }) })),
});

/** A template, and the names its resources have where the calls were recorded. */
export interface Named {
  readonly template: Template;
  /** What Ref gives for a logical id. */
  physical(logicalId: string): string;
}

/** Everything the role of each function, and of each kind of tool job, grants, one action and one resource pattern at a time. */
export function grantsOf(named: Named): Grant[] {
  const functions = functionsOf(named.template).map(({ entry, properties }) => ({ entry: String(entry), id: properties.Role['Fn::GetAtt'][0] }));
  const jobs = jobsOf(named.template).map(({ entry, project }) => ({ entry, id: project.ServiceRole['Fn::GetAtt'][0] }));
  return [...functions, ...jobs].flatMap(({ entry, id }) =>
    role
      .parse(propertiesOf(named.template, id))
      .Policies.flatMap(({ PolicyDocument }) =>
        PolicyDocument.Statement.flatMap(({ Effect, Action, Resource, Condition }) =>
          Action.flatMap((action) => Resource.map((resource) => ({ entry, effect: Effect, action, resource: textOf(resource, named), condition: Condition }))),
        ),
      ),
  );
}

/** The projects of tool jobs, each under the name by which its jobs are known here. */
export const jobsOf = (template: Template): { entry: string; id: string; project: z.infer<typeof projectShape> }[] =>
  Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
    if (Type !== 'AWS::CodeBuild::Project') return [];
    const project = projectShape.parse(Properties);
    const purpose = project.Environment.EnvironmentVariables.find(({ Name }) => Name === purposeVariable)?.Value;
    return [{ entry: `${String(purpose)}-job`, id, project }];
  });

const projectShape = z.looseObject({
  ServiceRole: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
  Environment: z.looseObject({ EnvironmentVariables: z.array(z.looseObject({ Name: z.string(), Value: z.unknown() })) }),
});

/** What AWS itself does with a function's role: its poller reads the queue, its runtime writes the log. */
export function callsOfPlatform(named: Named): AwsCall[] {
  const entries = new Map(functionsOf(named.template).map(({ id, entry }) => [id, String(entry)]));
  const polls = mappingsOf(named.template).flatMap(({ queue, reader }) =>
    ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'].map((action) => call(entries.get(reader) ?? '', action, arnOf(queue, named))),
  );
  const logs = functionsOf(named.template).flatMap(({ entry, properties }) =>
    ['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => call(String(entry), action, arnOf(properties.LoggingConfig.LogGroup.Ref, named))),
  );
  return [...polls, ...logs];
}

const call = (caller: string, action: string, resource: string): AwsCall => ({ caller, action, resource, keys: {} });

/** ARNs of the template's state machines. */
export const stateMachinesOf = (named: Named): string[] =>
  Object.entries(named.template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::StepFunctions::StateMachine')
    .map(([id]) => arnOf(id, named));

const pseudo: Readonly<Record<string, string>> = { 'AWS::Partition': 'aws', 'AWS::Region': region, 'AWS::AccountId': account };

/** A resource of a statement as text. @throws Error for a function of CloudFormation that no role uses yet. */
function textOf(value: unknown, named: Named): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string]; 'Fn::Join'?: [string, unknown[]] };
  if (Ref !== undefined) return pseudo[Ref] ?? named.physical(Ref);
  if (attribute?.[1] === 'Arn') return arnOf(attribute[0], named);
  if (join !== undefined) return join[1].map((part) => textOf(part, named)).join(join[0]);
  throw new Error(`a role names a resource as ${JSON.stringify(value)}, which the IAM test cannot resolve`);
}

function arnOf(id: string, named: Named): string {
  const type = named.template.Resources[id]?.Type ?? 'nothing';
  const make = arns[type];
  if (make === undefined) throw new Error(`the IAM test knows no ARN of ${type} (${id})`);
  return make(named.physical(id));
}

const arns: Readonly<Record<string, (ref: string) => string>> = {
  'AWS::DynamoDB::Table': (name) => arn('dynamodb', `table/${name}`),
  'AWS::SQS::Queue': (url) => arn('sqs', url.split('/').at(-1) ?? ''),
  'AWS::S3::Bucket': (name) => `arn:aws:s3:::${name}`,
  'AWS::Events::EventBus': (name) => arn('events', `event-bus/${name}`),
  'AWS::Lambda::Function': (name) => arn('lambda', `function:${name}`),
  'AWS::Logs::LogGroup': (name) => arn('logs', `log-group:${name}:*`),
  'AWS::SecretsManager::Secret': (own) => own,
  'AWS::StepFunctions::StateMachine': (own) => own,
  'AWS::CodeBuild::Project': (name) => arn('codebuild', `project/${name}`),
};
