import { readHead } from '../ledger/head.ts';
import { withNeeds } from '../plan/with-needs.ts';
import { inEnvironment } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { closeEarly } from '../run/close-early.ts';
import type { Run } from '../run/items.ts';
import { loadOrEnd, protectedBy } from '../run/load-plan.ts';
import { prepareLines } from '../run/prepare-lines.ts';
import { runScope } from '../run/run-scope.ts';
import { saveOrAgain } from '../run/run-store.ts';
import type { ControlWorld } from '../run/world.ts';
import { predecessorOf } from '../succession/predecessor.ts';
import { scopeKey } from '../table/keys.ts';
import { noteScans } from './note-scans.ts';
import { handOverFailure } from './settle-scan.ts';

/**
 * The first step of a scan: a plan without a lease, of the lines it is about and those they need. What policy says now counts, not what it said
 * when the scan became due: one that nobody wants any more looks at nothing.
 */
export async function prepareScan(world: ControlWorld, begun: Run): Promise<void> {
  let run = begun;
  const head = await readHead(world.table, runScope(run));
  const asOf = run.asOf ?? { fence: head?.settled?.fence ?? 0, at: run.startedAt };
  const loaded = await loadOrEnd(world, run, (problem) =>
    handOverFailure(world, { ...run, asOf, ...(run.options.scan?.by === 'person' ? {} : { watched: true }) }, problem),
  );
  if (!loaded) return;
  const { scan } = run.options;
  const { drift, slack } = inEnvironment(loaded.policy, run.environment);
  if (scan?.by !== 'person' && !drift.enabled)
    return closeEarly(world, run, 'superseded', `${run.environment} is not scanned any more: the policy of ${run.repository.defaultBranch} says so.`);
  await noteScans(world, run.repository, loaded.policy);
  const wanted = scan?.lines ?? wantedBy(loaded.policy, run);
  // Written down: what the other lines say, if anything, is not known to have been looked at.
  if (scan && wanted && !scan.lines) run = await saveOrAgain(world, run, { options: { ...run.options, scan: { ...scan, lines: wanted } } });
  const lines = wanted === undefined ? loaded.lines : withNeeds(loaded.lines, wanted);
  const predecessor = await predecessorOf(world, run);
  const protects = protectedBy(world, run, loaded);
  await prepareLines(
    world,
    run,
    { ...loaded, lines },
    {
      kind: 'drift',
      warnings: loaded.warnings,
      asOf,
      ...(slack ? { slack } : {}),
      ...(drift.notify ? {} : { silent: true as const }),
      ...(predecessor ? { predecessor: scopeKey(predecessor) } : {}),
      ...(protects.length > 0 ? { protects } : {}),
    },
  );
}

/** A person who asks is shown everything, whatever a schedule leaves out. */
const wantedBy = (policy: Policy, { environment, options }: Run): readonly string[] | undefined =>
  options.scan?.by === 'person' ? undefined : inEnvironment(policy, environment).drift.lines;
