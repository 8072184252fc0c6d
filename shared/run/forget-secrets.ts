import { outputsIn } from '../plan/references.ts';
import { always, present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { lineKey, sealedKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { Run, RunLine } from './items.ts';
import { readRunLines } from './run-store.ts';
import type { JobWorld } from './world.ts';

/**
 * Removes a run's sealed values: its set of secrets and the sensitive outputs of its lines. They live no longer than the round that needed them,
 * but for outputs that are given once: a line that waits for something else has no other way to them.
 *
 * @param waits the run has another round.
 */
export async function forgetSecrets(world: JobWorld, run: Run, waits = false): Promise<void> {
  await write(world, sealedKey(run.id), { delete: true }, always);
  const lines = await readRunLines(world.table, run.id);
  const sealed = lines.filter((line) => line.sealed !== undefined && !(waits && isAwaited(line, lines)));
  await inBatches(sealed, (line) => write(world, lineKey(run.id, line.spec.id), { remove: ['sealed'] }, present));
}

/** Whether a line that waits for something else needs what this one was given once. */
const isAwaited = ({ spec, result }: RunLine, lines: readonly RunLine[]): boolean =>
  lines.some(
    (other) =>
      other.result?.status === 'waiting' && outputsIn(other.spec.params).some(({ line, output }) => line === spec.id && result?.once?.[output] !== undefined),
  );
