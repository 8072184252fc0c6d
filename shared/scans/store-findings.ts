import type { Run } from '../run/items.ts';
import type { ControlWorld } from '../run/world.ts';
import type { Findings } from './findings.ts';

const findingsKey = (run: string): string => `runs/${run}/findings.json`;

/** What a scan found, once it has ended or is about to; undefined before. */
export async function readFindings({ objects }: Pick<ControlWorld, 'objects'>, run: Pick<Run, 'id'>): Promise<Findings | undefined> {
  const stored = await objects.get(findingsKey(run.id));
  return stored && (JSON.parse(stored.body) as Findings);
}

/** Stores what a scan found, once: of two steps the first one's stand. */
export async function storeFindings(world: Pick<ControlWorld, 'objects'>, findings: Findings): Promise<Findings> {
  const stored = await world.objects.put(findingsKey(findings.run), JSON.stringify(findings), { ifAbsent: true });
  return stored.stored ? findings : ((await readFindings(world, { id: findings.run })) ?? findings);
}
