import { dynamoReads, dynamoWrites, type Environment, secretsManager, sqs } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { dynamoTable } from '../../shared/platform/dynamo-table.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { jsonLog } from '../../shared/platform/log.ts';
import { readSecret } from '../../shared/platform/secrets-manager.ts';
import { sqsQueues } from '../../shared/platform/sqs-queues.ts';
import { createRedactor } from '../../shared/redact/redactor.ts';
import { allowList } from './allow-list.ts';
import { type WebhookWorld, webhook } from './webhook.ts';

/** Twice this, and GitHub's ten seconds for an answer are not over. */
const WRITE_TIMEOUT_MS = 3_000;

const redactor = createRedactor();
const ids = ulids();
const secrets = new Map<string, string>();

/** The webhook's secret, read once per process and endpoint, and masked in every log line from then on. */
async function secretOf(environment: Environment): Promise<string> {
  const id = required(environment, 'WEBHOOK_SECRET_ID');
  const known = secrets.get(id);
  if (known !== undefined) return known;
  const secret = await readSecret(secretsManager(environment), id);
  redactor.register(secret, id);
  secrets.set(id, secret);
  return secret;
}

/** Variables are read at every invocation: the embedded stack runs functions of several stacks in one process. */
function worldOf(environment: Environment): WebhookWorld {
  return {
    secret: () => secretOf(environment),
    allows: allowList(environment['REPOSITORIES'] ?? ''),
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

/** GitHub's webhooks, behind an HTTP API (payload format 2.0). */
export const handler: ReturnType<typeof webhook> = (event, context) => webhook(worldOf(process.env))(event, context);
