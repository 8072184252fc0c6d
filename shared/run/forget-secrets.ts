import { outputsIn } from '../plan/references.ts';
import { all, any, below, equal, lacks, present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { lineKey, sealedKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run, RunLine } from './items.ts';
import { readRunLines } from './run-store.ts';
import type { JobWorld } from './world.ts';

/**
 * Deletes a run's set of secrets, and with it the salt of its key: nothing that its lines sealed can be opened any more. They live no longer
 * than the round that needed them, but for outputs that are given once: a line that waits for something else has no other way to them, so the
 * salt stays, and what other lines sealed is taken away. A step that comes late takes nothing away from what goes on by now: neither from a
 * later round, nor, where it parks the run, from the lines that an answer has let go on.
 *
 * @param after `plan`: the run asks, and only what its plan needed goes; `wait`: it has another round.
 */
export async function forgetSecrets(world: JobWorld, run: Run, after: 'plan' | 'wait' | 'end' = 'end'): Promise<void> {
  const key = sealedKey(run.id);
  const item = await world.table.get(key);
  if (!item) return;
  const hasOwnKey = item['salt'] !== undefined;
  const lines = after === 'end' && hasOwnKey ? [] : await readRunLines(world.table, run.id);
  const sealed = lines.filter((line) => line.sealed !== undefined);
  const awaited = after === 'end' ? [] : sealed.filter((line) => isAwaited(line, lines));
  // An older version sealed what lines gave under the stack's key: that is not deleted with the set.
  if (awaited.length > 0 || !hasOwnKey)
    await unseal(
      world,
      run,
      after,
      sealed.filter((line) => !awaited.includes(line)),
    );
  const ofThisRound = all(equal('round', run.round), after === 'plan' ? equal('sealedIn', 'preparing') : present);
  await write(world, key, awaited.length > 0 ? { remove: ['sealed'] } : { delete: true }, any(lacks('round'), below('round', run.round), ofThisRound));
}

/** Takes away what these lines sealed, of this round and what its step knows of it. */
async function unseal(world: JobWorld, run: Run, after: 'plan' | 'wait' | 'end', lines: readonly RunLine[]): Promise<void> {
  const isPast = ({ round, phase }: RunLine) => round < run.round || (round === run.round && (after !== 'plan' || phase === 'planning'));
  await inBatches(lines.filter(isPast), ({ spec, round, phase }) =>
    write(world, lineKey(run.id, spec.id), { remove: ['sealed'] }, all(present, equal('round', round), equal('phase', phase))),
  );
}

/** Whether a line that waits for something else needs what this one was given once. */
const isAwaited = ({ spec, result }: RunLine, lines: readonly RunLine[]): boolean =>
  lines.some(
    (other) =>
      other.result?.status === 'waiting' && outputsIn(other.spec.params).some(({ line, output }) => line === spec.id && result?.once?.[output] !== undefined),
  );
