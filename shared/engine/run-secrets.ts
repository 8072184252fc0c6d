import type { Run, RunLine } from '../run/items.ts';
import type { World } from '../run/world.ts';
import { freshSalt, keyOfRun, type SealingKey } from '../secrets/keys.ts';
import { openSet, type SecretSet } from '../secrets/sealed-set.ts';
import { sealedKey } from '../table/keys.ts';
import { openSealed } from './sealed-outputs.ts';

/** The secrets of a run, and the key under which its lines' sensitive outputs are sealed. It goes with the set that it lies beside. */
export interface RunSecrets extends SecretSet {
  readonly ofOutputs: SealingKey;
}

/**
 * The secrets of a run, opened; every value is registered with the redactor before anything else happens. Where none lie any more, what is
 * sealed is sealed for nobody.
 *
 * @throws LockkeeperError SEAL_UNREADABLE
 */
export async function openSecrets({ table, keys, redactor }: Pick<World, 'table' | 'keys' | 'redactor'>, run: Run): Promise<RunSecrets> {
  const item = await table.get(sealedKey(run.id));
  const { sealed, salt } = (item ?? { salt: freshSalt(keys.sealing) }) as { sealed?: string; salt?: string };
  const set = sealed === undefined ? { references: {}, failures: {}, credentials: {} } : openSet(keys.sealing, run.id, sealed, redactor);
  // A set that an older version sealed has no salt: its outputs lie under the stack's key.
  return { ...set, ofOutputs: salt === undefined ? keys.sealing : keyOfRun(keys.sealing, salt) };
}

/**
 * As {@link openSecrets}, and with them every sensitive output that these lines have seen: wherever else such a value stands, it is masked.
 * For the steps that store and show what all lines came to; a line's job knows the marks of the lines it needs (reading all would cost each
 * of ten thousand lines ten thousand reads).
 *
 * @throws LockkeeperError SEAL_UNREADABLE
 */
export async function openEverySecret(world: World, run: Run, lines: readonly RunLine[]): Promise<RunSecrets> {
  const secrets = await openSecrets(world, run);
  for (const line of lines) openSealed(world, secrets, line);
  return secrets;
}
