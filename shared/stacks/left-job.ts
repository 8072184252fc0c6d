import { madeBy } from './compare-changes.ts';
import type { Ended } from './end-job.ts';
import { firstTold, type LeftJob, type ToolRecord } from './tool-record.ts';

/** What is noted of a job that nobody heard; undefined where no tool has run, or it could write nothing. */
export function leftOf({ run, token, purpose }: ToolRecord, ended: Ended, at: number): LeftJob | undefined {
  if (purpose === 'plan' || ('lost' in ended && ended.lost === 'not-begun')) return undefined;
  const left = { run, token, at };
  if ('lost' in ended) return { ...left, did: ended.lost as LeftJob['did'] };
  const { outcome } = ended;
  const state = outcome.did === 'planned' ? {} : outcome.state ? { state: outcome.state } : {};
  const told = (addresses: readonly string[] | undefined) => addresses && firstTold(addresses);
  if (outcome.did === 'planned') return { ...left, did: outcome.did };
  if (outcome.did === 'applied') {
    const made = told(madeBy(outcome.changes)) ?? [];
    return { ...left, did: outcome.did, ...state, ...(made.length > 0 ? { done: made, made } : {}) };
  }
  // Half made is made: what was to be created was not there, done or not.
  const made = told(madeBy(outcome.planned?.changes ?? [])) ?? [];
  const [done, notDone] = [told(outcome.done), told(outcome.notDone)];
  return {
    ...left,
    did: 'failed',
    cause: outcome.cause,
    ...state,
    ...(done ? { done } : {}),
    ...(notDone ? { notDone } : {}),
    ...(made.length > 0 ? { made } : {}),
  };
}
