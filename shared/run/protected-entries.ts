import { type Problem, problemOf } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { alwaysProtected, isProtected } from '../policy/policy.ts';
import type { Run } from './items.ts';
import { loadPolicy } from './load-policy.ts';
import { environmentsOf } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

/**
 * Why these ledger lines may not be emptied: judged from the entries that would go, whatever a plan says by now (I7). Nobody can be asked
 * about a removal yet: what is protected stays, and all that would have gone with it.
 */
export async function protectedEntries(world: ControlWorld, run: Run, ledger: readonly LedgerLine[]): Promise<Problem | undefined> {
  const held = ledger.filter((line) => line.entries.length > 0);
  if (held.length === 0) return undefined;
  const { protects, why } = await protection(world, run);
  const writing = held.filter(protects);
  if (writing.length === 0) return undefined;
  const lines = `${writing.length === 1 ? 'line' : 'lines'} ${writing.map((line) => line.line).join(', ')}`;
  const message = `Removing ${lines} would write in a protected environment${why}. A ${run.intent === 'prune' ? 'prune' : 'destroy'} of one cannot be asked about yet, so nobody can approve it.`;
  return { code: 'ENV_NOT_APPROVED', message, hint: 'Nothing was removed. What has to go, remove at the provider: the next run finds it gone.' };
}

interface Protection {
  readonly protects: (line: LedgerLine) => boolean;
  readonly why: string;
}

/**
 * What is protected, by the policy of this moment. One with a mistake in it says nothing: then a line is, if it was when it was last
 * prepared. To remove all the same what was protected would lose what nobody can bring back; to remove nothing would let a mistake in
 * one commit keep every preview of the repository alive (ADR 0033).
 *
 * @throws what the host throws: a policy that could not be asked for is no mistake, and the step comes again.
 */
async function protection(world: ControlWorld, run: Run): Promise<Protection> {
  try {
    const policy = await loadPolicy(world, run.repository);
    return { protects: (line) => environmentsOf(run, line).some((environment) => isProtected(policy, environment)), why: '' };
  } catch (error) {
    if (problemOf(error).code !== 'POLICY_INVALID') throw error;
    const protects = (line: LedgerLine) => line.protected === true || environmentsOf(run, line).includes(alwaysProtected);
    return { protects, why: ', as far as is known while lockkeeper.yaml has a mistake in it' };
  }
}
