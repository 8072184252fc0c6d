import { problemOf } from '../../../shared/errors/error.ts';
import { appFindings } from './app.ts';
import { type Finding, fine, noted, wrong } from './finding.ts';
import type { Probes } from './probes.ts';
import { queueFindings } from './queues.ts';
import { planSecretsFinding, prefixOf, type SecretFindings, secretFindings } from './secrets.ts';
import { slackFindings } from './slack.ts';
import { type OwnVersion, stackFindings } from './stack.ts';
import { stackToolFindings } from './stack-tools.ts';

/**
 * Looks at an installation from the outside, in the order in which it is built. Without a stack nothing else is looked at; apart from
 * that a check that fails, or cannot be made, keeps no other from being made. `mask` takes secrets out of what went wrong.
 */
export async function examine(
  probes: Probes,
  { stack: name, now, ...own }: { readonly stack: string; readonly now: number } & OwnVersion,
  mask: (text: string) => string,
): Promise<Finding[]> {
  const tried = tryWith(mask);
  const stack = await probes.stack(name);
  const found = stackFindings(name, stack, own);
  if (!stack || found.some(({ check, ok }) => check === 'stack' && !ok)) return found;
  const { outputs } = stack;
  const webhookUrl = String(outputs['WebhookUrl']);
  const prefix = prefixOf(String(outputs['WebhookSecretName']));
  const list = stack.parameters['Repositories'] ?? '';
  const secrets: SecretFindings = await secretFindings(probes, outputs).catch((error) => ({ findings: [unlooked('secrets', error, mask)] }));
  const { app } = secrets;
  return [
    ...found,
    ...secrets.findings,
    ...(await tried('webhook', async () => [webhookFinding(await probes.knock(webhookUrl), webhookUrl)])),
    ...(app ? await tried('GitHub App', () => appFindings(probes.app(app), { webhookUrl, list, now })) : [unasked]),
    ...(await tried('Slack', () => slackFindings(probes, { id: String(outputs['SlackSecretName']), url: String(outputs['SlackInteractionsUrl']) }))),
    ...(await tried('secrets of plans', async () => [planSecretsFinding(await probes.secretNames(`${prefix}/`), prefix)])),
    ...(await tried('control queue', () => queueFindings(probes, 'control', outputs))),
    ...(await tried('lines queue', () => queueFindings(probes, 'lines', outputs))),
    ...(await tried('tool projects', () => stackToolFindings(probes, outputs))),
    ...(await tried('schedule', async () => [scheduleFinding(await probes.scheduleState(String(outputs['ScheduleName'])))])),
    ...(await tried('alarms', async () => [alarmFinding(await probes.subscriptions(String(outputs['AlarmTopicArn'])))])),
    ...(await tried('concurrency', async () => [concurrencyFinding(await probes.concurrency())])),
  ];
}

const unasked = wrong('GitHub App', 'GitHub was not asked, because the App’s secret cannot be used', 'Fill the secret, then run doctor again.');

const tryWith =
  (mask: (text: string) => string) =>
  (check: string, look: () => Promise<Finding[]>): Promise<Finding[]> =>
    look().catch((error) => [unlooked(check, error, mask)]);

function unlooked(check: string, error: unknown, mask: (text: string) => string): Finding {
  const said = error instanceof Error ? error.message : problemOf(error).message;
  return wrong(check, `it could not be looked at: ${mask(said)}`, 'Check that your AWS credentials may read it, and that the network reaches it.');
}

function webhookFinding(status: number, url: string): Finding {
  if (status === 401) return fine('webhook', `${url} refuses an unsigned request with 401`);
  const remedy =
    status === 503 ? 'It cannot read its secret: see the checks above, then its log.' : 'Look at the log of the webhook function: docs/runbook.md.';
  return wrong('webhook', `${url} answers an unsigned request with ${status} where 401 belongs`, remedy);
}

/** An alarm that nobody hears is none. */
function alarmFinding(confirmed: number): Finding {
  if (confirmed > 0) return fine('alarms', `${confirmed} confirmed ${confirmed === 1 ? 'subscription' : 'subscriptions'}`);
  return noted('alarms', 'nobody is told of an alarm: its topic has no confirmed subscription', 'Subscribe somebody: docs/runbook.md.');
}

/** As many functions run at once when the queues are full, and one more answers the webhook. */
const BUSY = 100;

function concurrencyFinding(limit: number): Finding {
  if (limit >= BUSY) return fine('concurrency', `the account may run ${limit} functions at once`);
  const says = `the account may run ${limit} functions at once: with many lines at work the webhook is throttled`;
  return noted('concurrency', says, `Ask for ${BUSY} or more in Service Quotas, Lambda, “Concurrent executions”. A new account begins with less.`);
}

function scheduleFinding(state: string | undefined): Finding {
  if (state === 'ENABLED') return fine('schedule', 'enabled');
  if (state === undefined) return wrong('schedule', 'there is none', 'Deploy this version: `npx cdk deploy`.');
  return wrong(
    'schedule',
    `it is ${state.toLowerCase()}`,
    'Enable it in EventBridge Scheduler, or deploy again: without it nothing that stands still is woken.',
  );
}
