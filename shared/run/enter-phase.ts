import { absent, all, equal } from '../table/condition.ts';
import { inBatches } from '../table/in-batches.ts';
import { lineKey, openKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { Again } from './again.ts';
import type { LinePhase, LineResult, LineSpec, Run, RunLine } from './items.ts';
import { type PhaseLine, queueStep, swapPhase } from './phase.ts';
import { runLifetime } from './run-log.ts';
import { claimMargin, freeStep, type RunChange, readRunLines, saveRun } from './run-store.ts';
import type { JobWorld } from './world.ts';

/** What a run is about to work on. */
export interface Entering {
  readonly phase: LinePhase;
  readonly lines: readonly PhaseLine[];
  /** What the swap changes beside the phase. */
  readonly change: RunChange;
  /** Fence of the lease it works under; 0 without one. */
  readonly fence: number;
  /** Makes what else a line needs before it starts. */
  readonly alsoPut?: (spec: LineSpec) => Promise<void>;
}

/** How many lines' items are put before the step looks at its time. */
const batchSize = 16;

/**
 * Items, then the swap, then the queue (P2). The items are put under the step's claim and before the swap: no line of the phase
 * can be at work yet. A step whose time is up keeps its place, valid for this work and this fence, and queues itself again:
 * undefined. So does one that a swap by somebody else overtook, by throwing.
 *
 * @throws Again when the run moved on meanwhile.
 */
export async function enterPhase(world: JobWorld, run: Run, entering: Entering): Promise<Run | undefined> {
  const { phase, fence, change } = entering;
  const start = run.cursor?.phase === phase && run.cursor.fence === fence ? run.cursor.at : 0;
  const next = await putItems(world, run, entering, start);
  if (next !== undefined) {
    const saved = await saveRun(world, run, { cursor: { at: next, phase, fence } });
    if (saved) await freeStep(world, saved);
    await queueStep(world, run);
    return undefined;
  }
  const swapped = await swapPhase(world, run, phase, change);
  if (!swapped) throw new Again('the run moved on meanwhile', 0);
  if (entering.lines.length === 0) await queueStep(world, swapped);
  return swapped;
}

/** Puts what is not yet of this round and phase, from `start` on; the line to go on from when half of the step's time is gone. */
async function putItems(world: JobWorld, run: Run, { phase, lines, alsoPut }: Entering, start: number): Promise<number | undefined> {
  const halfTime = (run.step?.until ?? 0) - claimMargin - world.timing.functionTimeout / 2;
  const known = new Map((await readRunLines(world.table, run.id)).map((line) => [line.spec.id, line]));
  const dependants = dependantsOf(lines);
  const ttl = Math.floor(world.clock.now() / 1000) + runLifetime;
  for (let at = start; at < lines.length; at += batchSize) {
    if (at > start && world.clock.now() >= halfTime) return at;
    refuseLate(world, run);
    await inBatches(lines.slice(at, at + batchSize), async (line) => {
      const spec = { ...line.spec, dependants: dependants.get(line.spec.id) ?? [] };
      await putLine(world, run, spec, phase, known.get(line.spec.id), ttl);
      await putOpen(world, run, line, phase, ttl);
      await alsoPut?.(spec);
    });
  }
  return undefined;
}

/**
 * A step that comes late must not put the items of its phase over those of a later one (P1.2): what it reads of the lines by then is theirs.
 *
 * @throws Again when its claim could run out while it writes.
 */
function refuseLate({ clock, timing }: JobWorld, { id, step }: Run): void {
  if (step && clock.now() + timing.storeTimeout > step.until) throw new Again(`a step of run ${id} is late`, 0);
}

function dependantsOf(lines: readonly PhaseLine[]): ReadonlyMap<string, readonly string[]> {
  const dependants = new Map<string, string[]>(lines.map((line) => [line.spec.id, []]));
  for (const line of lines) for (const needed of line.after) dependants.get(needed)?.push(line.spec.id);
  return dependants;
}

async function putLine(world: JobWorld, run: Run, spec: LineSpec, phase: LinePhase, known: RunLine | undefined, ttl: number): Promise<void> {
  const key = lineKey(run.id, spec.id);
  const { round } = run;
  if (!known) {
    await write(world, key, { put: { format: 1, run: run.id, spec, round, phase, attempt: 0, until: 0, ttl } }, absent);
    return;
  }
  if (known.round === round && known.phase === phase) return;
  const applied = phase === 'rolling-back' && known.result && known.round === round ? { applied: withAccount(known, known.result) } : {};
  const remove = ['result', 'pollingSince', 'tool', 'again', 'tries', ...(phase === 'rolling-back' ? [] : ['applied'])];
  const change = { set: { spec, round, phase, until: 0, ...applied }, remove };
  await write(world, key, change, all(equal('round', known.round), equal('phase', known.phase)));
}

/** What the line applied, with the ids it meant: what it is rolled back by is made of its ledger alone, and says them no more. */
function withAccount({ spec }: RunLine, result: LineResult): LineResult {
  const account = result.account ?? spec.account;
  return account ? { ...result, account } : result;
}

async function putOpen(world: JobWorld, run: Run, line: PhaseLine, phase: LinePhase, ttl: number): Promise<void> {
  const after = line.after.length > 0 ? { after: new Set(line.after) } : {};
  await write(world, openKey(run.id, run.round, phase, line.spec.id), { put: { line: line.spec.id, ttl, ...after } }, absent);
}
