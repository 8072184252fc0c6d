import { CodeBuildClient } from '@aws-sdk/client-codebuild';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Environment variables, read at every call: a process may run functions of several stacks one after another. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Workers of one process share a pool that no burst of ready lines exhausts. */
const sockets = { keepAlive: true, maxSockets: 128 };
const requestHandler = { connectionTimeout: 2_000, socketTimeout: 20_000, httpAgent: sockets, httpsAgent: sockets };

/** The only state of the module: clients are dear (sockets, credentials) and may be shared. */
const made = new Map<string, unknown>();

/** The process's client of one kind for the endpoint and region in force; made when it is first asked for. */
function client<T>(kind: string, service: string, environment: Environment, make: (settings: ReturnType<typeof settingsOf>) => T): T {
  const settings = settingsOf(service, environment);
  const key = JSON.stringify([kind, settings.endpoint, settings.region, environment['AWS_PROFILE'], environment['AWS_ACCESS_KEY_ID']]);
  const known = made.get(key);
  if (known !== undefined) return known as T; // put there under the same key by the same `make`
  const fresh = make(settings);
  made.set(key, fresh);
  return fresh;
}

/** What is not set here, the SDK finds as it always does: profile, credentials of a container or machine, regional endpoint. */
function settingsOf(service: string, environment: Environment) {
  const endpoint = environment[`AWS_ENDPOINT_URL_${service}`] || environment['AWS_ENDPOINT_URL'];
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'];
  const credentials = credentialsOf(environment);
  return { requestHandler, ...(endpoint ? { endpoint } : {}), ...(region ? { region } : {}), ...(credentials ? { credentials } : {}) };
}

/** Of the environment that was given, not of the process: the two differ where several stacks share one. */
function credentialsOf(environment: Environment) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

const marshallOptions = { removeUndefinedValues: true };

/** For conditional writes: one attempt. Whoever sends the write decides what a lost answer means. */
export const dynamoWrites = (environment: Environment): DynamoDBDocumentClient =>
  client('dynamodb writes', 'DYNAMODB', environment, (settings) =>
    DynamoDBDocumentClient.from(new DynamoDBClient({ ...settings, maxAttempts: 1 }), { marshallOptions }),
  );

/** For reads: the SDK's own retries. */
export const dynamoReads = (environment: Environment): DynamoDBDocumentClient =>
  client('dynamodb reads', 'DYNAMODB', environment, (settings) => DynamoDBDocumentClient.from(new DynamoDBClient(settings), { marshallOptions }));

/** With an endpoint of its own every request goes there; the queue URLs of emulators name hosts that not every machine resolves. */
export const sqs = (environment: Environment): SQSClient =>
  client('sqs', 'SQS', environment, (settings) => new SQSClient({ ...settings, useQueueUrlAsEndpoint: settings.endpoint === undefined }));

/** One attempt: a put that is sent again must know about the first one (`s3-objects.ts`). */
export const s3Writes = (environment: Environment): S3Client =>
  client('s3 writes', 'S3', environment, (settings) => new S3Client({ ...settings, maxAttempts: 1, forcePathStyle: settings.endpoint !== undefined }));

export const s3Reads = (environment: Environment): S3Client =>
  client('s3 reads', 'S3', environment, (settings) => new S3Client({ ...settings, forcePathStyle: settings.endpoint !== undefined }));

export const secretsManager = (environment: Environment): SecretsManagerClient =>
  client('secrets manager', 'SECRETS_MANAGER', environment, (settings) => new SecretsManagerClient(settings));

export const parameterStore = (environment: Environment): SSMClient => client('parameter store', 'SSM', environment, (settings) => new SSMClient(settings));

export const eventBridge = (environment: Environment): EventBridgeClient =>
  client('eventbridge', 'EVENTBRIDGE', environment, (settings) => new EventBridgeClient(settings));

export const sfn = (environment: Environment): SFNClient => client('step functions', 'SFN', environment, (settings) => new SFNClient(settings));

/** For tool jobs. One attempt: whoever starts one decides what a lost answer means. */
export const codebuild = (environment: Environment): CodeBuildClient =>
  client('codebuild', 'CODEBUILD', environment, (settings) => new CodeBuildClient({ ...settings, maxAttempts: 1 }));

export const sts = (environment: Environment): STSClient => client('sts', 'STS', environment, (settings) => new STSClient(settings));
