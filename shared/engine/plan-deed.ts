import { type LineResult, namesEffects } from '../run/items.ts';
import { judgeAction } from './action.ts';
import { effectOf } from './effects.ts';
import { secretInKey, shownChanges } from './inspect.ts';
import type { Inspecting } from './inspecting.ts';
import type { ActionOp, ManualOp, ResourceChange } from './op.ts';
import { judgeStep, todoOf } from './step.ts';

const nothing = { changes: [], outputs: {} } as const;

/** A manual step in a plan: `todo` with its instructions, or done (R1.36, R1.38). A gated run asks about what a person is to do. */
export async function planStep(job: Inspecting, manual: ManualOp): Promise<LineResult> {
  const judged = await judgeStep(job, manual);
  if (judged.is !== 'todo') return done(job, judged.change);
  const effects = namesEffects(job.run) ? { effects: [effectOf(job, judged.change, 'todo')] } : {};
  return { ...nothing, status: 'todo', waitingFor: 'confirmation', ...todoOf(job, judged), ...effects };
}

/** A one-off action in a plan: `run` when its trigger has not run in this scope (R1.36, R1.56). */
export async function planAction(job: Inspecting, action: ActionOp): Promise<LineResult> {
  const judged = await judgeAction(job, action);
  const problem = secretInKey(job.world, [judged.change]);
  if (problem) return { ...nothing, status: 'blocked', problem };
  if (judged.is === 'sent') return done(job, judged.change);
  const effects = namesEffects(job.run) ? { effects: [effectOf(job, judged.change, 'run')] } : {};
  return { ...nothing, status: 'run', changes: shownChanges([judged]), ...effects };
}

/** What has been done once, and stands. */
function done(job: Inspecting, { key, label }: ResourceChange): LineResult {
  const change = { key, label, kind: 'unchanged' as const, fields: [] };
  const seen = namesEffects(job.run) ? { seen: [effectOf(job, change, 'no-op')] } : {};
  return { ...nothing, changes: [change], status: 'unchanged', ...seen };
}
