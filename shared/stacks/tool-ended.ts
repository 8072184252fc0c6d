import type { ToolEndedMessage } from '../../events/control-message.ts';
import { queueLines } from '../run/phase.ts';
import { readRun, readRunLines } from '../run/run-store.ts';
import type { JobWorld } from '../run/world.ts';
import { tokenVariable } from './job-environment.ts';
import { readToken } from './tool-token.ts';

/**
 * A tool job has ended: its line is queued at once, and need not wait for its own next look. The line judges by its record and the mailbox; that
 * this message says so means nothing to it. Without the message everything happens as well, some seconds later.
 */
export async function toolEnded(world: JobWorld, { variables }: ToolEndedMessage): Promise<void> {
  const place = readToken(variables.find(({ name }) => name === tokenVariable)?.value ?? '');
  const run = place && (await readRun(world.table, place.run));
  if (!run) return;
  const line = (await readRunLines(world.table, run.id)).find(
    ({ spec, round, phase }) => spec.order === place?.order && round === run.round && phase === run.phase,
  );
  if (line) await queueLines(world, run, [line.spec.id]);
}
