import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { SealingKey } from './keys.ts';
import { resolveReference } from './reference.ts';
import { open, seal } from './seal.ts';
import type { SecretSource } from './source.ts';

const secretSet = z.strictObject({
  references: z.record(z.string(), z.string()),
  failures: z.record(z.string(), z.string()),
  credentials: z.record(z.string(), z.string()),
});

/**
 * The secrets of one run, as they were when it was prepared: values by reference, why a reference has none, and the
 * providers' credentials by variable (one that is not there is left out: the provider's adapter says what is missing).
 */
export type SecretSet = Readonly<Record<keyof z.infer<typeof secretSet>, Readonly<Record<string, string>>>>;

/**
 * Resolves everything a run needs, at once, each name one time, and registers what it found with `redactor`.
 *
 * @throws LockkeeperError STORE_UNREACHABLE when the source does not answer.
 */
export async function resolveSet(
  source: SecretSource,
  environment: string,
  references: readonly string[],
  variables: readonly string[],
  redactor: Redactor,
): Promise<SecretSet> {
  const [found, credentials] = await Promise.all([
    answers(references, (reference) => resolveReference(source, environment, reference)),
    answers(variables, (variable) => source.resolve(environment, variable)),
  ]);
  const set: SecretSet = {
    references: Object.fromEntries(found.flatMap(([name, one]) => (one.found ? [[name, one.value]] : []))),
    failures: Object.fromEntries(found.flatMap(([name, one]) => (one.found ? [] : [[name, one.why]]))),
    credentials: Object.fromEntries(credentials.flatMap(([name, one]) => (one.found ? [[name, one.value]] : []))),
  };
  registerSet(set, redactor);
  return set;
}

async function answers<T>(names: readonly string[], ask: (name: string) => Promise<T>): Promise<[string, T][]> {
  return Promise.all([...new Set(names)].map(async (name): Promise<[string, T]> => [name, await ask(name)]));
}

/** The set as it lies beside the run; it opens only for the run of this id. */
export function sealSet(key: SealingKey, runId: string, set: SecretSet): string {
  return seal(key, JSON.stringify(set), placeOf(runId));
}

/**
 * Opens the set of a run and registers every value in it with `redactor`, before the caller emits or stores anything.
 *
 * @throws LockkeeperError SEAL_UNREADABLE
 */
export function openSet(key: SealingKey, runId: string, sealed: string, redactor: Redactor): SecretSet {
  const parsed = secretSet.safeParse(JSON.parse(open(key, sealed, placeOf(runId))));
  if (!parsed.success) throw new LockkeeperError({ code: 'SEAL_UNREADABLE', message: 'The secrets of the run were sealed by another version.' });
  registerSet(parsed.data, redactor);
  return parsed.data;
}

function registerSet(set: SecretSet, redactor: Redactor): void {
  for (const [name, value] of [...Object.entries(set.references), ...Object.entries(set.credentials)]) redactor.register(value, name);
}

const placeOf = (runId: string) => `secrets of run ${runId}`;
