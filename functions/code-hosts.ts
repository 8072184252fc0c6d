import { LockkeeperError } from '../shared/errors/error.ts';
import { type Environment, secretsManager } from '../shared/platform/clients.ts';
import { systemClock } from '../shared/platform/clock.ts';
import { gitCodeHost } from '../shared/platform/git/code-host.ts';
import { checkUrl, repositoryUrl } from '../shared/platform/github/checks.ts';
import { GITHUB_API_URL, githubCodeHost } from '../shared/platform/github/code-host.ts';
import { readSecret } from '../shared/platform/secrets-manager.ts';
import type { CodeHost } from '../shared/ports/code-host.ts';

/** Hosts by the process: tokens and installations are kept with them. */
const hosts = new Map<string, Promise<CodeHost>>();

/** GitHub through the App whose secret the template names. The secret is read when the host is first asked something. */
function deployedCodeHost(environment: Environment): CodeHost {
  const host = () => connected(environment);
  return {
    repository: async (...asked) => (await host()).repository(...asked),
    file: async (...asked) => (await host()).file(...asked),
    archive: async (...asked) => (await host()).archive(...asked),
    pullRequest: async (...asked) => (await host()).pullRequest(...asked),
    pullRequestsAt: async (...asked) => (await host()).pullRequestsAt(...asked),
    openPullRequests: async (...asked) => (await host()).openPullRequests(...asked),
    mergedPullRequest: async (...asked) => (await host()).mergedPullRequest(...asked),
    defaultTip: async (...asked) => (await host()).defaultTip(...asked),
    branchTip: async (...asked) => (await host()).branchTip(...asked),
    mergeBase: async (...asked) => (await host()).mergeBase(...asked),
    ancestry: async (...asked) => (await host()).ancestry(...asked),
    comment: async (...asked) => (await host()).comment(...asked),
    permission: async (...asked) => (await host()).permission(...asked),
    isPerson: async (...asked) => (await host()).isPerson(...asked),
    inTeam: async (...asked) => (await host()).inTeam(...asked),
    authorsOf: async (...asked) => (await host()).authorsOf(...asked),
    issues: {
      find: async (...asked) => issuesOf(await host()).find(...asked),
      create: async (...asked) => issuesOf(await host()).create(...asked),
      read: async (...asked) => issuesOf(await host()).read(...asked),
      write: async (...asked) => issuesOf(await host()).write(...asked),
      edits: async (...asked) => issuesOf(await host()).edits(...asked),
    },
    surfaces: {
      upsertComment: async (...asked) => surfacesOf(await host()).upsertComment(...asked),
      upsertCheck: async (...asked) => surfacesOf(await host()).upsertCheck(...asked),
      checkUrl: (repository, id) => checkUrl(apiUrlOf(environment), repository, id),
      repositoryUrl: (repository) => repositoryUrl(apiUrlOf(environment), repository),
    },
    deliveries: {
      async *since(moment) {
        yield* deliveriesOf(await host()).since(moment);
      },
      again: async (id) => deliveriesOf(await host()).again(id),
    },
  };
}

// An app has them all.
const issuesOf = (host: CodeHost) => host.issues as NonNullable<CodeHost['issues']>;
const surfacesOf = (host: CodeHost) => host.surfaces as NonNullable<CodeHost['surfaces']>;
const deliveriesOf = (host: CodeHost) => host.deliveries as NonNullable<CodeHost['deliveries']>;

const apiUrlOf = (environment: Environment): string => environment['GITHUB_API_URL'] || GITHUB_API_URL;

function connected(environment: Environment): Promise<CodeHost> {
  const secretId = environment['GITHUB_APP_SECRET_ID'] ?? '';
  const baseUrl = apiUrlOf(environment);
  const place = JSON.stringify([secretId, baseUrl, environment['AWS_ENDPOINT_URL_SECRETS_MANAGER']]);
  const known = hosts.get(place) ?? connect(environment, secretId, baseUrl);
  hosts.set(place, known);
  known.catch(() => hosts.delete(place));
  return known;
}

async function connect(environment: Environment, secretId: string, baseUrl: string): Promise<CodeHost> {
  const { appId, privateKey } = appOf(secretId, await readSecret(secretsManager(environment), secretId));
  return githubCodeHost({ baseUrl, credentials: { appId, privateKey }, clock: systemClock });
}

function appOf(secretId: string, text: string): { appId: string; privateKey: string } {
  try {
    const { appId, privateKey } = JSON.parse(text) as Record<string, unknown>;
    if ((typeof appId === 'string' || typeof appId === 'number') && typeof privateKey === 'string') return { appId: String(appId), privateKey };
  } catch {
    // Said below: whatever it is, it is not the App's secret.
  }
  throw new LockkeeperError({ code: 'CODE_HOST', message: `The secret ${secretId} must be JSON: {"appId": "…", "privateKey": "-----BEGIN…"}.` });
}

/** The host a stack's runs ask: GitHub, or git in the folder of the person at the terminal. */
export const codeHostOf = (environment: Environment): CodeHost => {
  const folder = environment['GIT_FOLDER'];
  return folder ? gitCodeHost(folder) : deployedCodeHost(environment);
};
