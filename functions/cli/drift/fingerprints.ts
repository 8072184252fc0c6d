import type { DriftRecord } from '../../../shared/drift/record.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { type FingerprintKey, fingerprintKey, keyOfMember } from '../../../shared/secrets/keys.ts';
import type { Surroundings } from '../surroundings.ts';

/** The variable that holds the key of whoever reads other tools' documents. */
const variable = 'LOCKKEEPER_FINGERPRINT_KEY';

/**
 * The key under which values that are not shown are told apart, of this member. It is the reader's own, and never the stack's: whoever has that can guess
 * at what the ledger holds (ADR 0071).
 *
 * @throws LockkeeperError KEY_INVALID for one that is too short to be a key.
 */
export function memberKey(member: string, { environment, redactor }: Pick<Surroundings, 'environment' | 'redactor'>): FingerprintKey | undefined {
  const secret = environment[variable];
  if (secret === undefined || secret === '') return undefined;
  redactor.register(secret, variable);
  try {
    return keyOfMember(fingerprintKey(secret), member);
  } catch (error) {
    if (!(error instanceof LockkeeperError)) throw error;
    throw new LockkeeperError({ ...error.problem, hint: `Put at least 32 random characters into ${variable}, as \`openssl rand -hex 32\` prints them.` });
  }
}

/** Whether something drifted of which nothing is told but where: then another edit of the same path looks the same. */
export const isPathsAlone = (records: Iterable<DriftRecord>): boolean => {
  for (const { attributes = [] } of records) if (attributes.some(({ before, after }) => before === undefined && after === undefined)) return true;
  return false;
};

export const pathsAlone = `Of what is not shown there is the path alone: set ${variable} to have fingerprints, which tell whether it changed again.`;
