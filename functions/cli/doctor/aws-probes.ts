import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { BatchGetProjectsCommand, CodeBuildClient } from '@aws-sdk/client-codebuild';
import { GetAccountSettingsCommand, LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { paginateListSecrets, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Environment } from '../../../shared/platform/clients.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { githubApp } from '../../../shared/platform/github/app.ts';
import { GITHUB_API_URL } from '../../../shared/platform/github/code-host.ts';
import { githubSend } from '../../../shared/platform/github/send.ts';
import { secretText } from '../../../shared/platform/secrets-manager.ts';
import { SLACK_API_URL, slackChat } from '../../../shared/platform/slack/chat.ts';
import type { Redactor } from '../../../shared/redact/redactor.ts';
import type { Probes } from './probes.ts';
import { webhookAddress } from './webhook-address.ts';

/** GitHub gives up on a delivery after as long. */
const KNOCK_TIMEOUT_MS = 10_000;

export interface AwsProbes extends Probes {
  close(): void;
}

/** The probes, under the credentials and region the AWS tools of the caller use. Every secret value is masked from then on. */
export function awsProbes(environment: Environment, redactor: Redactor): AwsProbes {
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'];
  const settings = region ? { region } : {};
  const clients = {
    formation: new CloudFormationClient(settings),
    builds: new CodeBuildClient(settings),
    scheduler: new SchedulerClient(settings),
    lambda: new LambdaClient(settings),
    secrets: new SecretsManagerClient(settings),
    sns: new SNSClient(settings),
    sqs: new SQSClient({ ...settings, useQueueUrlAsEndpoint: !environment['AWS_ENDPOINT_URL'] }),
  };
  const send = githubSend({ baseUrl: environment['GITHUB_API_URL'] || GITHUB_API_URL, clock: systemClock, redact: redactor.mask });
  return {
    stack: (name) => describe(clients.formation, name),
    scheduleState: (name) => scheduleState(clients.scheduler, name),
    secret: (id) => secret(clients.secrets, redactor, id),
    depth: (url) => depth(clients.sqs, url),
    mappingState: (url) => mappingState(clients, url),
    subscriptions: (topic) => subscriptions(clients.sns, topic),
    concurrency: async () => (await clients.lambda.send(new GetAccountSettingsCommand({}))).AccountLimit?.ConcurrentExecutions ?? 0,
    projects: async (names) => ((await clients.builds.send(new BatchGetProjectsCommand({ names: [...names] }))).projects ?? []).map(({ name }) => String(name)),
    secretNames: (prefix) => secretNames(clients.secrets, prefix),
    knock: (url) => knock(webhookAddress(url, environment['AWS_ENDPOINT_URL'])),
    app: (key) => githubApp(key, send),
    slackTeam: (botToken) => slackChat({ baseUrl: environment['SLACK_API_URL'] || SLACK_API_URL, botToken, clock: systemClock, redact: redactor.mask }).team(),
    close: () => {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

async function describe(client: CloudFormationClient, StackName: string): Promise<Awaited<ReturnType<Probes['stack']>>> {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    if (!stack) return undefined;
    const outputs = (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [String(OutputKey), String(OutputValue)]);
    const parameters = (stack.Parameters ?? []).map(({ ParameterKey, ParameterValue }) => [String(ParameterKey), String(ParameterValue)]);
    return { status: String(stack.StackStatus), outputs: Object.fromEntries(outputs), parameters: Object.fromEntries(parameters) };
  } catch (error) {
    // CloudFormation has no error of its own for a stack that is not there: this is ValidationError, as for a name it does not take.
    if (error instanceof Error && error.name === 'ValidationError') return undefined;
    throw error;
  }
}

async function scheduleState(client: SchedulerClient, Name: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetScheduleCommand({ Name }))).State;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function secret(client: SecretsManagerClient, redactor: Redactor, id: string): ReturnType<Probes['secret']> {
  const read = await secretText(client, id);
  if (read.found) redactor.register(read.value, id);
  return read;
}

async function depth(client: SQSClient, QueueUrl: string): ReturnType<Probes['depth']> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }));
  return { visible: Number(Attributes[names[0]] ?? 0), inFlight: Number(Attributes[names[1]] ?? 0) };
}

async function mappingState({ lambda, sqs }: { lambda: LambdaClient; sqs: SQSClient }, QueueUrl: string): Promise<string | undefined> {
  const { Attributes: { QueueArn } = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  if (QueueArn === undefined) return undefined;
  const { EventSourceMappings: [mapping] = [] } = await lambda.send(new ListEventSourceMappingsCommand({ EventSourceArn: QueueArn }));
  return mapping?.State;
}

async function subscriptions(client: SNSClient, TopicArn: string): Promise<number> {
  const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
  return Number(Attributes['SubscriptionsConfirmed'] ?? 0);
}

async function secretNames(client: SecretsManagerClient, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { SecretList = [] } of paginateListSecrets({ client }, { Filters: [{ Key: 'name', Values: [prefix] }] })) {
    names.push(...SecretList.flatMap(({ Name }) => (Name?.startsWith(prefix) ? [Name] : [])));
  }
  return names;
}

async function knock(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-github-event': 'ping' };
  const answer = await fetch(url, { method: 'POST', headers, body: '{}', signal: AbortSignal.timeout(KNOCK_TIMEOUT_MS) });
  await answer.arrayBuffer();
  return answer.status;
}
