import { credentialsOf, opOf } from '../engine/line-call.ts';
import type { Entry } from '../ledger/entry.ts';
import type { ActiveLine, ProviderBlock } from '../plan/types.ts';
import { resolveSet, type SecretSet, sealSet } from '../secrets/sealed-set.ts';
import { always } from '../table/condition.ts';
import { sealedKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run } from './items.ts';
import { runLifetime } from './run-log.ts';
import type { ControlWorld } from './world.ts';

/**
 * Resolves every secret and credential the run can need, once, and seals the set beside the run (design "Values"): those of
 * the active lines, and the credentials of whatever the ledger holds.
 */
export async function sealSecrets(world: ControlWorld, run: Run, lines: readonly ActiveLine[], entries: readonly Entry[]): Promise<SecretSet> {
  const references = lines.flatMap((line) => line.secrets);
  const variables = [...lines, ...entries].flatMap((at) => credentialsOf(opOf(world, at), at.provider as ProviderBlock).map(({ variable }) => variable));
  const set = await resolveSet(world.secrets, run.environment, references, variables, world.redactor);
  const ttl = Math.floor(world.clock.now() / 1000) + runLifetime;
  await write(world, sealedKey(run.id), { put: { sealed: sealSet(world.keys.sealing, run.id, set), ttl } }, always);
  return set;
}
