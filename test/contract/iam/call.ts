import { account, arn, region } from '../../../infra/local/template/place.ts';
import type { RecordedRequest } from './recorder.ts';

/** One right that somebody used or needed, as IAM sees it. */
export interface AwsCall {
  /** Entry of the function, or kind of the tool job, whose role is asked. */
  readonly caller: string;
  /** `dynamodb:PutItem` */
  readonly action: string;
  readonly resource: string;
  /** Values of condition keys the request has, by key. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

type Json = Record<string, unknown>;
type Reader = (request: RecordedRequest, stateMachines: readonly string[]) => Omit<AwsCall, 'caller'>[];

/**
 * The rights one request needs. A service or operation that this page does not know is an error: whoever starts to use one says here
 * what it asks of IAM.
 */
export function callsOf(request: RecordedRequest, stateMachines: readonly string[] = []): AwsCall[] {
  const read = readers[request.service];
  if (read === undefined) throw new Error(`${request.caller} calls ${request.service}, of which the IAM test knows nothing`);
  return read(request, stateMachines).map((call) => ({ caller: request.caller, ...call }));
}

const readers: Readonly<Record<string, Reader>> = {
  dynamodb: (request) => {
    const body = jsonOf(request);
    const index = body['IndexName'] === undefined ? '' : `/index/${String(body['IndexName'])}`;
    const keys = { 'dynamodb:LeadingKeys': [leadingKey(operationOf(request), body)] };
    return [{ action: `dynamodb:${operationOf(request)}`, resource: arn('dynamodb', `table/${String(body['TableName'])}${index}`), keys }];
  },
  sqs: (request) => {
    // A batch is judged as its single operation.
    const action = `sqs:${operationOf(request).replace(/Batch$/, '')}`;
    return [plain(action, arn('sqs', String(jsonOf(request)['QueueUrl']).split('/').at(-1) ?? ''))];
  },
  s3: s3Calls,
  secretsmanager: (request) => [plain(`secretsmanager:${operationOf(request)}`, secretArn(String(jsonOf(request)['SecretId'])))],
  ssm: (request) => [plain(`ssm:${operationOf(request)}`, parameterArn(String(jsonOf(request)['Name'])))],
  events: (request) =>
    (jsonOf(request)['Entries'] as Json[]).map((entry) => plain(`events:${operationOf(request)}`, busArn(String(entry['EventBusName'] ?? 'default')))),
  states: (request, stateMachines) => {
    const { stateMachineArn, executionArn } = jsonOf(request);
    // A task token says nothing about its machine: the right is asked for on the machine that made it.
    const resources = [stateMachineArn, executionArn].filter((one) => typeof one === 'string');
    return (resources.length > 0 ? resources : stateMachines).map((resource) => plain(`states:${operationOf(request)}`, resource));
  },
  codebuild: buildCalls,
  sts: roleCalls,
};

/** A build's id begins with its project's name. */
function buildCalls(request: RecordedRequest): Omit<AwsCall, 'caller'>[] {
  const { projectName, ids, id } = jsonOf(request);
  const projects = projectName === undefined ? [ids ?? id].flat().map((one) => String(one).split(':')[0]) : [projectName];
  return projects.map((project) => plain(`codebuild:${operationOf(request)}`, arn('codebuild', `project/${String(project)}`)));
}

/** STS takes a form. */
function roleCalls({ body }: RecordedRequest): Omit<AwsCall, 'caller'>[] {
  const form = new URLSearchParams(body);
  return [plain(`sts:${form.get('Action')}`, form.get('RoleArn') ?? '')];
}

const plain = (action: string, resource: string): Omit<AwsCall, 'caller'> => ({ action, resource, keys: {} });

const jsonOf = (request: RecordedRequest): Json => JSON.parse(request.body || '{}') as Json;

const operationOf = (request: RecordedRequest): string => String(request.headers['x-amz-target']).split('.').at(-1) ?? '';

const busArn = (bus: string): string => (bus.startsWith('arn:') ? bus : arn('events', `event-bus/${bus}`));

/** Secrets Manager ends a secret's ARN with a hyphen and six characters of its own; a policy sees the whole. */
const secretArn = (id: string): string => (id.startsWith('arn:') ? id : `arn:aws:secretsmanager:${region}:${account}:secret:${id}-AbCdEf`);

/** A parameter's name may begin with `/`, of which its ARN has one. */
const parameterArn = (name: string): string => (name.startsWith('arn:') ? name : arn('ssm', `parameter/${name.replace(/^\//, '')}`));

/** The partition key the request is about. */
function leadingKey(operation: string, body: Json): string {
  if (operation === 'Query') return partitionAsked(body);
  const key = (operation === 'PutItem' ? body['Item'] : body['Key']) as { pk?: { S?: string } } | undefined;
  if (key?.pk?.S === undefined) throw new Error(`dynamodb:${operation} names no key that the IAM test can read`);
  return key.pk.S;
}

function partitionAsked(body: Json): string {
  const [, placeholder = ''] = /=\s*(:\w+)/.exec(String(body['KeyConditionExpression'])) ?? [];
  const value = (body['ExpressionAttributeValues'] as Record<string, { S?: string }>)[placeholder]?.S;
  if (value === undefined) throw new Error(`no partition in ${String(body['KeyConditionExpression'])}`);
  return value;
}

/** Path style: `/<bucket>/<key>`. */
function s3Calls({ method, url, headers, status, caller }: RecordedRequest): Omit<AwsCall, 'caller'>[] {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [, bucket = '', ...rest] = pathname.split('/');
  const whole = `arn:aws:s3:::${bucket}`;
  if (rest.join('') === '') return [plain(searchParams.has('versions') ? 's3:ListBucketVersions' : 's3:ListBucket', whole)];
  const object = `${whole}/${decodeURIComponent(rest.join('/'))}`;
  const version = searchParams.has('versionId') ? 'Version' : '';
  if (method === 'GET' || method === 'HEAD') {
    // Without the right to list, S3 answers 403 where nothing is, and the code would not hear that it is absent; a tool job knows, and takes it for that.
    return [plain(`s3:GetObject${version}`, object), ...(status === 404 && !caller.endsWith('-job') ? [plain('s3:ListBucket', whole)] : [])];
  }
  // A put on condition of an ETag looks at the object that is there.
  if (method === 'PUT') return [plain('s3:PutObject', object), ...(headers['if-match'] === undefined ? [] : [plain('s3:GetObject', object)])];
  throw new Error(`${caller} sends ${method} ${pathname} to S3, of which the IAM test knows nothing`);
}
