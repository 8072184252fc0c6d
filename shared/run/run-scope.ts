import { everWritten, type LedgerLine } from '../ledger/entry.ts';
import { type ScopeAddress, scopeKey } from '../table/keys.ts';
import type { Run } from './items.ts';

export const runAddress = (run: Pick<Run, 'repository' | 'plan' | 'environment' | 'scope'>): ScopeAddress => ({
  repository: run.repository.id,
  plan: run.plan.name,
  environment: run.environment,
  scope: run.scope,
});

/** The scope a run works in, as one string. */
export const runScope = (run: Pick<Run, 'repository' | 'plan' | 'environment' | 'scope'>): string => scopeKey(runAddress(run));

/** The environments that a line of a run writes: the run's own, the one its op says, and those it said while the line came to hold what it holds. */
export const environmentsOf = (run: Pick<Run, 'environment'>, line: Pick<LedgerLine, 'writes' | 'wrote'>): string[] => [run.environment, ...everWritten(line)];
