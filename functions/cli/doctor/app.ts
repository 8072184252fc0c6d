import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { AppDescription, GithubApp, HookDescription, Installation } from '../../../shared/platform/github/app.ts';
import { appEvents, appPermissions, covers, organizationPermissions } from '../../../shared/platform/github/app-needs.ts';
import type { Delivery } from '../../../shared/ports/code-host.ts';
import { type Finding, fine, noted, wrong } from './finding.ts';
import { entriesOf } from './stack.ts';

const settings = 'the App’s settings at GitHub';

/** What the stack serves: where, whom (the allow-list), and since when it is asked what GitHub sent. */
export interface Served {
  readonly webhookUrl: string;
  readonly list: string;
  /** Epoch ms. */
  readonly now: number;
}

const DAY_MS = 86_400_000;

/** Whether GitHub knows the App, lets it do what is called, tells it what is listened for, and sends it here. */
export async function appFindings(app: GithubApp, { webhookUrl, list, now }: Served): Promise<Finding[]> {
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
    ...installationFindings(await app.installations(), known, list),
    deliveryFinding(await app.deliveriesSince(now - DAY_MS)),
  ];
}

const isRefusal = (error: unknown): boolean => error instanceof LockkeeperError && ['PROVIDER_AUTH', 'PROVIDER_NOT_FOUND', 'CODE_HOST'].includes(error.code);

const lacking = (granted: Readonly<Record<string, string>>, none: readonly string[] = []): string[] =>
  Object.entries(appPermissions).flatMap(([name, access]) => (none.includes(name) || covers(granted[name], access) ? [] : [`${name}: ${access}`]));

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
function installationFindings(installations: readonly Installation[], known: AppDescription, list: string): Finding[] {
  const found = installationFinding(installations, known);
  return found.ok ? [found, servedFinding(installations.map(named), list)] : [found];
}

const named = (one: Installation): string => one.account?.login ?? 'an account without a name';

/** The list and the installations, held against each other by owner: GitHub tells of no installation which repositories it is for. */
function servedFinding(installed: readonly string[], list: string): Finding {
  const check = 'GitHub App and Repositories';
  const entries = entriesOf(list);
  const owners = [...new Set(entries.filter((entry) => entry.includes('/')).map((entry) => entry.split('/')[0]?.toLowerCase() ?? ''))];
  const logins = installed.map((login) => login.toLowerCase());
  const absent = owners.filter((owner) => !logins.includes(owner));
  if (absent.length > 0) return wrong(check, `the list names ${absent.join(', ')}, where the App is not installed`, 'Install it there, or correct the list.');
  const open = entries.some((entry) => entry === '*' || /^\d+$/.test(entry));
  const unserved = open ? [] : installed.filter((login) => !owners.includes(login.toLowerCase()));
  if (unserved.length === 0) return fine(check, 'every owner on the list has installed it');
  return noted(
    check,
    `installed by ${unserved.join(', ')}, who is not on the list and is refused with 403`,
    'Add them to the parameter Repositories, or leave it.',
  );
}

/** What the webhook answered GitHub within a day. The newest answer tells how it is now. */
function deliveryFinding(deliveries: readonly Delivery[]): Finding {
  const check = 'GitHub App deliveries';
  const [newest] = deliveries;
  if (newest === undefined) return fine(check, 'GitHub has sent nothing for a day');
  const failed = deliveries.filter(({ status }) => !isTaken(status));
  const counted = `${failed.length} of ${deliveries.length} within a day were not taken`;
  if (!isTaken(newest.status)) return wrong(check, `${counted}, the newest was answered ${newest.status || 'not at all'}`, remedyOf(newest.status));
  if (failed.length === 0) return fine(check, `${deliveries.length} within a day, all taken`);
  return noted(check, `${counted}; the newest was`, 'Nothing to do: the schedule asks for lost ones again.');
}

const isTaken = (status: number): boolean => status >= 200 && status < 300;

function remedyOf(status: number): string {
  if (status === 401) return `Copy the webhook secret of the stack into ${settings} again: it is another one there.`;
  if (status === 403) return 'Add the repository to the parameter Repositories: it is not on the list.';
  return `Look at the log of the webhook function, and at Recent Deliveries in ${settings}.`;
}

function installationFinding(installations: readonly Installation[], known: AppDescription): Finding {
  const check = 'GitHub App installations';
  if (installations.length === 0) return wrong(check, 'it is installed nowhere', `Install ${known.slug} in the repositories that shall use it.`);
  const suspended = installations.filter((one) => one.suspended_at);
  if (suspended.length > 0) return wrong(check, `suspended by ${suspended.map(named).join(', ')}`, 'Ask its owner to lift the suspension.');
  const behind = installations.filter(
    (one) => lacking(one.permissions, one.account?.type === 'User' ? organizationPermissions : []).length > 0 || unheard(one.events).length > 0,
  );
  if (behind.length > 0)
    return wrong(check, `${behind.map(named).join(', ')} has not accepted every permission`, 'Ask its owner to accept the new permissions.');
  return fine(check, installations.map(named).join(', '));
}
