import type { OpCall, Outputs, Remembered } from '../../engine/op.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { startBuild } from './build.ts';
import { deploymentFailed, deploymentsOf, isAskedFor, isFailed, isReady, outputsOf, withBranchUrl } from './deployment.ts';
import { isAt, placeOf, type VariableRecord } from './variable.ts';
import { listVariables } from './variable-requests.ts';

/**
 * A deployment keeps the variables it was built with. So where the newest one of this commit was made before the last write and has not
 * failed, the commit is built again; where there is none, or a newer one, the next build takes the new values by itself.
 * All times are Vercel's own, so no clock of ours decides: a second look, after a death or a lost answer, finds the build that was started.
 *
 * @returns whether a build asked for through the API is newer than the writes.
 */
export async function redeploy(written: readonly Remembered[], target: string, call: OpCall): Promise<boolean> {
  const records = (await listVariables(call)).filter((record) => written.some((one) => isThat(record, one)));
  const [newest] = await deploymentsOf(call, call.context.sha, target);
  if (records.length === 0 || newest === undefined || isFailed(newest)) return false;
  if (newest.createdAt > writtenAt(records, call.now())) return isAskedFor(newest);
  await startBuild(call, target);
  return true;
}

function isThat(record: VariableRecord, { id, key }: Remembered): boolean {
  const place = placeOf(key);
  return record.id === id || (id === undefined && place !== undefined && isAt(record, place));
}

const writtenAt = (records: readonly VariableRecord[], now: number): number =>
  Math.max(...records.map(({ updatedAt, createdAt }) => updatedAt ?? createdAt ?? now));

/**
 * What the newest deployment of the commit gives, once it is ready.
 *
 * @throws LockkeeperError EXTERNAL_FAILED for one that never will be.
 */
export async function deploymentOutputs(target: string, call: OpCall): Promise<Outputs | undefined> {
  try {
    const [newest] = await deploymentsOf(call, call.context.sha, target);
    if (newest === undefined) return undefined;
    if (isFailed(newest)) throw deploymentFailed(newest);
    return isReady(newest) ? await withBranchUrl(outputsOf(newest), newest, call) : undefined;
  } catch (thrown) {
    if (thrown instanceof LockkeeperError && passing.has(thrown.code)) return undefined;
    throw thrown;
  }
}

/** The provider being busy or slow is "not yet": the event comes again, and so does the job. */
const passing: ReadonlySet<string> = new Set(['PROVIDER_TRANSIENT', 'PROVIDER_TIMEOUT', 'PROVIDER_AGAIN']);
