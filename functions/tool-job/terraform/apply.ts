import { besideApproved } from '../../../shared/stacks/compare-changes.ts';
import { applyArgs } from '../../../shared/stacks/terraform/commands.ts';
import { type DoneAndNot, doneOf } from '../../../shared/stacks/terraform/done.ts';
import { outputsOfState } from '../../../shared/stacks/terraform/outputs.ts';
import { sameState } from '../../../shared/stacks/terraform/state-mark.ts';
import type { StackChange, StateMark, ToolFailure } from '../../../shared/stacks/tool-work.ts';
import type { Applied, PlanToApply, Workplace } from '../driver.ts';
import { ToolFailed } from '../tool-failed.ts';
import { callFailed } from './call.ts';
import { type Calls, isDone } from './calls.ts';
import { pushLeftState } from './left-state.ts';
import { shownPlan } from './plan.ts';

/**
 * Exactly this saved plan, if the state is still the one that it was made of (R4.3), and then what it did, read back from the state.
 *
 * @throws ToolFailed `state-moved`, `plan-altered` and `busy`, with nothing written; `apply-failed`, `timed-out`, `stopped`, with what was done and what was not.
 */
export async function applyPlan(place: Workplace, calls: Calls, { file, changes, state }: PlanToApply & { readonly file: string }): Promise<Applied> {
  const { tool } = place.work;
  const before = await calls.pulled('apply-failed');
  if (!sameState(state, before)) throw stateMoved(before);
  const { json, changes: says } = await shownPlan(place, calls, file, 'apply-failed');
  const unseen = besideApproved(changes, says);
  if (unseen.length > 0) throw notAsShown(unseen);
  const did = await calls.stream(applyArgs(file));
  await pushLeftState(place, calls);
  const after = await calls.pulledBack();
  const now = await calls.recorded();
  const done = doneOf(changes, json, now?.json, did.finished);
  if (!isDone(did.end)) {
    const failed = callFailed(did.end, 'apply-failed', `${tool} apply`, did.diagnostics, place.words);
    throw ['busy', 'state-moved'].includes(failed.failure.cause) ? failed : brokenOff(failed.failure, done, after);
  }
  if (now === undefined) {
    const message = `${tool} apply says that it succeeded, and what it recorded cannot be read back.`;
    throw brokenOff({ did: 'failed', cause: 'apply-failed', message, diagnostics: [] }, done, after);
  }
  return {
    changes: changes.filter((change) => done.done.includes(change.address) || isNoWrite(change)),
    differs: [...done.notDone, ...beside(changes, did.finished)],
    outputs: outputsOfState(now.json),
    ...(after === undefined ? {} : { state: after }),
    resources: now.resources,
  };
}

/** People have seen what the plan's own job answered, and code of the commit ran beside that one: the file has the last word on what it does. */
const notAsShown = (unseen: readonly string[]): ToolFailed =>
  new ToolFailed({
    cause: 'plan-altered',
    message: 'The saved plan would do something else than was approved: nothing was applied.',
    diagnostics: unseen.map((address) => ({ severity: 'error', kind: 'not-approved', address }) as const),
  });

const stateMoved = (now: StateMark | undefined): ToolFailed =>
  new ToolFailed({
    cause: 'state-moved',
    message: 'The state has moved since the plan was made: nothing was applied.',
    ...(now === undefined ? {} : { state: now }),
  });

const isNoWrite = ({ type, actions }: StackChange): boolean => type === 'output' || actions.every((action) => action === 'read');

/** What the tool says to have finished and the state does not know is named: nobody else will find it. */
function brokenOff({ message, diagnostics, ...failure }: ToolFailure, { done, notDone, unrecorded }: DoneAndNot, after: StateMark | undefined): ToolFailed {
  const lost = unrecorded.map((address) => ({ severity: 'error', kind: 'not-recorded', address }) as const);
  const says = lost.length === 0 ? message : `${message} What it reported to have finished is not all in the state: look for what is named as not recorded.`;
  return new ToolFailed({ ...failure, message: says, diagnostics: [...lost, ...diagnostics], done, notDone, ...(after === undefined ? {} : { state: after }) });
}

/** What was written without having been in the plan. The tool promises that there is none. */
function beside(changes: readonly StackChange[], finished: ReadonlyMap<string, unknown>): string[] {
  const planned = new Set(changes.flatMap(({ address }) => [address, address.replace(/ \(deposed [0-9a-f]+\)$/, '')]));
  return [...finished.keys()].filter((address) => !planned.has(address));
}
