import { inputBytes } from '../../../shared/drift/readers/input.ts';
import { parseJson } from '../../../shared/drift/readers/json-text.ts';
import { destroyArgs, outputArgs, upArgs } from '../../../shared/stacks/pulumi/commands.ts';
import { differsFrom } from '../../../shared/stacks/pulumi/differs.ts';
import { doneOf, managedIn } from '../../../shared/stacks/pulumi/exported.ts';
import { outputsIn } from '../../../shared/stacks/pulumi/outputs.ts';
import { diagnosticsOf } from '../../../shared/stacks/pulumi/said.ts';
import { readUpdate, type UpdateOutput } from '../../../shared/stacks/pulumi/update.ts';
import type { StackOutput } from '../../../shared/stacks/tool-work.ts';
import type { Applied, Workplace } from '../driver.ts';
import type { ToolEnd } from '../run-tool.ts';
import { ToolFailed } from '../tool-failed.ts';
import { callFailed, heard, pulumi, succeeded, understood } from './call.ts';
import type { Planned } from './plan.ts';
import { stackOf } from './prepare.ts';
import { exported } from './state.ts';

export interface Updating {
  /** What was previewed, and is what was approved. */
  readonly planned: Planned;
  /** The saved plan that the update keeps to. */
  readonly file?: string;
  readonly refresh: boolean;
  /** It was previewed just now, in this job, for nobody's approval: it need not be played through once more. */
  readonly skipPreview: boolean;
}

/**
 * The update, or the destroy, under the saved plan where there is one. What it did is compared with what was previewed.
 *
 * @throws ToolFailed `state-moved`, `busy`, `apply-failed`, `timed-out`, `stopped`, `not-understood`
 */
export async function update(place: Workplace, updating: Updating): Promise<Applied> {
  const { planned, file, refresh, skipPreview } = updating;
  const stack = stackOf(place);
  const destroys = place.work.destroys === true;
  const reader = readUpdate(heard(place));
  const args = destroys ? destroyArgs(stack) : upArgs(stack, { ...(file === undefined ? {} : { plan: file }), refresh, skipPreview });
  const end = await pulumi(place, args, { lines: reader.take });
  const output = reader.sofar();
  for (const { op, urn } of output.done) place.words.say(`${op} ${urn}`);
  const went = end.end === 'exited' && end.exit === 0 && !output.unread && output.summary?.failed === false;
  if (!went) throw await updateFailed(place, planned, end, output);
  const state = await exported(place);
  const { done } = doneOf(planned.steps, output.done, state);
  return {
    changes: planned.changes.filter(
      ({ address, type, actions }) => done.includes(address) || type === 'output' || actions.every((action) => action === 'read'),
    ),
    differs: differsFrom(planned.steps, output.done),
    outputs: destroys ? {} : await outputs(place),
    resources: state === undefined ? [] : managedIn(state),
  };
}

/** What was not written is no half of anything: a plan that no longer fits is the world having moved. */
async function updateFailed(place: Workplace, { steps }: Planned, end: ToolEnd, output: UpdateOutput): Promise<ToolFailed> {
  const what = place.work.destroys === true ? 'pulumi destroy' : 'pulumi up';
  const diagnostics = diagnosticsOf(output.said);
  const refused = diagnostics.some(({ kind }) => kind === 'violates-plan' || kind === 'expected-change-not-seen');
  if (refused && !output.wrote)
    return new ToolFailed({ cause: 'state-moved', message: 'Pulumi refuses the saved plan: it no longer fits. Nothing was applied.', diagnostics });
  const more = doneOf(steps, output.done, await exported(place));
  if (end.end === 'exited' && end.exit === 0)
    return new ToolFailed({ cause: 'not-understood', message: `What ${what} wrote is not understood; what it did stands in the state.`, diagnostics, ...more });
  return callFailed(place, end, { what, cause: 'apply-failed', said: output.said, more });
}

/** @throws ToolFailed `apply-failed`, `not-understood` */
export async function outputs(place: Workplace): Promise<Record<string, StackOutput>> {
  const stack = stackOf(place);
  const read = async (secrets: boolean) => {
    const end = await pulumi(place, outputArgs(stack, { secrets }), { readsBack: true });
    const { stdout } = succeeded(place, end, { what: 'pulumi stack output', cause: 'apply-failed' });
    return understood('pulumi stack output', () => parseJson(inputBytes(stdout)));
  };
  const [shown, inClear] = [await read(false), await read(true)];
  const found = understood('pulumi stack output', () => outputsIn(shown, inClear));
  for (const { value, sensitive } of Object.values(found)) if (sensitive) place.words.hide(value);
  return found;
}
