import { outputsIn } from '../plan/references.ts';
import { all, any, below, equal, lacks, present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { lineKey, sealedKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run, RunLine } from './items.ts';
import { readRunLines } from './run-store.ts';
import type { JobWorld } from './world.ts';

/**
 * Removes a run's sealed values: its set of secrets and the sensitive outputs of its lines. They live no longer than the round that needed them,
 * but for outputs that are given once: a line that waits for something else has no other way to them. A step that comes late takes nothing
 * away from what goes on by now: neither from a later round, nor, where it parks the run, from the lines that an answer has let go on.
 *
 * @param after `plan`: the run asks, and only what its plan needed goes; `wait`: it has another round.
 */
export async function forgetSecrets(world: JobWorld, run: Run, after: 'plan' | 'wait' | 'end' = 'end'): Promise<void> {
  const ofThisRound = all(equal('round', run.round), after === 'plan' ? equal('sealedIn', 'preparing') : present);
  await write(world, sealedKey(run.id), { delete: true }, any(lacks('round'), below('round', run.round), ofThisRound));
  const lines = await readRunLines(world.table, run.id);
  const isPast = ({ round, phase }: RunLine) => round < run.round || (round === run.round && (after !== 'plan' || phase === 'planning'));
  const sealed = lines.filter((line) => line.sealed !== undefined && isPast(line) && !(after === 'wait' && isAwaited(line, lines)));
  await inBatches(sealed, ({ spec, round, phase }) =>
    write(world, lineKey(run.id, spec.id), { remove: ['sealed'] }, all(present, equal('round', round), equal('phase', phase))),
  );
}

/** Whether a line that waits for something else needs what this one was given once. */
const isAwaited = ({ spec, result }: RunLine, lines: readonly RunLine[]): boolean =>
  lines.some(
    (other) =>
      other.result?.status === 'waiting' && outputsIn(other.spec.params).some(({ line, output }) => line === spec.id && result?.once?.[output] !== undefined),
  );
