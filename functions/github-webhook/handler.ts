import { type Environment, secretsManager } from '../../shared/platform/clients.ts';
import { readSecret } from '../../shared/platform/secrets-manager.ts';
import { createRedactor } from '../../shared/redact/redactor.ts';
import { recordingWorld } from '../recording/world.ts';
import { variable } from '../variable.ts';
import { allowList } from './allow-list.ts';
import { type WebhookWorld, webhook } from './webhook.ts';

/** Twice this, and GitHub's ten seconds for an answer are not over. */
const WRITE_TIMEOUT_MS = 3_000;

const redactor = createRedactor();
const secrets = new Map<string, string>();

/** The webhook's secret, read once per process and endpoint, and masked in every log line from then on. */
async function secretOf(environment: Environment): Promise<string> {
  const id = variable(environment, 'WEBHOOK_SECRET_ID');
  const known = secrets.get(id);
  if (known !== undefined) return known;
  const secret = await readSecret(secretsManager(environment), id);
  redactor.register(secret, id);
  secrets.set(id, secret);
  return secret;
}

function worldOf(environment: Environment): WebhookWorld {
  return {
    secret: () => secretOf(environment),
    allows: allowList(environment['REPOSITORIES'] ?? ''),
    ...recordingWorld(environment, redactor, WRITE_TIMEOUT_MS),
  };
}

/** GitHub's webhooks, behind an HTTP API (payload format 2.0). */
export const handler: ReturnType<typeof webhook> = (event, context) => webhook(worldOf(process.env))(event, context);
