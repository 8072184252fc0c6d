import type { OpCall } from '../../engine/op.ts';
import { startBuild } from './build.ts';
import { deploymentsOf, isFailed } from './deployment.ts';
import type { VariableRecord } from './variable.ts';

/**
 * A deployment keeps the variables it was built with. So where the newest one of this commit was made before the write and has not
 * failed, the commit is built again; where there is none, or a newer one, the next build takes the new values by itself.
 * Both times are Vercel's own, so no clock of ours decides. Nothing is deployed for target development.
 */
export async function redeploy(written: readonly VariableRecord[], target: string, call: OpCall): Promise<{ redeployed: 'true' } | undefined> {
  if (target === 'development') return undefined;
  const [newest] = await deploymentsOf(call, call.context.sha, target);
  if (newest === undefined || isFailed(newest) || newest.createdAt > writtenAt(written, call.now())) return undefined;
  await startBuild(call, target);
  return { redeployed: 'true' };
}

const writtenAt = (written: readonly VariableRecord[], now: number): number =>
  Math.max(...written.map((record) => record.updatedAt ?? record.createdAt ?? now));
