import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type Environment, secretsManager } from '../../shared/platform/clients.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { secretText } from '../../shared/platform/secrets-manager.ts';
import { slackSecretOf } from '../../shared/platform/slack/secret.ts';
import { createRedactor } from '../../shared/redact/redactor.ts';
import { recordingWorld } from '../recording/world.ts';
import { variable } from '../variable.ts';
import { type InteractionWorld, interaction } from './interaction.ts';

/** Slack waits three seconds for an answer. */
const WRITE_TIMEOUT_MS = 1_000;
/**
 * How long what was read is believed, ms: a secret that a person changes is seen within minutes, and a flood of unsigned requests does not
 * become one of reads where there is none.
 */
const BELIEVED_MS = { there: 300_000, absent: 60_000 } as const;

const redactor = createRedactor();
const secrets = new Map<string, { readonly signing: string | undefined; readonly until: number }>();

/** The signing secret, read once in a while, and masked in every log line from then on. */
async function signingSecretOf(environment: Environment): Promise<string | undefined> {
  const id = variable(environment, 'SLACK_SECRET_ID');
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

const worldOf = (environment: Environment): InteractionWorld => ({
  signingSecret: () => signingSecretOf(environment),
  ...recordingWorld(environment, redactor, WRITE_TIMEOUT_MS),
});

/** Clicks on Slack's cards, behind an HTTP API (payload format 2.0). */
export const handler = (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => interaction(worldOf(process.env), event);
