import { declaredOutputs } from '../engine/declared-outputs.ts';
import { contextOf, opOf } from '../engine/line-call.ts';
import { outputsIn } from '../plan/references.ts';
import type { LineSpec, Run } from '../run/items.ts';
import type { PhaseLine } from '../run/phase.ts';
import type { World } from '../run/world.ts';
import { type Batch, batchesOf, type Writing } from './batches.ts';

/** What is deployed with a line's writes, in its op's words; undefined where nothing is. */
export const groupOf = (world: World, run: Run, spec: Pick<LineSpec, 'adapter' | 'op' | 'params'>): string | undefined =>
  opOf(world, spec).redeploy?.group(spec.params, contextOf(run));

/**
 * The lines of an apply with the redeploys of what they write, each a job among them (P8). A line that needs what a deployment gives waits
 * for the redeploy of the line it has it from.
 *
 * One block of a provider is one group here, whatever it resolves to: what a step puts and what the next one goes on with must be the same,
 * also when the provider does not answer in between. Two names of one project are two groups, and the second redeploy finds the first.
 */
export function withRedeploys(world: World, run: Run, lines: readonly PhaseLine[]): readonly PhaseLine[] {
  const writings = lines.map((line) => writingOf(world, run, line, lines));
  const batches = batchesOf(writings);
  if (batches.length === 0) return lines;
  const batchOf = new Map(batches.flatMap((batch) => batch.lines.map((line): [string, string] => [line, batch.id])));
  const specs = new Map(lines.map(({ spec }) => [spec.id, spec]));
  const planned = lines.map(({ spec, after }, at): PhaseLine => {
    const redeployedBy = batchOf.get(spec.id);
    const awaits = [...new Set((writings[at] as Writing).awaits.map((id) => batchOf.get(id) as string))];
    const named = { ...(redeployedBy === undefined ? {} : { redeployedBy }), ...(awaits.length > 0 ? { awaits } : {}) };
    return { spec: { ...spec, ...named }, after: [...after, ...awaits] };
  });
  const redeploys = batches.map((batch, at) => redeployOf(world, run, batch, specs.get(batch.lines[0] as string) as LineSpec, lines.length + at));
  return [...planned, ...redeploys];
}

function writingOf(world: World, run: Run, { spec }: PhaseLine, lines: readonly PhaseLine[]): Writing {
  const group = groupOf(world, run, spec);
  const awaits = outputsIn(spec.params).flatMap(({ line, output }) => {
    const producer = lines.find((one) => one.spec.id === line)?.spec;
    if (!producer || groupOf(world, run, producer) === undefined) return [];
    return declaredOutputs(opOf(world, producer), producer.params)[output]?.available === 'external' ? [line] : [];
  });
  const block = JSON.stringify([spec.adapter, spec.op, spec.provider, group]);
  return { id: spec.id, needs: spec.needs, awaits: [...new Set(awaits)], ...(group === undefined ? {} : { group: block }) };
}

/** The job: it needs no line to have succeeded, and goes by what the ledger says is due. */
function redeployOf(world: World, run: Run, batch: Batch, { adapter, op, params, provider, account }: LineSpec, order: number): PhaseLine {
  const redeploy = { group: groupOf(world, run, { adapter, op, params }) as string, lines: batch.lines };
  const spec = { id: batch.id, order, adapter, op, params: {}, provider, needs: [], dependants: [], redeploy, ...(account ? { account } : {}) };
  return { spec, after: batch.after };
}
