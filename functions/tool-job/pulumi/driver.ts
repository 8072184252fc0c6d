import type { DriftRecord } from '../../../shared/drift/record.ts';
import { compareChanges } from '../../../shared/stacks/compare-changes.ts';
import { knownOutputs } from '../../../shared/stacks/pulumi/outputs.ts';
import type { StackChange, StackPlan } from '../../../shared/stacks/tool-work.ts';
import type { Applied, PlanToApply, ToolDriver, Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';
import { outputs, update } from './apply.ts';
import { liveDrift, recordedDrift } from './drift.ts';
import { type Planned, preview, savedPlan } from './plan.ts';
import { prepare, versionOf } from './prepare.ts';
import { exported, withSecretsHidden } from './state.ts';

interface Looked {
  readonly planned: Planned;
  readonly drift: readonly DriftRecord[];
  readonly refresh: boolean;
}

/**
 * Marks what does nothing but put drift back: what the preview says only when it is told to refresh, of what was edited outside or is gone. What
 * deletes or replaces is more than that.
 */
function puttingBack(asked: readonly StackChange[], drift: readonly DriftRecord[]): (change: StackChange) => StackChange {
  const pending = new Set(asked.map(({ address }) => address));
  const strayed = new Set(drift.filter(hasStrayed).map(({ address }) => address));
  return (change) => {
    const only = change.actions.join() === 'create' || change.actions.join() === 'update';
    return only && !pending.has(change.address) && strayed.has(change.address) ? { ...change, putsBack: true } : change;
  };
}

const hasStrayed = ({ status }: DriftRecord): boolean => status === 'drifted' || status === 'missing';

/** Pulumi: a stack of one project. */
export function pulumiDriver(place: Workplace): ToolDriver {
  const { work } = place;
  /** What this job has planned itself, and how. */
  let own: { readonly planned: Planned; readonly refresh: boolean } | undefined;

  async function plan(version: string): Promise<StackPlan> {
    const { planned, drift, refresh } = await looked({ drift: work.drift, save: 'plan.json' });
    own = { planned, refresh };
    const unchanged = planned.changes.every(({ actions }) => actions.every((action) => action === 'read'));
    const known = unchanged && work.destroys !== true ? await outputs(place) : knownOutputs(planned.outputs ?? {});
    return { changes: planned.changes, drift, ...savedPlan(planned), outputs: known, version };
  }

  /** The preview, and right after it the look for drift (R2.8). It is put back only where this look found it (R2.24). */
  async function looked({ drift: looks, ...name }: { readonly drift: boolean; readonly save?: string }): Promise<Looked> {
    const planned = await preview(place, { refresh: false, ...name }).catch(fallenBack);
    if (work.destroys === true || (!looks && work.refresh !== true)) return { planned, drift: [], refresh: false };
    const drift = await driftBeside(planned);
    const refresh = work.refresh === true && drift.some(hasStrayed);
    if (!refresh) return { planned, drift, refresh };
    const repairing = await preview(place, { refresh, ...name }).catch(beside(drift));
    return { planned: { ...repairing, changes: repairing.changes.map(puttingBack(planned.changes, drift)) }, drift, refresh };
  }

  /**
   * What is live. Where that cannot be read the work has failed, though its preview has not: nobody may take it for a stack that is in sync
   * (R2.10, R2.22). What is recorded is told all the same, as that.
   */
  async function driftBeside(planned: Planned): Promise<readonly DriftRecord[]> {
    const live = await liveDrift(place);
    if (live !== undefined) return live;
    const state = await exported(place);
    throw new ToolFailed({
      cause: 'plan-failed',
      message: 'What is live could not be read.',
      planned: { changes: planned.changes, drift: [], outputs: {}, version: '' },
      ...(state === undefined ? {} : { drift: recordedDrift(place, state) }),
    });
  }

  const beside =
    (drift: readonly DriftRecord[]) =>
    (thrown: unknown): never => {
      throw thrown instanceof ToolFailed ? new ToolFailed({ ...thrown.failure, drift }) : thrown;
    };

  /** Where there is no preview, nothing is looked at (R2.9); what is recorded is told as that (R3.23). */
  async function fallenBack(thrown: unknown): Promise<never> {
    if (!(thrown instanceof ToolFailed) || thrown.failure.cause !== 'plan-failed' || !work.drift) throw thrown;
    const state = await exported(place);
    if (state === undefined) throw thrown;
    throw new ToolFailed({ ...thrown.failure, drift: recordedDrift(place, state) });
  }

  async function apply({ file, changes }: PlanToApply): Promise<Applied> {
    if (own !== undefined && own.planned.changes === changes) {
      const { planned, refresh } = own;
      return update(place, { planned, refresh, skipPreview: true, ...(planned.file === undefined ? {} : { file: planned.file }) });
    }
    const { planned, drift, refresh } = await looked({ drift: false });
    const { actions, values } = compareChanges(changes, planned.changes);
    if (actions.length > 0 || values.length > 0) {
      const fresh = { changes: planned.changes, drift, outputs: {}, version: '' };
      throw new ToolFailed({ cause: 'state-moved', message: 'What an update would do is not what was approved: nothing was applied.', planned: fresh });
    }
    return update(place, { planned, refresh, skipPreview: false, ...(file === undefined ? {} : { file }) });
  }

  const hiding = (thrown: unknown): Promise<never> => withSecretsHidden(place, thrown);
  return {
    version: () => versionOf(place),
    prepare: () => prepare(place),
    plan: (version) => plan(version).catch(hiding),
    apply: (approved) => apply(approved).catch(hiding),
  };
}
