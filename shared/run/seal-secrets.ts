import { credentialsOf, opOf } from '../engine/line-call.ts';
import type { Entry } from '../ledger/entry.ts';
import type { ActiveLine, ProviderBlock } from '../plan/types.ts';
import { isSecretAllowed } from '../policy/judge-lines.ts';
import { inEnvironment, policyOf } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { freshSalt } from '../secrets/keys.ts';
import { resolveSet, type SecretSet, sealSet } from '../secrets/sealed-set.ts';
import { absent, equal } from '../table/condition.ts';
import { sealedKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { Again } from './again.ts';
import { forgetSecrets } from './forget-secrets.ts';
import type { Run } from './items.ts';
import { loadPolicy } from './load-policy.ts';
import { runLifetime } from './run-log.ts';
import { readRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/**
 * Resolves every secret and credential the run can need, once, and seals the set beside the run (design "Values"): those of
 * the active lines, and the credentials of whatever the ledger holds.
 *
 * @param tools addresses of what policy gives the tools of stacks.
 */
export async function sealSecrets(
  world: ControlWorld,
  run: Run,
  lines: readonly ActiveLine[],
  entries: readonly Entry[],
  tools: readonly string[] = [],
): Promise<SecretSet> {
  const references = [...lines.flatMap((line) => line.secrets), ...tools];
  return sealReferences(world, run, references, [...lines, ...entries]);
}

/**
 * The same where no plan says anything: what the entries were last written with, only so that a provider's echo of it is masked (R1.72). A
 * reference without a value stops nothing, and neither does a policy that cannot be had: it is then taken to say nothing.
 */
export async function sealForRemoval(world: ControlWorld, run: Run, entries: readonly Entry[], tools: readonly string[] = []): Promise<SecretSet> {
  const references = [...new Set(entries.flatMap((entry) => Object.keys(entry.secretFingerprints ?? {})))];
  const policy = references.length === 0 ? policyOf() : await loadPolicy(world, run.repository).catch(() => policyOf());
  const allowed = references.filter((reference) => isSecretAllowed(policy, run.environment, reference));
  return sealReferences(world, run, [...allowed, ...tools], entries);
}

/**
 * For a plan of what a merge would do: no secret at all, and in the place of each credential the one that policy names as able to read
 * alone. Lines that need another are not looked at.
 */
export async function sealReadCredentials(world: ControlWorld, run: Run, lines: readonly ActiveLine[], policy: Policy): Promise<SecretSet> {
  const { readCredentials } = inEnvironment(policy, run.environment);
  const used = variablesOf(world, lines).flatMap((variable) => {
    const name = Object.hasOwn(readCredentials, variable) ? readCredentials[variable] : undefined;
    return name === undefined ? [] : [{ variable, name }];
  });
  const names = used.map(({ name }) => name);
  const { credentials } = await resolveSet(world.secrets, run.environment, [], names, world.redactor);
  const given = used.flatMap(({ variable, name }) => (credentials[name] === undefined ? [] : [[variable, credentials[name]]]));
  const set: SecretSet = { references: {}, failures: {}, credentials: Object.fromEntries(given) };
  await store(world, run, set);
  return set;
}

/**
 * For a scan: the secrets of its lines, as a plan of that environment has them, since what is live is compared with what they come to; and in
 * the place of each credential for which policy names one that can only read, that one.
 */
export async function sealForScan(
  world: ControlWorld,
  run: Run,
  lines: readonly ActiveLine[],
  policy: Policy,
  tools: readonly string[] = [],
): Promise<SecretSet> {
  const { readCredentials } = inEnvironment(policy, run.environment);
  const nameOf = (variable: string): string => (Object.hasOwn(readCredentials, variable) ? readCredentials[variable] : undefined) ?? variable;
  const variables = [...new Set(variablesOf(world, lines))];
  const references = [...lines.flatMap((line) => line.secrets), ...tools];
  const { credentials, ...set } = await resolveSet(world.secrets, run.environment, references, variables.map(nameOf), world.redactor);
  const given = variables.flatMap((variable) => {
    const value = credentials[nameOf(variable)];
    return value === undefined ? [] : [[variable, value]];
  });
  const sealed: SecretSet = { ...set, credentials: Object.fromEntries(given) };
  await store(world, run, sealed);
  return sealed;
}

/** The variables of the credentials that these take. */
export const variablesOf = (world: ControlWorld, users: readonly Pick<ActiveLine | Entry, 'adapter' | 'op' | 'provider'>[]): string[] =>
  users.flatMap((at) => credentialsOf(opOf(world, at), at.provider as ProviderBlock).map(({ variable }) => variable));

async function sealReferences(
  world: ControlWorld,
  run: Run,
  references: readonly string[],
  users: readonly Pick<ActiveLine | Entry, 'adapter' | 'op' | 'provider'>[],
): Promise<SecretSet> {
  const set = await resolveSet(world.secrets, run.environment, references, variablesOf(world, users), world.redactor);
  await store(world, run, set);
  return set;
}

/**
 * Puts the set beside the run, with the salt of the key its lines' outputs are sealed under: the one that lies there already, if any, since
 * lines of an earlier round may hold what is given once. Only over what was read: a step that comes late must not take the salt away from
 * lines that are at work by now.
 *
 * @throws Again when another step stored one meanwhile.
 */
async function store(world: ControlWorld, run: Run, set: SecretSet): Promise<void> {
  const key = sealedKey(run.id);
  const found = await world.table.get(key);
  const salt = found?.['salt'] ?? freshSalt(world.keys.sealing);
  const ttl = Math.floor(world.clock.now() / 1000) + runLifetime;
  const put = { sealed: sealSet(world.keys.sealing, run.id, set), salt, round: run.round, sealedIn: run.phase, ttl };
  const stored = await write(world, key, { put }, found ? equal('writeId', found['writeId'] as string) : absent);
  if (!stored.won) throw new Again(`another step of run ${run.id} has sealed its secrets`, 0);
  if (world.clock.now() > (run.step?.until ?? 0)) await takeBack(world, run);
}

/** Where a run rests that has no use for its secrets, and what of them it has forgotten there. */
const rests = { awaiting: 'plan', waiting: 'wait', done: 'end' } as const;

/**
 * Within its claim a step is alone (P1). One that stood still past it may have sealed for a run that has come to rest meanwhile, and forgotten what it
 * had: nobody would take that away again.
 *
 * @throws Again where it is so.
 */
async function takeBack(world: ControlWorld, { id }: Run): Promise<void> {
  const now = await readRun(world.table, id);
  const after = now && rests[now.phase as keyof typeof rests];
  if (!now || !after) return;
  await forgetSecrets(world, now, after);
  throw new Again(`run ${id} has come to rest without this step`, 0);
}
