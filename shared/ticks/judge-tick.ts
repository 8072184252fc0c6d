import { findEffects, writingOf } from '../approvals/effects-document.ts';
import { effectsDigest, findPlanDocument } from '../approvals/plan-document.ts';
import { type Row, rowOf } from '../dashboard/row.ts';
import type { Tick } from '../dashboard/tick.ts';
import type { Problem } from '../errors/error.ts';
import { frozen, frozenProblem } from '../freeze/frozen.ts';
import { mainScope } from '../plan/scope.ts';
import { withNeeds } from '../plan/with-needs.ts';
import type { Repository } from '../ports/code-host.ts';
import type { NewRun } from '../run/create-run.ts';
import type { Run } from '../run/items.ts';
import { loadPlan, protectedBy } from '../run/load-plan.ts';
import { loadPolicy } from '../run/load-policy.ts';
import { readRun } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import { rowKey } from '../table/keys.ts';
import type { RowBox } from './ticked.ts';
import { whyNotTick } from './who-may-tick.ts';

/** A tick of a row's box. */
export type RowTick = Tick & { readonly box: RowBox };

/** What a tick asks for and may have. */
export interface TickAllowed {
  /** What its run is to be, but for the tick itself. */
  readonly run: Omit<NewRun, 'options'>;
  /** The run that asks about exactly this: the tick answers it, and starts none. */
  readonly asking?: Run;
}

/**
 * Whether a tick may have what it asks for: the row shows exactly that now, nobody is at work on it, nothing is frozen, and the person may. The
 * row is what says what was shown: of the marker only what stands in the row as well is believed.
 *
 * @throws what the host throws; mistakes of plan file and policy.
 */
export async function judgeTick(world: ControlWorld, tick: RowTick, repository: Repository, login: string): Promise<TickAllowed | Problem> {
  const found = await world.table.get(rowKey(repository.id, tick.plan, tick.environment, tick.line));
  const row = found && rowOf(found);
  const old = whyOld(tick, row);
  if (old) return old;
  const open = row?.open && (await readRun(world.table, row.open.run));
  if (open && open.phase !== 'done' && row?.open?.rests !== 'asking') return atWork(open);
  const run = await runOf(world, tick, repository);
  if ('code' in run) return run;
  const protects = await protectedOf(world, tick, run);
  const freeze = await frozen(world, { repository, environment: tick.environment, protects });
  if (freeze) return frozenProblem(freeze);
  const policy = await loadPolicy(world, repository);
  const refused = await whyNotTick(world, policy, { ...run, protects }, login);
  if (refused) return refused;
  const asking = open && tick.box === 'apply' && (await asksAbout(world, open, tick.digest)) ? { asking: open } : {};
  return { run, ...asking };
}

/** Why the box is not one of the row as it is now. */
function whyOld({ box, digest, run }: RowTick, row: Row | undefined): Problem | undefined {
  const now = box === 'apply' ? row?.pending : row?.drift;
  if (now?.digest === digest && now.run === run) return undefined;
  const message = now === undefined ? 'There is nothing of that in the row any more.' : 'The row shows something else by now.';
  return { code: 'TICK_STALE', message };
}

const atWork = ({ id, phase }: Run): Problem => ({
  code: 'RUN_NOT_OVER',
  message: `Run ${id.slice(0, 12)} is at work on it: it is ${phase}.`,
  hint: 'Look at the row when it has ended, and tick its box then.',
});

/** At the tip of the default branch as it is now: what the row shows may come from an older commit, and is held against what this one wants. */
async function runOf(world: ControlWorld, { plan, environment }: RowTick, repository: Repository): Promise<Omit<NewRun, 'options'> | Problem> {
  const branch = repository.defaultBranch;
  const commit = await world.codeHost.branchTip(repository, branch);
  const path = (await loadPolicy(world, repository)).plans.find(({ name }) => name === plan)?.path;
  if (commit === undefined || path === undefined) return { code: 'PLAN_MISSING', message: `Policy names no plan ${plan} on ${branch} any more.` };
  return { intent: 'follow', repository, plan: { name: plan, path }, environment, scope: mainScope, commit, branch };
}

/** The protected environments of the lines that were ticked, as policy and plan are now. */
async function protectedOf(world: ControlWorld, { digest }: RowTick, run: Omit<NewRun, 'options'>): Promise<string[]> {
  const ticked = (await findEffects(world.objects, digest)).map(({ id }) => id);
  const loaded = await loadPlan(world, run);
  return protectedBy(world, run, { ...loaded, lines: withNeeds(loaded.lines, ticked) });
}

/** Whether a run asks people about exactly what was ticked. */
async function asksAbout(world: ControlWorld, { phase, question }: Run, digest: string): Promise<boolean> {
  if (phase !== 'awaiting' || !question) return false;
  const { document } = await findPlanDocument(world.objects, question.digest);
  return document !== undefined && effectsDigest({ lines: writingOf(document.lines) as typeof document.lines }) === digest;
}
