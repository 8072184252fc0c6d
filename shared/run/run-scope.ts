import type { LedgerLine } from '../ledger/entry.ts';
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

/** The environments that a line of a run writes: the run's own, and the one its op says. */
export const environmentsOf = (run: Pick<Run, 'environment'>, line: Pick<LedgerLine, 'writes'>): string[] =>
  line.writes === undefined ? [run.environment] : [run.environment, line.writes];
