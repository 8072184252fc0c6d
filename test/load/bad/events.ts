/** Bad webhooks and clicks: at the handlers, signed or nearly. */
import { readdirSync, readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { allowList } from '../../../functions/github-webhook/allow-list.ts';
import { webhook } from '../../../functions/github-webhook/webhook.ts';
import { interaction } from '../../../functions/slack-interaction/interaction.ts';
import { signingSecret } from '../../ports/in-slack.ts';
import { openWorkbench } from '../../ports/workbench.ts';
import { deliveryHeaders } from '../../sim/github/deliver.ts';
import { signed } from '../../sim/slack/press.ts';
import type { Random } from '../../weave/random.ts';
import { canaryIn, webhookSecret } from './canaries.ts';
import { damagedText, damagedValue } from './damage.ts';
import type { Answered, Door } from './door.ts';

const folder = new URL('../../../events/samples/', import.meta.url);
const samples = readdirSync(folder).map((file) => ({ file, value: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown }));
const hooks = samples.filter(({ file }) => file.startsWith('github-'));
const click = samples.find(({ file }) => file === 'slack-block-actions.json')?.value as object;

const bench = openWorkbench('deployed');
const handleHook = webhook({ ...bench.world(), secret: async () => webhookSecret, allows: allowList('*') });

const eventName = (file: string): string =>
  file
    .replace(/^github-(.*)\.json$/, '$1')
    .replace(/-(edited|pressed)$/, '')
    .replaceAll('-', '_');

/** Text for what a request holds, sometimes as base64, as API Gateway hands it on. */
function bodyOf(value: unknown, random: Random): Buffer {
  const text = JSON.stringify(value) ?? '';
  return random.chance(0.15) ? damagedText(text, random) : Buffer.from(text);
}

const requestOf = (bytes: Buffer, headers: Record<string, string | undefined>, random: Random): APIGatewayProxyEventV2 => {
  // API Gateway hands on what is no UTF-8 as base64, and the rest as it came.
  const isBase64Encoded = random.chance(0.2) || !Buffer.from(bytes.toString()).equals(bytes);
  const shown = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return { headers: shown, body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded } as unknown as APIGatewayProxyEventV2;
};

/** An answer of a closed set, and nothing stored but by those that take what they were sent. */
async function judged(
  statuses: readonly number[],
  taking: readonly number[],
  send: () => Promise<{ statusCode?: number | undefined; body?: string | undefined }>,
): Promise<Answered> {
  const [written, queued, said] = [bench.memory.writes.length, bench.queues.sent.length, bench.logged.length];
  const { statusCode = 0, body = '' } = await send();
  const stored = bench.memory.writes.length > written || bench.queues.sent.length > queued;
  const told = JSON.stringify(bench.logged.slice(said)) + body;
  bench.memory.writes.length = 0;
  bench.memory.calls.length = 0;
  bench.queues.sent.length = 0;
  bench.logged.length = 0;
  for (let mail = bench.queues.take(); mail; mail = bench.queues.take());
  if (!statuses.includes(statusCode)) return { answer: String(statusCode), wrong: `answered ${statusCode} ${body}` };
  if (stored && !taking.includes(statusCode)) return { answer: String(statusCode), wrong: `answered ${statusCode}, and something was stored` };
  const leaked = canaryIn(told);
  return { answer: String(statusCode), ...(leaked ? { wrong: leaked } : {}) };
}

export const webhooks: Door = {
  name: 'webhook',
  count: 1_500,
  async send(random) {
    const { file, value } = random.one(hooks);
    const bytes = bodyOf(random.chance(0.9) ? damagedValue(value, random) : value, random);
    const headers: Record<string, string | undefined> = deliveryHeaders(
      eventName(file),
      bytes,
      webhookSecret,
      random.chance(0.05) ? '../x' : `d-${random.below(1e9)}`,
    );
    if (random.chance(0.1)) headers['x-hub-signature-256'] = random.one(['', 'sha256=', 'sha1=00', `sha256=${'0'.repeat(64)}`, 'sha256=é', undefined]);
    if (random.chance(0.1)) headers['x-github-event'] = random.one(['', 'push', 'no_such_event', '__proto__', 'constructor', undefined]);
    const request = requestOf(bytes, headers, random);
    return judged([200, 202, 204, 400, 401, 403, 413], [202], () => handleHook(request, {} as Context));
  },
};

export const clicks: Door = {
  name: 'slack',
  count: 700,
  async send(random) {
    const payload = damagedValue(click, random);
    const { headers, body } = signed((payload ?? {}) as object, signingSecret, bench.clock.now() + random.one([0, 0, 0, 0, 0, 0, 0, 0, -400_000, 400_000]));
    const bytes = random.chance(0.15) ? damagedText(body, random) : Buffer.from(body);
    const shown: Record<string, string | undefined> = { ...headers };
    if (random.chance(0.1)) shown['x-slack-signature'] = random.one(['', 'v0=', `v0=${'0'.repeat(64)}`, undefined]);
    if (random.chance(0.1)) shown['x-slack-request-timestamp'] = random.one(['', 'now', '1e99', '-1', undefined]);
    const { table, queues, ids, log } = bench.world();
    const request = requestOf(bytes, shown, random);
    return judged([200, 400, 401, 404, 413], [200], () =>
      interaction({ table, queues, ids, log, clock: bench.clock, signingSecret: async () => signingSecret }, request),
    );
  },
};

/** Samples of what lies in queues. */
export const messageSamples = samples.filter(({ file }) => /^(control|line)-message/.test(file));
