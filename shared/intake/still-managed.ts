import { readLedger } from '../ledger/ledger-line.ts';
import type { NewRun } from '../run/create-run.ts';
import { runScope } from '../run/run-scope.ts';
import type { ControlWorld } from '../run/world.ts';
import { renderStillManaged } from '../surfaces/check.ts';

/** A check that says what stays, where a commit has no plan file. Its name says of which plan and environment. */
const externalId = (commit: string): string => `still-managed-${commit}`;
export const isStillManagedCheck = (id: string, commit: string): boolean => id === externalId(commit);

/** No plan file at this commit: nothing is done and nothing said, unless the scope still holds something (then a check says what). */
export async function showStillManaged(world: ControlWorld, run: NewRun): Promise<void> {
  const ledger = await readLedger(world.table, runScope(run));
  const held = ledger.filter((line) => line.entries.length > 0).map((line) => ({ id: line.line, keys: line.entries.map((entry) => entry.key) }));
  if (held.length === 0 || !world.codeHost.surfaces) return;
  const { plan, environment, scope, commit, repository, pullRequest } = run;
  const shown = { plan: { name: plan.name, path: plan.path }, environment, scope, commit, ofPullRequest: pullRequest !== undefined, lines: held };
  await world.codeHost.surfaces.upsertCheck(repository, { ...renderStillManaged(shown), commit, externalId: externalId(commit), status: 'completed' });
}
