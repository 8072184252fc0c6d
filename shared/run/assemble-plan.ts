import { inOrder, isWrite } from '../approvals/effect.ts';
import { type Drifted, type PlanDocument, type PlannedLine, planFormat, storePlan } from '../approvals/plan-document.ts';
import { isKeep, type PlanValue } from '../plan/types.ts';
import { groupOf } from '../redeploys/with-redeploys.ts';
import type { LineSpec, Run, RunLine } from './items.ts';
import { readPlanState } from './plan-state.ts';
import { type DriftItem, isRemoval } from './report.ts';
import type { ControlWorld } from './world.ts';

/** Puts together what a gated run would do, and stores it under its digest. */
export async function assemblePlan(world: ControlWorld, run: Run, lines: readonly RunLine[]): Promise<{ document: PlanDocument; digest: string }> {
  const document = documentOf(run, await readPlanState(world, run), lines, (spec) => groupOf(world, run, spec));
  return { document, digest: await storePlan(world.objects, document) };
}

/**
 * What a gated run would do as one document. Whatever has no order of its own stands in order here: the same world gives the same bytes,
 * however the table lists it, whenever it is read and whatever the run is called.
 *
 * @param redeploys what is deployed with a line's writes, where anything is.
 */
export function documentOf(run: Run, state: PlanDocument['state'], lines: readonly RunLine[], redeploys: (spec: LineSpec) => string | undefined): PlanDocument {
  return {
    format: planFormat,
    repository: run.repository.id,
    ...(isRemoval(run.kind) ? { kind: run.kind as 'destroy' | 'prune' } : {}),
    plan: { name: run.plan.name, path: run.plan.path, hash: isRemoval(run.kind) ? '' : (run.plan.hash ?? '') },
    environment: run.environment,
    scope: run.scope,
    commit: run.commit,
    state: [...state].sort((a, b) => (a.line < b.line ? -1 : 1)),
    lines: lines.map((line) => plannedLine(line, redeploys(line.spec))).sort((a, b) => (a.id < b.id ? -1 : 1)),
    warnings: distinct((run.warnings ?? []).map(({ code }) => code)),
  };
}

function plannedLine({ spec, result }: RunLine, redeploys: string | undefined): PlannedLine {
  const { effects = [], seen = [], accepted, ignored = [], drift = [], notes = {} } = result ?? {};
  const { id, adapter, op } = spec;
  return {
    id,
    adapter,
    op,
    effects: inOrder([...effects, ...seen]),
    ...(accepted ? { accepted } : {}),
    ...listed('drift', drift.map(drifted).sort(byResource)),
    ...(redeploys !== undefined && effects.some(isWrite) ? { redeploys } : {}),
    ...listed('ignored', distinct([...keptPaths(spec), ...ignored])),
    ...listed('warnings', distinct(Object.keys(notes))),
  };
}

const listed = <Name extends string, T>(name: Name, list: readonly T[]) => (list.length === 0 ? {} : ({ [name]: list } as Record<Name, readonly T[]>));

const drifted = ({ kind, resource, replaced }: DriftItem): Drifted => ({ kind, resource: resource.key, ...(replaced ? { replaced } : {}) });

const byResource = (a: Drifted, b: Drifted): number => (a.resource === b.resource ? (a.kind < b.kind ? -1 : 1) : a.resource < b.resource ? -1 : 1);

const distinct = <T extends string>(names: readonly T[]): T[] => [...new Set(names)].sort();

/** What the plan file says to keep, by dotted path. */
function keptPaths({ params }: Pick<LineSpec, 'params'>): string[] {
  const below = (value: PlanValue, path: string): string[] => {
    if (isKeep(value)) return [path];
    if (typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, inside]) => below(inside as PlanValue, path === '' ? name : `${path}.${name}`));
  };
  return below(params as PlanValue, '').sort();
}
