import { LockkeeperError } from '../errors/error.ts';
import type { DriftItem } from '../run/report.ts';
import { standing } from './evidence.ts';
import type { Inspecting, Inspection } from './inspect.ts';

/** So many unmanaged resources a line reports at most, and so many that may be somebody's it asks about to find them. */
const most = { reported: 20, asked: 200 } as const;

/**
 * What lies where the line could own something, that no line wants and no scope owns (R0.2, R0.13, R0.24). Never touched.
 * A list that cannot be read is no finding, and no failure of the line.
 */
export async function unmanaged(job: Inspecting, inspection: Inspection): Promise<DriftItem[]> {
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
        message: 'No plan manages it; it is left alone.',
      });
    }
    return reported;
  } catch (error) {
    if (error instanceof LockkeeperError && error.code !== 'STORE_UNREACHABLE') return [];
    throw error;
  }
}

async function isOwned({ world, scope, run, line, ledger, op, call }: Inspecting, key: string): Promise<boolean> {
  const asking = { scope, run: run.id, line: line.spec.id, ledger, predecessor: run.predecessor };
  const known = await standing(world, asking, { adapter: op.adapter, account: call.identity, key });
  return known.entry !== undefined || known.owner.by === 'other';
}
