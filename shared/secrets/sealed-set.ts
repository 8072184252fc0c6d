import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { SealingKey } from './keys.ts';
import { brokenReference, parseReference } from './reference.ts';
import { open, seal } from './seal.ts';
import type { Resolution, SecretSource } from './source.ts';

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
 * Resolves everything a run needs, each name one time and a few at once, and registers what it found with `redactor`. A reference whose
 * source fails, or does not answer, has a reason in the place of a value: it blocks the lines that name it and no other (R1.32).
 *
 * @throws LockkeeperError STORE_UNREACHABLE when the source of the credentials does not answer.
 */
export async function resolveSet(
  source: SecretSource,
  environment: string,
  references: readonly string[],
  variables: readonly string[],
  redactor: Redactor,
): Promise<SecretSet> {
  const [found, credentials] = await Promise.all([
    answers(references, (reference) => answerFor(source, environment, reference)),
    answers(variables, (name) => source.resolve(environment, { scheme: 'env', name })),
  ]);
  const set: SecretSet = {
    references: Object.fromEntries(found.flatMap(([name, one]) => (one.found ? [[name, one.value]] : []))),
    failures: Object.fromEntries(found.flatMap(([name, one]) => (one.found ? [] : [[name, one.why]]))),
    credentials: Object.fromEntries(credentials.flatMap(([name, one]) => (one.found ? [[name, one.value]] : []))),
  };
  registerSet(set, redactor);
  return set;
}

async function answerFor(source: SecretSource, environment: string, text: string): Promise<Resolution> {
  const reference = parseReference(text);
  if (reference === undefined) return { found: false, why: brokenReference(text) };
  try {
    return await source.resolve(environment, reference);
  } catch (error) {
    if (!(error instanceof LockkeeperError)) throw error;
    return { found: false, why: error.message.replace(/\.$/, '') };
  }
}

/** How many are asked for at once: some answers come from a command each. */
const atOnce = 8;

async function answers(names: readonly string[], ask: (name: string) => Promise<Resolution>): Promise<[string, Resolution][]> {
  const left = [...new Set(names)];
  const found: [string, Resolution][] = [];
  async function work(): Promise<void> {
    for (let name = left.shift(); name !== undefined; name = left.shift()) found.push([name, await ask(name)]);
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, left.length) }, work));
  return found;
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
