/**
 * Holds the lines of a run to the lists of an environment, before any secret is read. What cannot be judged before the run (a host
 * behind a variable, a secret scheme nobody serves) is refused: a list that is passed by is no list.
 */
import type { Problem } from '../errors/error.ts';
import { listed, quoted } from '../errors/quoted.ts';
import type { ActiveLine } from '../plan/types.ts';
import { blockHolds } from './block-holds.ts';
import { hostOf, neverReached } from './http-host.ts';
import { matchesGlob } from './name-glob.ts';
import { inEnvironment } from './policy.ts';
import { policyPath } from './policy-file.ts';
import type { EnvironmentPolicy, Policy } from './types.ts';

/** A list of one environment, as it is called where a person changes it. */
interface Lists extends EnvironmentPolicy {
  readonly environment: string;
  readonly called: (list: 'secrets' | 'providers' | 'http_hosts') => string;
}

/** Everything the lines use that the environment does not allow: `POLICY_DENIED`, each naming its line. Empty: all is allowed. */
export function judgeLines(policy: Policy, environment: string, lines: readonly ActiveLine[]): Problem[] {
  const called: Lists['called'] = (list) => `${quoted(`environments.${environment}.${list}`)} of ${policyPath}`;
  const lists = { ...inEnvironment(policy, environment), environment, called };
  return lines.flatMap((line) =>
    [...deniedSecrets(line, lists), ...deniedBlock(line, lists), ...deniedHost(line, lists)].map((why): Problem => {
      return { code: 'POLICY_DENIED', message: `line ${quoted(line.id)}: ${why}`, details: { line: line.id, environment } };
    }),
  );
}

const envReference = /^env:\/\/[A-Za-z_][A-Za-z0-9_]*$/;

/** `env://NAME` is looked for under the environment's own prefix and nowhere else, so that no other environment can be named (`SecretSource`). */
function deniedSecrets({ secrets: named, credentials = [] }: ActiveLine, { environment, called, ...lists }: Lists): readonly string[] {
  // What a block names as a credential is a secret that the plan names, too.
  const secrets = [...named, ...credentials.map((variable) => `env://${variable}`)];
  return secrets.flatMap((reference) => {
    if (!envReference.test(reference)) {
      return [`${quoted(reference)} is no secret under ${quoted(`lockkeeper/${environment}/`)}: write \`env://NAME\``];
    }
    if (lists.secrets === undefined || lists.secrets.some((glob) => matchesGlob(glob, reference))) return [];
    const allowed = lists.secrets.length === 0 ? 'none is allowed there' : `allowed there: ${listed(lists.secrets)}`;
    return [`the secret ${quoted(reference)} may not be used in ${quoted(environment)}, ${allowed}; add it to ${called('secrets')}`];
  });
}

function deniedBlock({ adapter, provider }: ActiveLine, { environment, called, providers }: Lists): readonly string[] {
  if (providers === undefined) return [];
  const allowed = Object.hasOwn(providers, adapter) ? (providers[adapter] ?? []) : [];
  if (allowed.some((block) => blockHolds(provider, block))) return [];
  if (allowed.length === 0) return [`the adapter ${quoted(adapter)} may not be used in ${quoted(environment)}; add it to ${called('providers')}`];
  const blocks = listed(
    allowed.map((block) => JSON.stringify(block)),
    'or',
    5,
  );
  return [`the provider block of ${quoted(adapter)} may not be used in ${quoted(environment)}: it must hold ${blocks}, by ${called('providers')}`];
}

function deniedHost(line: ActiveLine, { environment, called, httpHosts }: Lists): readonly string[] {
  if (line.adapter !== 'http') return [];
  const host = hostOf(line);
  if (host === undefined) return ['the host it reaches cannot be told before it runs: write `base_url` out in its provider block, and no `base_url_env`'];
  const kind = neverReached(host);
  if (kind !== undefined) return [`the host ${quoted(host)} is ${kind}: only public addresses are reached, whatever the policy says`];
  if (httpHosts.includes(host)) return [];
  const allowed = httpHosts.length === 0 ? 'none is allowed there' : `allowed there: ${listed(httpHosts)}`;
  return [`the host ${quoted(host)} may not be reached from ${quoted(environment)}, ${allowed}; add it to ${called('http_hosts')}`];
}
