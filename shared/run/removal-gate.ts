import { type Problem, problemOf } from '../errors/error.ts';
import { listed } from '../errors/quoted.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { alwaysProtected, isProtected } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Run } from './items.ts';
import { policyOfText, policyText } from './load-policy.ts';
import { environmentsOf } from './run-scope.ts';
import type { ControlWorld } from './world.ts';

/** Whether people are asked before ledger lines are emptied: about which environments, or why nobody can be. */
export type RemovalGate = { readonly is: 'free' } | AskedRemoval | Refused;
export interface AskedRemoval {
  readonly is: 'asked';
  readonly policy: Policy;
  /** Its file's text, absent where the default branch has none. */
  readonly text?: string;
  readonly protects: readonly string[];
}
interface Refused {
  readonly is: 'refused';
  readonly problem: Problem;
}

/**
 * What protects these lines: judged from the entries that would go, whatever a plan says by now (I7). With one protected line the whole
 * removal is asked about. A run that was asked once is asked again, although policy protects less by now.
 *
 * A policy with a mistake in it says nothing: then a line is protected if it was so when it was last prepared, and nobody can be asked. To
 * remove all the same what was protected would lose what nobody can bring back; to remove nothing would let a mistake in one commit keep
 * every preview of the repository alive (ADR 0033).
 *
 * @throws what the host throws: a policy that could not be asked for is no mistake, and the step comes again.
 */
export async function removalGate(world: ControlWorld, run: Run, ledger: readonly LedgerLine[]): Promise<RemovalGate> {
  const held = ledger.filter((line) => line.entries.length > 0);
  if (held.length === 0 && run.protects === undefined) return { is: 'free' };
  const known = await policyNow(world, run);
  if (known === undefined) return underBrokenPolicy(run, held);
  const { policy } = known;
  const written = held.flatMap((line) => environmentsOf(run, line)).filter((environment) => isProtected(policy, environment));
  const protects = [...new Set([...(run.protects ?? []), ...written])].sort();
  return protects.length === 0 ? { is: 'free' } : { is: 'asked', ...known, protects };
}

function underBrokenPolicy(run: Run, held: readonly LedgerLine[]): RemovalGate {
  const guarded = held.filter((line) => line.protected === true || environmentsOf(run, line).includes(alwaysProtected)).map(({ line }) => line);
  if (guarded.length === 0 && run.protects === undefined) return { is: 'free' };
  const what = guarded.length === 0 ? 'it' : `${guarded.length === 1 ? 'line' : 'lines'} ${listed(guarded)}`;
  const message = `Removing ${what} would write in a protected environment, and nobody can approve that while lockkeeper.yaml has a mistake in it.`;
  return {
    is: 'refused',
    problem: { code: 'ENV_NOT_APPROVED', message, hint: 'Nothing was removed. Mend lockkeeper.yaml on the default branch, and try again.' },
  };
}

async function policyNow(world: ControlWorld, run: Run): Promise<Pick<AskedRemoval, 'policy' | 'text'> | undefined> {
  try {
    const text = await policyText(world, run.repository);
    return { policy: policyOfText(world, text), ...(text === undefined ? {} : { text }) };
  } catch (error) {
    if (problemOf(error).code !== 'POLICY_INVALID') throw error;
    return undefined;
  }
}
