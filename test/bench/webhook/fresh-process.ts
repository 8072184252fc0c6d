import { spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScriptedEndpoint, scriptedEndpoint } from '../../contract/scripted-endpoint.ts';
import { payloadOf, signed } from '../../sim/slack/press.ts';
import { median } from '../median.ts';
import { atMost, type Row } from '../row.ts';

const here = import.meta.dirname;
const secret = 'a webhook secret for the bench';

const slowest = 8;
const mostCalls = 2;
const samples = 15;

/** What a fresh process of the deployed bundle takes until its 202, against an empty one, and what it asks of AWS meanwhile. */
export async function freshProcess(folder: string): Promise<Row[]> {
  const aws = await scriptedEndpoint(({ operation, input }) => ({ body: answerOf(operation, input) }));
  try {
    const event = join(folder, 'event.json');
    writeFileSync(event, JSON.stringify(signedEvent()));
    const webhook = [join(here, 'deliver.fixture.mjs'), join(folder, 'functions/github-webhook/index.mjs'), event];
    const click = join(folder, 'click.json');
    writeFileSync(click, JSON.stringify(signedClick()));
    const slack = [join(here, 'deliver.fixture.mjs'), join(folder, 'functions/slack-interaction/index.mjs'), click];
    return [await callsRow('webhook', webhook, '202', aws), await callsRow('slack', slack, '200', aws), await ratioRow(webhook, aws)];
  } finally {
    await aws.stop();
  }
}

/** As AWS answers: the client compares the digest of a message with its own. */
function answerOf(operation: string, input: Record<string, unknown>): object {
  if (operation === 'GetSecretValue')
    return { SecretString: input['SecretId'] === 'slack' ? JSON.stringify({ botToken: 'xoxb-a-token-of-the-bench', signingSecret: secret }) : secret };
  if (operation === 'SendMessage') return { MessageId: 'm-1', MD5OfMessageBody: createHash('md5').update(String(input['MessageBody'])).digest('hex') };
  return {};
}

async function callsRow(name: string, program: readonly string[], taken: string, aws: ScriptedEndpoint): Promise<Row> {
  const deliveries = 3;
  aws.requests.length = 0;
  const { lines } = await firstLineOf([...program, String(deliveries)], aws.url);
  const operations = aws.requests.map((request) => request.operation);
  const secrets = operations.filter((operation) => operation === 'GetSecretValue').length;
  return atMost(`${name}: AWS calls before it answers`, mostCalls, {
    value: (operations.length - secrets) / deliveries,
    digits: 2,
    sound: secrets === 1 && lines.length === deliveries && lines.every((line) => line === taken),
    details: [`${deliveries} deliveries to one process: ${operations.join(', ')}`],
  });
}

/** Samples alternate, so that what else the machine does meanwhile falls on both; one of each first, unmeasured, fills the file cache. */
async function ratioRow(webhook: readonly string[], aws: ScriptedEndpoint): Promise<Row> {
  const empty = [join(here, 'empty.fixture.mjs')];
  const times: { empty: number[]; webhook: number[] } = { empty: [], webhook: [] };
  let answered = true;
  for (let sample = 0; sample <= samples; sample += 1) {
    const bare = await firstLineOf(empty, aws.url);
    const full = await firstLineOf(webhook, aws.url);
    answered &&= full.lines[0] === '202';
    if (sample === 0) continue;
    times.empty.push(bare.ms);
    times.webhook.push(full.ms);
  }
  const [bare, full] = [median(times.empty), median(times.webhook)];
  return atMost('webhook: fresh process from spawn to 202 against an empty one', slowest, {
    value: full / bare,
    digits: 1,
    unit: ' ×',
    sound: answered,
    details: [`medians of ${samples}: ${full.toFixed(0)} ms against ${bare.toFixed(0)} ms`],
  });
}

/** Milliseconds from spawn to the first line, and every line until the end. */
async function firstLineOf(program: readonly string[], endpoint: string): Promise<{ ms: number; lines: string[] }> {
  const began = performance.now();
  const child = spawn(process.execPath, [...program], { stdio: ['ignore', 'pipe', 'inherit'], env: environmentOf(endpoint) });
  let ms = Number.NaN;
  let said = '';
  child.stdout.on('data', (piece: Buffer) => {
    if (Number.isNaN(ms)) ms = performance.now() - began;
    said += piece.toString();
  });
  await new Promise((resolve) => child.on('close', resolve));
  return { ms, lines: said.split('\n').filter((line) => line !== '') };
}

const environmentOf = (endpoint: string): Record<string, string> => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  TABLE_NAME: 'table',
  CONTROL_QUEUE_URL: `${endpoint}/000000000000/control`,
  WEBHOOK_SECRET_ID: 'webhook',
  SLACK_SECRET_ID: 'slack',
  REPOSITORIES: '*',
});

function signedEvent(): object {
  const body = readFileSync(join(here, '../../../events/samples/github-pull-request.json'), 'utf8');
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'x-github-event': 'pull_request', 'x-github-delivery': 'd-1', 'x-hub-signature-256': signature };
  return { version: '2.0', headers, body, isBase64Encoded: false };
}

/** The very same click several times: the table of the bench refuses none. */
function signedClick(): object {
  const value = JSON.stringify({ repository: '1296269', run: '5d41402abc4b2a76b9719d911017c592', q: 1, digest: 'a'.repeat(64) });
  const payload = payloadOf({ user: 'U0000ROBIN', team: 'T0000ACME', channel: 'C0RELEASES', ts: '1.2', action: { action_id: 'lockkeeper-approve', value } });
  return { version: '2.0', ...signed(payload, secret, Date.now()), isBase64Encoded: false };
}
