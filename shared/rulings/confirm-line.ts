import { LockkeeperError } from '../errors/error.ts';
import { readLease } from '../lease/lease.ts';
import type { Entry } from '../ledger/entry.ts';
import { noteEvent, readHead } from '../ledger/head.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import type { LineResult, Run, RunLine } from '../run/items.ts';
import { loadPolicy } from '../run/load-policy.ts';
import { resumeById } from '../run/resume.ts';
import { environmentsOf } from '../run/run-scope.ts';
import { readRun, readRunLine } from '../run/run-store.ts';
import type { ControlWorld, JobWorld } from '../run/world.ts';
import { after, type Ruler, readRuling, rule } from './ruling.ts';
import { judgeRuler } from './who-may-rule.ts';

/** What waits for a person's word about a line: the run, and exactly what was shown of it. */
export interface AskedStep {
  readonly run: Run;
  readonly line: RunLine;
  readonly manual: NonNullable<LineResult['manual']>;
}

/** The step was done before: a word about it changes nothing, and is no mistake. */
export interface DoneStep {
  readonly run: string;
  readonly done: NonNullable<Entry['manual']>;
}

/** A person's word: who, with what it was said, and when (ISO 8601). */
export interface Word {
  readonly by: Ruler;
  readonly start: string;
  readonly at: string;
}

/**
 * The run of the scope that shows a step, or its undoing, to be done by a person: one that waits, or that is still at work on other lines.
 *
 * @throws LockkeeperError USAGE for a line that is no manual step, and for one that no run has asked for.
 */
export async function findStep(world: Pick<JobWorld, 'table' | 'clock' | 'timing' | 'ids'>, scope: string, line: string): Promise<AskedStep | DoneStep> {
  const head = await readHead(world.table, scope);
  const holder = (await readLease(world, scope))?.holder;
  for (const id of [...(head?.openRuns ?? []), ...(holder === undefined ? [] : [holder])]) {
    const run = await readRun(world.table, id);
    const asked = run && (await readRunLine(world.table, id, line));
    if (!run || run.phase === 'done' || asked?.round !== run.round) continue;
    if (asked.result?.manual) return { run, line: asked, manual: asked.result.manual };
    if (asked.result?.status === 'waiting' && asked.result.waitingFor === 'confirmation') throw notManual(line, asked.spec, asked.result.waitingOn);
  }
  const ledger = await readLedgerLine(world.table, scope, line);
  const done = ledger?.entries.find((entry) => entry.manual)?.manual;
  if (done && head?.settled) return { run: head.settled.run, done };
  if (ledger && ledger.entries.length > 0) throw notManual(line, ledger);
  throw new LockkeeperError({
    code: 'USAGE',
    message: `No run of this scope waits for a confirmation of line ${line}.`,
    hint: 'Run `lockkeeper apply`: it shows what a person has to do, and that is what is confirmed.',
  });
}

const notManual = (line: string, { adapter, op }: { readonly adapter: string; readonly op: string }, on?: string): LockkeeperError =>
  new LockkeeperError({
    code: 'USAGE',
    message: `Line ${line} is ${adapter}.${op}, and no step that a person does.`,
    hint: on === undefined ? 'Only lines of `manual.step` are confirmed.' : `It waits for line ${on}: confirm that one.`,
  });

/**
 * Records a person's word about what they were shown, and lets the run go on that waits for it. The word is noted on the head before the
 * run is looked at, so that a run that is about to wait finds it (P5).
 *
 *     rule ─▶ note ─▶ resume      a death between any two: said again with the same start, the rest is done
 */
export async function confirmStep(world: JobWorld, scope: string, { run, line, manual }: AskedStep, { by, start, at }: Word): Promise<void> {
  const before = await readRuling(world.table, scope, 'confirm', line.spec.id);
  const isAgain = before?.said.endsWith(`#${start}`) === true;
  // Said again after a death, it is about what was shown then: never about what is asked now.
  if (isAgain && before.shown?.mac !== manual.shown.mac) return;
  if (!isAgain) await rule(world, scope, start, { kind: 'confirm', line: line.spec.id, by, at: after(before, at), shown: manual.shown });
  await noteEvent(world, scope, `confirmed ${line.spec.id} ${start}`);
  await resumeById(world, run.id);
  world.log.info('a person confirmed a step', { scope, line: line.spec.id, run: run.id, through: by.through });
}

/**
 * The same for what reached a stack: whoever says it is judged first, by the policy of this moment, for every environment that the line
 * writes or wrote. An approver confirms what is done in a protected one.
 *
 * @returns the run that goes on, or the one that recorded the step before.
 * @throws LockkeeperError USAGE, NOT_AN_APPROVER, APPROVER_NOT_A_PERSON; what the host throws.
 */
export async function confirmLine(world: ControlWorld, scope: string, line: string, word: Word): Promise<string> {
  const found = await findStep(world, scope, line);
  if ('done' in found) return found.run;
  const { run, line: asked } = found;
  const policy = await loadPolicy(world, run.repository);
  const ledger = await readLedgerLine(world.table, scope, line);
  const writes = asked.spec.writes ?? ledger?.writes;
  const environments = environmentsOf(run, { ...(writes === undefined ? {} : { writes }), wrote: ledger?.wrote ?? [] });
  await judgeRuler(world, word.by, { repository: run.repository, policy, environments });
  await confirmStep(world, scope, found, word);
  return run.id;
}
