import { canonicalJson } from '../approvals/canonical-json.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { LineSpec } from '../run/items.ts';
import type { DriftItem } from '../run/report.ts';
import type { Applying } from './applying.ts';
import { standing } from './evidence.ts';
import type { Inspecting, Inspection } from './inspecting.ts';
import type { Op } from './op.ts';

/** So many unmanaged resources a line reports at most, and so many that may be somebody's it asks about to find them. */
const most = { reported: 20, asked: 200 } as const;

/**
 * What lies where the line could own something, that no line wants and no scope owns (R0.2, R0.13, R0.24). Never touched.
 * A list that cannot be read is no finding, and no failure of the line.
 */
export async function unmanaged(job: Inspecting, inspection: Pick<Inspection, 'resources'>): Promise<DriftItem[]> {
  const { op, params, call, line } = job;
  if (!op.list) return [];
  const wanted = new Set(inspection.resources.map((resource) => resource.change.key));
  try {
    const listed = (await op.list(params, call)).filter((resource) => !wanted.has(resource.key));
    const reported: DriftItem[] = [];
    for (const resource of listed.slice(0, most.asked)) {
      if (reported.length === most.reported) break;
      if (await isOwned(job, resource.key)) continue;
      const { key, id, label } = resource;
      reported.push({
        kind: 'unmanaged',
        adapter: op.adapter,
        op: op.name,
        line: line.spec.id,
        resource: { key, id, label },
        message: 'It is left alone.',
      });
    }
    return reported;
  } catch (error) {
    if (error instanceof LockkeeperError && error.code !== 'STORE_UNREACHABLE') return [];
    throw error;
  }
}

/** So much time has to be left of a job for a list: what it has written is in the ledger, and its answer is not to be late for a look around. */
const enoughMs = 30_000;

/**
 * The same after a line was applied. Of the lines that would be told the same, the first of the plan asks; the report leaves out what another
 * line wants. No list, nor a store that does not say whose something is, fails or delays what was done already.
 */
export async function unmanagedBeside(job: Applying, inspection: Pick<Inspection, 'resources'>): Promise<DriftItem[]> {
  const { line, op, guard } = job;
  if (!op.list || !line.spec.lists) return [];
  try {
    guard.beforeWrite(enoughMs);
  } catch {
    return [];
  }
  try {
    return await unmanaged(job, inspection);
  } catch (error) {
    if (error instanceof LockkeeperError) return [];
    throw error;
  }
}

/**
 * What a line's list depends on, as one string: of several lines that would ask the same, one does.
 *
 * @param spec as its run is prepared.
 */
export function placeOf({ list, listParams }: Pick<Op, 'list' | 'listParams'>, { adapter, op, provider, params }: LineSpec): string | undefined {
  if (!list) return undefined;
  const asked = listParams === undefined ? params : Object.fromEntries(listParams.map((name) => [name, params[name] ?? null]));
  return canonicalJson([adapter, op, provider, asked]);
}

async function isOwned({ world, scope, run, line, ledger, op, call }: Inspecting, key: string): Promise<boolean> {
  const asking = { scope, run: run.id, line: line.spec.id, ledger, predecessor: run.predecessor };
  const known = await standing(world, asking, { adapter: op.adapter, account: call.identity, key });
  return known.entry !== undefined || known.owner.by === 'other';
}
