import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { AppDescription, GithubApp, HookDescription, Installation } from '../../../shared/platform/github/app.ts';
import { appEvents, appPermissions, covers } from '../../../shared/platform/github/app-needs.ts';
import { type Finding, fine, wrong } from './finding.ts';

const settings = 'the App’s settings at GitHub';

/** Whether GitHub knows the App, lets it do what is called, tells it what is listened for, and sends it here. */
export async function appFindings(app: GithubApp, webhookUrl: string): Promise<Finding[]> {
  let known: AppDescription;
  try {
    known = await app.describe();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [
      wrong(
        'GitHub App',
        'GitHub does not take its id and private key together',
        `Generate a new private key in ${settings} and put it into the secret, with the App’s id.`,
      ),
    ];
  }
  return [
    fine('GitHub App', `${known.slug} is known to GitHub`),
    permissionFinding(known),
    eventFinding(known),
    hookFinding(await app.hook(), webhookUrl),
    installationFinding(await app.installations(), known),
  ];
}

const isRefusal = (error: unknown): boolean => error instanceof LockkeeperError && ['PROVIDER_AUTH', 'PROVIDER_NOT_FOUND', 'CODE_HOST'].includes(error.code);

const lacking = (granted: Readonly<Record<string, string>>): string[] =>
  Object.entries(appPermissions).flatMap(([name, access]) => (covers(granted[name], access) ? [] : [`${name}: ${access}`]));

const unheard = (events: readonly string[]): string[] => appEvents.filter((event) => !events.includes(event));

function permissionFinding({ permissions }: AppDescription): Finding {
  const missing = lacking(permissions);
  if (missing.length === 0)
    return fine(
      'GitHub App permissions',
      Object.entries(appPermissions)
        .map(([name, access]) => `${name}: ${access}`)
        .join(', '),
    );
  return wrong(
    'GitHub App permissions',
    `missing: ${missing.join(', ')}`,
    `Add them in ${settings}, Permissions & events; each owner then has to accept them.`,
  );
}

function eventFinding({ events }: AppDescription): Finding {
  const missing = unheard(events);
  if (missing.length === 0) return fine('GitHub App events', appEvents.join(', '));
  return wrong('GitHub App events', `missing: ${missing.join(', ')}`, `Subscribe to them in ${settings}, Permissions & events.`);
}

function hookFinding({ url, content_type: type, insecure_ssl: insecure, secret }: HookDescription, webhookUrl: string): Finding {
  const check = 'GitHub App webhook';
  if (url !== webhookUrl) return wrong(check, url ? `GitHub sends to ${url}` : 'it has no address', `Set the webhook’s URL to ${webhookUrl} in ${settings}.`);
  if (type !== 'json') return wrong(check, `its content type is ${type ?? 'not set'}`, `Set it to application/json in ${settings}.`);
  if (!secret) return wrong(check, 'it has no secret', `Copy the webhook secret of the stack into ${settings}.`);
  if (insecure !== '0') return wrong(check, 'SSL verification is off', `Turn it on in ${settings}.`);
  return fine(check, 'GitHub sends JSON here, signed');
}

/** What an installation was granted: new permissions lie still until the owner accepts them. */
function installationFinding(installations: readonly Installation[], known: AppDescription): Finding {
  const check = 'GitHub App installations';
  const named = (one: Installation) => one.account?.login ?? 'an account without a name';
  if (installations.length === 0) return wrong(check, 'it is installed nowhere', `Install ${known.slug} in the repositories that shall use it.`);
  const suspended = installations.filter((one) => one.suspended_at);
  if (suspended.length > 0) return wrong(check, `suspended by ${suspended.map(named).join(', ')}`, 'Ask its owner to lift the suspension.');
  const behind = installations.filter((one) => lacking(one.permissions).length > 0 || unheard(one.events).length > 0);
  if (behind.length > 0)
    return wrong(check, `${behind.map(named).join(', ')} has not accepted every permission`, 'Ask its owner to accept the new permissions.');
  return fine(check, installations.map(named).join(', '));
}
