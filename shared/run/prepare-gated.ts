import type { Effect } from '../approvals/effect.ts';
import { stateOf } from '../approvals/plan-document.ts';
import { readLedger } from '../ledger/ledger-line.ts';
import { approversOfAll, expiresOf, inEnvironment, quorumOf, slackOf } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import { takeOverFirst } from '../succession/take-over-first.ts';
import type { Run } from './items.ts';
import type { LoadedPlan } from './load-plan.ts';
import { planStateKey } from './plan-state.ts';
import { prepareLines } from './prepare-lines.ts';
import { publishStart } from './publish.ts';
import { becomes } from './run-kind.ts';
import { runScope } from './run-scope.ts';
import { storeSeen } from './seen.ts';
import type { ControlWorld } from './world.ts';

/**
 * A gated apply is planned first, without a lease. The ledger is read before the first inspection: what moves in between shows
 * as a moved state (P7).
 *
 * @param ticked what a tick showed of each line, where one started the run: it takes over nothing beside.
 */
export async function prepareGated(
  world: ControlWorld,
  unkinded: Run,
  loaded: LoadedPlan,
  protects: readonly string[],
  ticked?: ReadonlyMap<string, readonly Effect[]>,
): Promise<void> {
  const run = await becomes(world, unkinded, 'apply', undefined);
  if (!ticked) await takeOverFirst(world, run);
  const state = stateOf(await readLedger(world.table, runScope(run)));
  await world.objects.put(planStateKey(run), JSON.stringify(state), { ifAbsent: true });
  await publishStart(world, run);
  await planGated(world, run, loaded, protects, ticked);
}

/** Every line of a gated run is planned, with what its question goes by. */
export async function planGated(
  world: ControlWorld,
  run: Run,
  loaded: LoadedPlan,
  protects: readonly string[],
  ticked?: ReadonlyMap<string, readonly Effect[]>,
): Promise<void> {
  await prepareLines(world, run, loaded, {
    kind: 'apply',
    warnings: loaded.warnings,
    gated: true,
    ...(ticked ? { approved: ticked } : {}),
    ...askedAs(world, loaded.policy, protects, run),
    ...(await storeSeen(world, run, loaded.source)),
  });
}

/**
 * How people are asked about what writes these environments. One question about several stays open as long as each of them lets it. At a
 * person's own machine their word is enough, so that nobody is promised a second one (ADR 0058).
 */
export function askedAs(
  { stack }: Pick<ControlWorld, 'stack'>,
  policy: Policy,
  protects: readonly string[],
  run: Pick<Run, 'environment' | 'leaseTtlMs'>,
): Pick<Run, 'protects' | 'expiresMs' | 'approvers' | 'required' | 'allowSelf' | 'slack' | 'leaseTtlMs'> {
  const expires = protects.map((environment) => expiresOf(policy, environment));
  const approvers = approversOfAll(policy, protects);
  const slack = slackOf(policy, protects);
  // Its lease stands as long as was said when it was first planned: a later round may be under it already.
  const leaseTtlMs = run.leaseTtlMs ?? inEnvironment(policy, run.environment).leaseTtlMs;
  const told = { ...(approvers && { approvers }), ...(slack && { slack }), ...(leaseTtlMs !== undefined && { leaseTtlMs }) };
  return {
    protects,
    ...(expires.length > 0 && { expiresMs: Math.min(...expires) }),
    ...told,
    ...quorumOf(policy, protects),
    ...(stack === 'embedded' && { required: 1 }),
  };
}
