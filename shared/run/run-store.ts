import type { Table } from '../ports/table.ts';
import { all, any, below, equal, lacks, present } from '../table/condition.ts';
import { lineKey, linePrefix, runKey, runPartition } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import { Again } from './again.ts';
import { type Run, type RunLine, runLineOf, runOf } from './items.ts';
import type { JobWorld } from './world.ts';

export async function readRun(table: Table, id: string): Promise<Run | undefined> {
  const item = await table.get(runKey(id));
  return item?.['item'] === 'run' ? runOf(item) : undefined;
}

export async function readRunLine(table: Table, run: string, line: string): Promise<RunLine | undefined> {
  const item = await table.get(lineKey(run, line));
  return item && runLineOf(item);
}

/** Every line of a run, by id. */
export async function readRunLines(table: Table, run: string): Promise<RunLine[]> {
  return (await table.query(runPartition(run), linePrefix)).map(runLineOf);
}

/** The lines of a run's present round, in the order of the plan. */
export async function readLinesOfRound(table: Table, run: Run): Promise<RunLine[]> {
  const lines = await readRunLines(table, run.id);
  return lines.filter((line) => line.round === run.round).sort((a, b) => a.spec.order - b.spec.order);
}

/** Beside the run's own fields: `status` and `since`, by which the sweep finds it. */
export type RunChange = Partial<Omit<Run, 'id' | 'version'>> & { readonly status?: string; readonly since?: string };

/**
 * Advances a run by compare-and-swap. Another writer got there first: undefined, and the caller reads the item and goes
 * on from what it says (P2).
 */
export async function saveRun(writer: Writer, run: Run, change: RunChange, remove: readonly (keyof Run | 'since')[] = []): Promise<Run | undefined> {
  const result = await write(
    writer,
    runKey(run.id),
    (writeId) => ({ set: { ...change, version: writeId }, remove }),
    all(present, equal('version', run.version)),
  );
  if (!result.won) return undefined;
  const kept = Object.fromEntries(Object.entries(run).filter(([name]) => !remove.includes(name as keyof Run)));
  const { status: _status, since: _since, ...own } = change;
  return { ...(kept as unknown as Run), ...own, version: result.writeId };
}

/**
 * The same for whoever cannot go on without it.
 *
 * @throws Again when another writer got there first: the message comes back and the step does what the item says then.
 */
export async function saveOrAgain(writer: Writer, run: Run, change: RunChange, remove: readonly (keyof Run | 'since')[] = []): Promise<Run> {
  const saved = await saveRun(writer, run, change, remove);
  if (!saved) throw new Again(`run ${run.id} moved on meanwhile`, 0);
  return saved;
}

/** The claim of a run's step, given back: its attempts are still counted. */
export const freedStep = (run: Run): NonNullable<Run['step']> => ({ attempt: run.step?.attempt ?? 0, until: 0 });

/**
 * Claims the control step that is due (P1.1): nobody else works on this run's steps until the claim's end. The claim is a
 * compare-and-swap, so a step that read an older state does not get it.
 *
 * @param remove what the run need not remember any longer.
 * @throws Again while somebody else's claim is live.
 */
export async function claimStep(world: JobWorld, run: Run, remove: readonly (keyof Run)[] = []): Promise<Run> {
  const now = world.clock.now();
  const free = (run.step?.until ?? 0) + 2 * world.timing.skew;
  if (run.step && now <= free) throw new Again(`another step of run ${run.id} is at work`, (free - now) / 1000, 'claimed');
  const step = { attempt: (run.step?.attempt ?? 0) + 1, until: now + world.timing.functionTimeout + claimMargin };
  return saveOrAgain(world, run, { step }, remove);
}

/** How long a claim outlives the function that made it, ms (P1.1). */
export const claimMargin = 5_000;

/** Frees the step claim without changing anything else. Losing the race means that the run has moved on: nothing to free. */
export async function freeStep(writer: Writer, run: Run): Promise<void> {
  await saveRun(writer, run, { step: freedStep(run) });
}

/**
 * Claims a line's job for this round and phase. `live`: somebody's claim holds until then; `moved`: the line is final, or of
 * another round or phase.
 */
export async function claimLine(world: JobWorld, line: RunLine): Promise<{ claimed: RunLine } | { live: number } | 'moved'> {
  const now = world.clock.now();
  const attempt = line.attempt + 1;
  const until = now + world.timing.functionTimeout + claimMargin;
  const sameWork = all(equal('round', line.round), equal('phase', line.phase), lacks('result'), equal('attempt', line.attempt));
  const unclaimed = any(lacks('until'), below('until', now - 2 * world.timing.skew));
  const result = await write(world, lineKey(line.run, line.spec.id), { set: { attempt, until } }, all(sameWork, unclaimed));
  if (result.won) return { claimed: { ...line, attempt, until } };
  const found = result.found && runLineOf(result.found);
  if (!found || found.result || found.round !== line.round || found.phase !== line.phase) return 'moved';
  return { live: found.until + 2 * world.timing.skew };
}

/** Writes a job's result on condition of its attempt (P1.4). False: a later attempt has the line. */
export async function saveLine(
  writer: Writer,
  line: RunLine,
  change: Partial<Pick<RunLine, 'result' | 'applied' | 'sealed' | 'pollingSince' | 'until'>>,
): Promise<boolean> {
  const mine = all(equal('attempt', line.attempt), equal('round', line.round), equal('phase', line.phase));
  return (await write(writer, lineKey(line.run, line.spec.id), { set: change as Record<string, unknown> }, mine)).won;
}

/** The first result of a planned line wins: planning writes nothing outside and needs no claim (P1, last rule). */
export async function savePlannedLine(writer: Writer, line: RunLine, change: Pick<RunLine, 'result'> & { sealed?: string }): Promise<boolean> {
  const first = all(equal('round', line.round), equal('phase', line.phase), lacks('result'));
  return (await write(writer, lineKey(line.run, line.spec.id), { set: { ...change } }, first)).won;
}
