import { LockkeeperError } from '../shared/errors/error.ts';
import { type Environment, secretsManager } from '../shared/platform/clients.ts';
import { systemClock } from '../shared/platform/clock.ts';
import { secretText } from '../shared/platform/secrets-manager.ts';
import { SLACK_API_URL, slackChat } from '../shared/platform/slack/chat.ts';
import { type SlackSecret, slackSecretOf } from '../shared/platform/slack/secret.ts';
import type { Chat } from '../shared/ports/chat.ts';
import type { World } from '../shared/run/world.ts';

/** Secrets by the process, believed for so long: a person may change one. One that is not there is looked for again. */
const secrets = new Map<string, { readonly secret: SlackSecret; readonly until: number }>();
const BELIEVED_MS = 300_000;

/** Slack through the app whose secret the template names; read when the chat is first asked for something. Undefined: there is none. */
export function chatOf(environment: Environment, { redactor, timing }: Pick<World, 'redactor' | 'timing'>): Chat | undefined {
  const secretId = environment['SLACK_SECRET_ID'];
  if (!secretId) return undefined;
  let connected: Promise<Chat> | undefined;
  const chat = (): Promise<Chat> => {
    connected ??= connect(environment, secretId, { redactor, timing });
    return connected;
  };
  return {
    team: async () => (await chat()).team(),
    post: async (...asked) => (await chat()).post(...asked),
    update: async (...asked) => (await chat()).update(...asked),
    whisper: async (...asked) => (await chat()).whisper(...asked),
    find: async (...asked) => (await chat()).find(...asked),
  };
}

/** A step has other things to do than to wait for Slack. */
const timeoutOf = ({ functionTimeout }: World['timing']): number => Math.min(8_000, functionTimeout / 4);

async function connect(environment: Environment, secretId: string, { redactor, timing }: Pick<World, 'redactor' | 'timing'>): Promise<Chat> {
  const { botToken, signingSecret } = await secretOf(environment, secretId);
  redactor.register(botToken, secretId);
  redactor.register(signingSecret, secretId);
  const baseUrl = environment['SLACK_API_URL'] || SLACK_API_URL;
  return slackChat({ baseUrl, botToken, clock: systemClock, redact: redactor.mask, timeoutMs: timeoutOf(timing) });
}

async function secretOf(environment: Environment, secretId: string): Promise<SlackSecret> {
  const place = JSON.stringify([secretId, environment['AWS_ENDPOINT_URL_SECRETS_MANAGER']]);
  const known = secrets.get(place);
  if (known && known.until > systemClock.now()) return known.secret;
  const read = await secretText(secretsManager(environment), secretId);
  if (!read.found) throw new LockkeeperError({ code: 'SECRET_UNRESOLVED', message: `Slack is not set up: ${read.why}.` });
  const secret = slackSecretOf(secretId, read.value);
  secrets.set(place, { secret, until: systemClock.now() + BELIEVED_MS });
  return secret;
}
