import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { dynamoReads, dynamoWrites, type Environment, secretsManager, sqs } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { jsonLog } from '../../shared/platform/log.ts';
import { secretText } from '../../shared/platform/secrets-manager.ts';
import { slackSecretOf } from '../../shared/platform/slack/secret.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import { createRedactor } from '../../shared/redact/redactor.ts';
import { type InteractionWorld, interaction } from './interaction.ts';

/** Slack waits three seconds for an answer. */
const WRITE_TIMEOUT_MS = 1_000;
/**
 * How long what was read is believed, ms: a secret that a person changes is seen within minutes, and a flood of unsigned requests does not
 * become one of reads where there is none.
 */
const BELIEVED_MS = { there: 300_000, absent: 60_000 } as const;

const redactor = createRedactor();
const ids = ulids();
const secrets = new Map<string, { readonly signing: string | undefined; readonly until: number }>();

/** The signing secret, read once in a while, and masked in every log line from then on. */
async function signingSecretOf(environment: Environment): Promise<string | undefined> {
  const id = required(environment, 'SLACK_SECRET_ID');
  const known = secrets.get(id);
  if (known && known.until > systemClock.now()) return known.signing;
  const read = await secretText(secretsManager(environment), id);
  if (!read.found) {
    secrets.set(id, { signing: undefined, until: systemClock.now() + BELIEVED_MS.absent });
    return undefined;
  }
  const { botToken, signingSecret } = slackSecretOf(id, read.value);
  redactor.register(botToken, id);
  redactor.register(signingSecret, id);
  secrets.set(id, { signing: signingSecret, until: systemClock.now() + BELIEVED_MS.there });
  return signingSecret;
}

/** Variables are read at every invocation: the embedded stack runs functions of several stacks in one process. */
function worldOf(environment: Environment): InteractionWorld {
  return {
    signingSecret: () => signingSecretOf(environment),
    table: dynamoTable({
      name: required(environment, 'TABLE_NAME'),
      writes: dynamoWrites(environment),
      reads: dynamoReads(environment),
      writeTimeout: WRITE_TIMEOUT_MS,
    }),
    // The lines queue is none of this function's business, and its role may not use it.
    queues: sqsQueues({ client: sqs(environment), control: required(environment, 'CONTROL_QUEUE_URL'), lines: '', clock: systemClock }),
    clock: systemClock,
    ids,
    log: jsonLog(redactor, systemClock, (line) => process.stdout.write(line)),
  };
}

function required(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`the variable ${name} is not set`);
  return value;
}

/** Clicks on Slack's cards, behind an HTTP API (payload format 2.0). */
export const handler = (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => interaction(worldOf(process.env), event);
