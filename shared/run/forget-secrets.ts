import { all, any, below, equal, lacks, present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { lineKey, sealedKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run } from './items.ts';
import { readRunLines } from './run-store.ts';
import type { JobWorld } from './world.ts';

/**
 * Removes a run's sealed values: its set of secrets and the sensitive outputs of its lines. They live no longer than the round that needed
 * them. A step that comes late takes nothing away from what goes on by now: neither from a later round, nor, where it parks the run, from
 * the lines that an answer has let go on.
 *
 * @param of `plan`: only what a plan needed.
 */
export async function forgetSecrets(world: JobWorld, run: Run, of: 'plan' | 'round' = 'round'): Promise<void> {
  const ofThisRound = all(equal('round', run.round), of === 'plan' ? equal('sealedIn', 'preparing') : present);
  await write(world, sealedKey(run.id), { delete: true }, any(lacks('round'), below('round', run.round), ofThisRound));
  const lines = await readRunLines(world.table, run.id);
  const past = lines.filter((line) => line.round < run.round || (line.round === run.round && (of === 'round' || line.phase === 'planning')));
  await inBatches(
    past.filter((line) => line.sealed !== undefined),
    ({ spec, round, phase }) => write(world, lineKey(run.id, spec.id), { remove: ['sealed'] }, all(present, equal('round', round), equal('phase', phase))),
  );
}
