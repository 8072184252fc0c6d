/**
 * Holds the lines of a run to the lists of an environment, before any secret is read. What cannot be judged before the run (a host
 * behind a variable, a secret scheme nobody serves) is refused: a list that is passed by is no list.
 */
import type { Problem } from '../errors/error.ts';
import { listed, quoted } from '../errors/quoted.ts';
import type { ActiveLine } from '../plan/types.ts';
import { standingOf } from '../secrets/own-names.ts';
import { brokenReference, parseReference, type SecretReference } from '../secrets/reference.ts';
import { blockHolds } from './block-holds.ts';
import { apiNameOf, hostOf, neverReached } from './http-host.ts';
import { matchesGlob } from './name-glob.ts';
import { inEnvironment } from './policy.ts';
import { policyPath } from './policy-file.ts';
import type { EnvironmentPolicy, Policy } from './types.ts';

/** A list of one environment, as it is called where a person changes it. */
interface Lists extends EnvironmentPolicy {
  readonly environment: string;
  readonly called: (list: 'secrets' | 'credentials' | 'providers' | 'http_hosts' | 'stacks') => string;
}

/**
 * Everything the lines use that the environment does not allow: `POLICY_DENIED`, each naming its line. Empty: all is allowed.
 *
 * @param variablesOf the provider credentials that a line's op uses, by their variables.
 * @param isStack whether a line's op runs an infrastructure tool.
 */
export function judgeLines(
  policy: Policy,
  environment: string,
  lines: readonly ActiveLine[],
  variablesOf: (line: ActiveLine) => readonly string[] = () => [],
  isStack: (line: ActiveLine) => boolean = () => false,
): Problem[] {
  const called: Lists['called'] = (list) => `${quoted(`environments.${environment}.${list}`)} of ${policyPath}`;
  const lists = { ...inEnvironment(policy, environment), environment, called };
  return lines.flatMap((line) =>
    [
      ...deniedSecrets(line, lists),
      ...deniedCredentials(variablesOf(line), line, lists),
      ...deniedBlock(line, lists),
      ...deniedHost(line, lists),
      ...(isStack(line) ? deniedTool(lists) : []),
    ].map((why): Problem => {
      return { code: 'POLICY_DENIED', message: `line ${quoted(line.id)}: ${why}`, details: { line: line.id, environment } };
    }),
  );
}

/** Whether an environment allows one secret: what a line that names it would be told, if it does not. */
export const isSecretAllowed = (policy: Policy, environment: string, reference: string): boolean =>
  deniedSecrets({ secrets: [reference] }, { ...inEnvironment(policy, environment), environment, called: () => '' }).length === 0;

/** The first part of every secret's name, unless a stack was deployed with another. Its sources hold to their own (`own-names.ts`). */
const prefix = 'lockkeeper';

/**
 * `env://NAME` is looked for under the environment's own prefix and nowhere else, so that no other environment can be named. A name
 * written out could be anybody's: where nothing is listed, it must lie under that prefix, and whatever is listed opens nothing of
 * Lockkeeper's own and of other environments.
 */
function deniedSecrets(
  { secrets, credentials = [] }: Pick<ActiveLine, 'secrets' | 'credentials'>,
  { environment, called, ...lists }: Lists,
): readonly string[] {
  // What a block names as a credential is a secret that the plan names, too, unless it is listed as the credential it is.
  const named = credentials.filter((variable) => !lists.credentials?.some((glob) => matchesGlob(glob, variable)));
  return [...secrets, ...named.map((variable) => `env://${variable}`)].flatMap((text) => {
    const reference = parseReference(text);
    if (reference === undefined) return [brokenReference(text)];
    const standing = standingIn(reference, environment);
    if (standing === 'forbidden')
      return [`${quoted(text)} lies under ${quoted(`${prefix}/`)} and not under ${quoted(`${prefix}/${environment}/`)}: no policy can allow that`];
    const listedThere = lists.secrets ?? ['env://*'];
    if (listedThere.some((glob) => matchesGlob(glob, text)) || (lists.secrets === undefined && standing === 'own')) return [];
    const allowed = listedThere.length === 0 ? 'none is allowed there' : `allowed there: ${listed(listedThere)}`;
    return [`the secret ${quoted(text)} may not be used in ${quoted(environment)}, ${allowed}; add it to ${called('secrets')}`];
  });
}

/** Where credentials are listed, nothing else is used: an adapter's own, too. One that the block names is judged as a secret. */
function deniedCredentials(
  variables: readonly string[],
  { credentials = [] }: Pick<ActiveLine, 'credentials'>,
  { environment, called, ...lists }: Lists,
): readonly string[] {
  const { credentials: listedThere } = lists;
  if (listedThere === undefined) return [];
  const strangers = [...new Set(variables)].filter((name) => !credentials.includes(name) && !listedThere.some((glob) => matchesGlob(glob, name)));
  const allowed = listedThere.length === 0 ? 'none is allowed there' : `allowed there: ${listed(listedThere)}`;
  return strangers.map((name) => `the credential ${quoted(name)} may not be used in ${quoted(environment)}, ${allowed}; add it to ${called('credentials')}`);
}

function standingIn(reference: SecretReference, environment: string): ReturnType<typeof standingOf> {
  if (reference.scheme === 'aws-sm') return standingOf(reference.id, prefix, environment);
  return reference.scheme === 'ssm' ? standingOf(reference.name, prefix, environment) : 'outside';
}

/** A tool runs whatever code the commit has: nowhere but where policy says so. */
const deniedTool = ({ environment, called, stacks }: Lists): readonly string[] =>
  stacks === undefined ? [`infrastructure tools may not be run in ${quoted(environment)}; add ${called('stacks')}, \`{}\` for one that needs nothing`] : [];

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
  const names = line.adapter === 'http' || (line.adapter === 'manual' && apiNameOf(line.params) !== undefined);
  if (!names) return [];
  const host = hostOf(line);
  if (host === undefined) return ['the host it reaches cannot be told before it runs: write `base_url` out in its provider block, and no `base_url_env`'];
  const kind = neverReached(host);
  if (kind !== undefined) return [`the host ${quoted(host)} is ${kind}: only public addresses are reached, whatever the policy says`];
  if (httpHosts.includes(host)) return [];
  const allowed = httpHosts.length === 0 ? 'none is allowed there' : `allowed there: ${listed(httpHosts)}`;
  return [`the host ${quoted(host)} may not be reached from ${quoted(environment)}, ${allowed}; add it to ${called('http_hosts')}`];
}
