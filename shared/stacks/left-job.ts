import type { Ended } from './end-job.ts';
import { type LeftJob, mostTold, type ToolRecord } from './tool-record.ts';

/** What is noted of a job that nobody heard; undefined where no tool has run, or it could write nothing. */
export function leftOf({ run, token, purpose }: ToolRecord, ended: Ended, at: number): LeftJob | undefined {
  if (purpose === 'plan' || ('lost' in ended && ended.lost === 'not-begun')) return undefined;
  const left = { run, token, at };
  if ('lost' in ended) return { ...left, did: ended.lost as LeftJob['did'] };
  const { outcome } = ended;
  const state = outcome.did === 'planned' ? {} : outcome.state ? { state: outcome.state } : {};
  if (outcome.did !== 'failed') return { ...left, did: outcome.did, ...state };
  const told = (addresses: readonly string[] | undefined) => addresses?.slice(0, mostTold);
  const [done, notDone] = [told(outcome.done), told(outcome.notDone)];
  return { ...left, did: 'failed', cause: outcome.cause, ...state, ...(done ? { done } : {}), ...(notDone ? { notDone } : {}) };
}
