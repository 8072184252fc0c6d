import { problemOf } from '../../../shared/errors/error.ts';
import { appFindings } from './app.ts';
import { type Finding, fine, wrong } from './finding.ts';
import type { Probes } from './probes.ts';
import { type SecretFindings, secretFindings } from './secrets.ts';
import { stackFindings } from './stack.ts';

/**
 * Looks at an installation from the outside, in the order in which it is built. Without a stack nothing else is looked at; apart from
 * that a check that fails, or cannot be made, keeps no other from being made. `mask` takes secrets out of what went wrong.
 */
export async function examine(
  probes: Probes,
  { stack: name, version }: { readonly stack: string; readonly version: string },
  mask: (text: string) => string,
): Promise<Finding[]> {
  const tried = tryWith(mask);
  const stack = await probes.stack(name);
  const found = stackFindings(name, stack, version);
  if (!stack || found.some(({ check, ok }) => check === 'stack' && !ok)) return found;
  const { outputs } = stack;
  const webhookUrl = String(outputs['WebhookUrl']);
  const secrets: SecretFindings = await secretFindings(probes, outputs).catch((error) => ({ findings: [unlooked('secrets', error, mask)] }));
  const { app } = secrets;
  return [
    ...found,
    ...secrets.findings,
    ...(await tried('webhook', async () => [webhookFinding(await probes.knock(webhookUrl), webhookUrl)])),
    ...(app ? await tried('GitHub App', () => appFindings(probes.app(app), webhookUrl)) : [unasked]),
    ...(await tried('control queue', async () => [await deadFinding(probes, 'control', String(outputs['ControlDeadLetterQueueUrl']))])),
    ...(await tried('lines queue', async () => [await deadFinding(probes, 'lines', String(outputs['LinesDeadLetterQueueUrl']))])),
    ...(await tried('schedule', async () => [scheduleFinding(await probes.scheduleState(String(outputs['ScheduleName'])))])),
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

async function deadFinding(probes: Probes, queue: string, url: string): Promise<Finding> {
  const { visible, inFlight } = await probes.depth(url);
  const count = visible + inFlight;
  if (count === 0) return fine(`${queue} queue`, 'no dead letters');
  return wrong(
    `${queue} queue`,
    `${count} dead ${count === 1 ? 'letter' : 'letters'}`,
    `docs/runbook.md, section ${queue === 'lines' ? 'dead-lines' : 'dead-control-steps'}.`,
  );
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
