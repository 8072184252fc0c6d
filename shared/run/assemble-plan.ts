import { type PlanDocument, planFormat, storePlan } from '../approvals/plan-document.ts';
import type { Run, RunLine } from './items.ts';
import { readPlanState } from './plan-state.ts';
import { isRemoval } from './report.ts';
import type { ControlWorld } from './world.ts';

/** Puts together what a gated run would do, and stores it under its digest. */
export async function assemblePlan(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<{ document: PlanDocument; digest: string }> {
  const document: PlanDocument = {
    format: planFormat,
    repository: run.repository.id,
    ...(isRemoval(run.kind) ? { kind: run.kind as 'destroy' | 'prune' } : {}),
    plan: { name: run.plan.name, path: run.plan.path, hash: isRemoval(run.kind) ? '' : (run.plan.hash ?? '') },
    environment: run.environment,
    scope: run.scope,
    commit: run.commit,
    state: await readPlanState(world, run),
    lines: lines.map(({ spec: { id, adapter, op }, result }) => {
      const { effects = [], accepted } = result ?? {};
      return { id, adapter, op, effects, ...(accepted ? { accepted } : {}) };
    }),
  };
  return { document, digest: await storePlan(world.objects, document) };
}
