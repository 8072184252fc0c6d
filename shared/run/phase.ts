import type { LineMessage } from '../../events/line-message.ts';
import { present } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { openKey, openPrefix, runPartition } from '../table/keys.ts';
import { write } from '../table/write.ts';
import type { LinePhase, LineSpec, Run, RunLine } from './items.ts';
import { freedStep, type RunChange, saveRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/** One line of a phase: its spec, with the lines it waits for and those that wait for it in this phase. */
export interface PhaseLine {
  readonly spec: LineSpec;
  /** Lines of this phase that must be done first. */
  readonly after: readonly string[];
}

/** Swaps the phase, then queues what is ready. Undefined: somebody else swapped first, go on from what the item says. */
export async function swapPhase(world: JobWorld, run: Run, phase: LinePhase, change: RunChange): Promise<Run | undefined> {
  const now = new Date(world.clock.now()).toISOString();
  const swapped = await saveRun(world, run, { ...change, phase, step: freedStep(run), since: now }, ['cursor']);
  if (swapped) await queueReady(world, swapped);
  return swapped;
}

/** An open-work item as it lies in the table. */
interface OpenWork {
  readonly line: string;
  readonly after: readonly string[];
}

export async function readOpenWork(world: JobWorld, run: Run): Promise<OpenWork[]> {
  const items = await world.table.query(runPartition(run.id), openPrefix(run.round, run.phase));
  return items.map((item) => ({ line: item['line'] as string, after: [...((item['after'] as Set<string> | undefined) ?? [])] }));
}

async function queueReady(world: JobWorld, run: Run): Promise<void> {
  const ready = (await readOpenWork(world, run)).filter((open) => open.after.length === 0);
  await queueLines(
    world,
    run,
    ready.map((open) => open.line),
  );
}

export async function queueLines(world: JobWorld, run: Run, lines: readonly string[], delaySeconds = 0): Promise<void> {
  if (lines.length > 0)
    await world.queues.lines(
      lines.map((line) => lineMessageOf(run, line)),
      delaySeconds,
    );
}

function lineMessageOf(run: Run, line: string): LineMessage {
  return { format: 1, run: run.id, round: run.round, phase: run.phase as LinePhase, line, group: run.repository.id };
}

export async function queueStep(world: Pick<JobWorld, 'queues'>, run: Pick<Run, 'id' | 'repository'>, delaySeconds = 0): Promise<void> {
  await world.queues.control({ format: 1, run: run.id, group: run.repository.id }, delaySeconds);
}

/**
 * What every finished job does, and what a job that finds its line finished does again (P1.5): takes the line out of its
 * dependants' sets, queues each dependant whose set is empty now, deletes its own open-work item, and reports the phase
 * done when none is left. Ready is judged by what the set is, not by who emptied it.
 */
export async function tail(world: JobWorld, run: Run, line: RunLine): Promise<void> {
  const freed = await inBatches(line.spec.dependants, (dependant) => freeDependant(world, run, line.spec.id, dependant));
  await queueLines(
    world,
    run,
    freed.filter((id) => id !== undefined),
  );
  await write(world, openKey(run.id, line.round, line.phase, line.spec.id), { delete: true }, present);
  const left = await world.table.query(runPartition(run.id), openPrefix(line.round, line.phase), 1);
  if (left.length === 0) await queueStep(world, run);
}

/** The dependant's id when nothing holds it any more. A removal never creates an item: absent means already finished. */
async function freeDependant(world: JobWorld, run: Run, line: string, dependant: string): Promise<string | undefined> {
  const key = openKey(run.id, run.round, run.phase, dependant);
  const result = await write(world, key, { drop: { after: [line] } }, present);
  if (!result.won) return undefined;
  const item = result.before ?? (await world.table.get(key));
  if (!item) return undefined;
  const after = new Set(item['after'] as Set<string> | undefined);
  after.delete(line);
  return after.size === 0 ? dependant : undefined;
}
