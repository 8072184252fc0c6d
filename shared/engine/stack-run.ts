import { readLedgerLine, saveLedgerLine } from '../ledger/ledger-line.ts';
import { Again } from '../run/again.ts';
import type { RunLine } from '../run/items.ts';
import { logEvent } from '../run/run-log.ts';
import { runScope } from '../run/run-scope.ts';
import type { Ended } from '../stacks/end-job.ts';
import { ledgerPlace, planPlace, type UnderLease } from '../stacks/record-places.ts';
import { advance, type RecordPlace } from '../stacks/tool-job.ts';
import type { Retried, ToolRecord } from '../stacks/tool-record.ts';
import type { ToolFailure } from '../stacks/tool-work.ts';
import { all, equal, has, lacks } from '../table/condition.ts';
import { lineKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { type StackRequest, type StackWork, whereToolsRun } from './stack-job.ts';

/** `later`: after so many seconds there may be more to see. Otherwise what became of the last job of this work. */
export type Ran = { readonly later: number } | (Ended & { readonly record?: ToolRecord; readonly waited?: Retried });

/** A place for the records of a work that may take several jobs. */
interface WorkPlace {
  readonly place: RecordPlace;
  /** Jobs of it that came to nothing before. */
  readonly before: Retried | undefined;
  /** Lets the next step begin another job. */
  again(record: ToolRecord, retried: Retried): Promise<unknown>;
}

/** One step of what the tool does under the lease: its record lies in the ledger line. */
export function runUnderLease(job: StackWork, at: UnderLease, request: StackRequest): Promise<Ran> {
  const { world, run } = job;
  const place = ledgerPlace(world, { ...at, stack: request.stack });
  const { found } = place;
  const isOver =
    found?.again !== undefined && found.stack === request.stack && found.run === at.line.run && found.round === at.line.round && found.phase === at.line.phase;
  const before = isOver ? found.again : found?.after;
  return runWork(job, at.line.spec.id, request, {
    place: isOver ? { ...place, found: undefined, of: { ...place.of, ...(before ? { after: before } : {}) } } : place,
    before,
    again(record, retried) {
      at.guard.beforeWrite(world.timing.storeTimeout);
      const external = { ...record, ended: world.clock.now(), again: retried };
      return saveLedgerLine(world, at.scope, at.tenure, run.id, at.ledger, { external });
    },
  });
}

/** Whether a job of this very work was begun under the lease: it is gone on with, whatever has been decided since. */
export async function hasBegunTool(world: StackWork['world'], run: StackWork['run'], line: RunLine): Promise<boolean> {
  if (line.attempt < 2) return false;
  const external = (await readLedgerLine(world.table, runScope(run), line.spec.id))?.external;
  return external !== undefined && external.run === run.id && external.round === line.round && external.phase === line.phase;
}

/** The same of a plan, which needs no lease: its record lies in the run's line. */
export function runForPlan(job: StackWork, line: RunLine, request: StackRequest): Promise<Ran> {
  return runWork(job, line.spec.id, request, {
    place: planPlace(job.world, line),
    before: line.again,
    async again(_record, retried) {
      const tries = line.again === undefined ? lacks('tries') : equal('tries', line.again.times);
      const mine = all(equal('round', line.round), equal('phase', line.phase), lacks('result'), has('tool'), tries);
      const change = { set: { again: retried, tries: retried.times }, remove: ['tool'] };
      if (!(await write(job.world, lineKey(line.run, line.spec.id), change, mine)).won) throw new Again(`line ${line.spec.id} is being planned already`, 1);
    },
  });
}

async function runWork(job: StackWork, line: string, request: StackRequest, { place, before, again }: WorkPlace): Promise<Ran> {
  const early = place.found || request.ends ? 0 : untilNextTry(job, before);
  // Whoever else wakes the line meanwhile, as the end of a job does, begins nothing.
  if (early > 0) return { later: early };
  const ran = await advance(whereToolsRun(job.world), place, request);
  if ('later' in ran) return ran;
  const { record } = ran;
  const now = job.world.clock.now();
  const retried = { since: before?.since ?? now, at: now, times: (before?.times ?? 0) + 1 };
  if (!record || request.ends || !comesAgain(ran, retried, now, request)) return { ...ran, ...(before ? { waited: before } : {}) };
  const busy = lockedOut(ran);
  if (before === undefined && busy) await tellLock(job, line, busy);
  await again(record, retried);
  return { later: betweenTries(job) };
}

/** Seconds between two jobs of one work. */
const betweenTries = ({ world }: Pick<StackWork, 'world'>): number => Math.max(1, Math.min(30, Math.floor(world.timing.leaseTtl / 3000)));

const untilNextTry = (job: StackWork, before: Retried | undefined): number =>
  before?.at === undefined ? 0 : Math.ceil((before.at - job.world.clock.now()) / 1000) + betweenTries(job);

/** How long and often another job is tried. */
const longestWait = 10 * 60_000;
const mostStarts = 5;

/** Somebody else has the tool's lock, for a while; the state moved between plan and apply of one job; or no process ever took the work. */
function comesAgain(ended: Ended, { since, times }: Retried, now: number, request: StackRequest): boolean {
  if ('lost' in ended) return ended.lost === 'not-begun' && times < mostStarts;
  if (lockedOut(ended)) return now - since <= Math.min(longestWait, request.timeLimitMs);
  return ended.outcome.did === 'failed' && ended.outcome.cause === 'state-moved' && !request.approved && times < mostStarts;
}

/** The failure of a job that found the tool's lock taken. */
const lockedOut = (ended: Ended): ToolFailure | undefined =>
  'outcome' in ended && ended.outcome.did === 'failed' && ended.outcome.cause === 'busy' ? ended.outcome : undefined;

/** Who has it, since when: said when it is first met, while the line waits. */
async function tellLock({ world, run }: StackWork, line: string, { lock }: ToolFailure): Promise<void> {
  await logEvent(world, run, 'stack locked', { detail: world.redactor.mask(`${line}: ${lockText(lock)}`) });
}

/** Who has the tool's lock, as far as the tool says so. */
export function lockText(lock: ToolFailure['lock']): string {
  const { who, since, operation, id } = lock ?? {};
  const by = who === undefined ? 'somebody else' : who;
  const more = [since === undefined ? '' : ` since ${since}`, operation === undefined ? '' : `, for ${operation}`, id === undefined ? '' : ` (${id})`];
  return `the tool’s lock is held by ${by}${more.join('')}`;
}
