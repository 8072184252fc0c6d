import { problemOf } from '../../../shared/errors/error.ts';
import { slackSecretOf } from '../../../shared/platform/slack/secret.ts';
import { type Finding, fine, wrong } from './finding.ts';
import type { Probes } from './probes.ts';

const fill = 'Put {"botToken": "xoxb-…", "signingSecret": "…"} there: docs/deploy.md, “Slack”.';

/** Whether Slack is set up, and then whether it takes the token, and the stack what Slack would send. Without Slack everything else works. */
export async function slackFindings(
  probes: Pick<Probes, 'secret' | 'slackTeam' | 'knock'>,
  { id, url }: { readonly id: string; readonly url: string },
): Promise<Finding[]> {
  const read = await probes.secret(id);
  if (!read.found) return [fine('Slack', `not set up (${read.why}); questions are put elsewhere`)];
  const token = tokenIn(id, read.value);
  if (token === undefined) return [wrong('Slack', `the value of ${id} cannot be used`, fill)];
  return [await tokenFinding(probes, token), routeFinding(await probes.knock(url), url)];
}

function tokenIn(id: string, value: string): string | undefined {
  try {
    return slackSecretOf(id, value).botToken;
  } catch {
    return undefined;
  }
}

async function tokenFinding(probes: Pick<Probes, 'slackTeam'>, token: string): Promise<Finding> {
  try {
    return fine('Slack', `workspace ${await probes.slackTeam(token)} takes the bot token`);
  } catch (error) {
    const { code, message } = problemOf(error);
    if (code !== 'PROVIDER_AUTH') throw error;
    return wrong('Slack', message, `Install the app in the workspace again, and put its new bot token into the secret. ${fill}`);
  }
}

function routeFinding(status: number, url: string): Finding {
  if (status === 401) return fine('Slack interactions', `${url} refuses an unsigned request with 401`);
  const remedy =
    status === 404
      ? 'The function has not seen the secret yet: try again in a minute.'
      : 'Look at the log of the function: docs/runbook.md, section failed-clicks.';
  return wrong('Slack interactions', `${url} answers an unsigned request with ${status} where 401 belongs`, remedy);
}
