import type { Repository } from '../ports/code-host.ts';
import type { JobWorld } from '../run/world.ts';
import { always, type Condition, has } from '../table/condition.ts';
import { issueKey } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { issueItemOf } from './issue-item.ts';

export type MarkWorld = Pick<JobWorld, 'table' | 'queues' | 'ids' | 'clock'>;

/** How long changes gather before the body is written, seconds. */
export const gatherSeconds = 3;

/** A mark that waits for longer has lost its message, or its writer is at work: a second message does no harm. */
const patience = 15_000;

/**
 * Says that the dashboard issue shows less than the table knows, and has it written soon. Whoever comes while somebody else's word still
 * waits sends no message of their own: one write shows both.
 *
 *     mark ─▶ message      a death in between: the next mark after a while sends one, and so does the sweep
 *
 *     we:     read: it waits ──────────────────────────▶ mark, if it still waits: refused, so mark and send
 *     writer:                  shown, takes the mark away
 */
export async function markDashboard(world: MarkWorld, repository: Repository | Pick<Repository, 'id'>): Promise<void> {
  const key = issueKey(repository.id);
  const now = world.clock.now();
  const before = issueItemOf(await world.table.get(key));
  const since = before?.dirty === undefined ? undefined : before.since;
  const named = { format: 1, ...('owner' in repository ? { repository } : {}), id: repository.id, status: 'unshown' };
  const mark = (since: string, when: Condition) => write(world, key, (dirty) => ({ set: { ...named, dirty, since } }), when);
  if (since !== undefined && now - Date.parse(since) < patience && (await mark(since, has('dirty'))).won) return;
  await mark(since ?? new Date(now).toISOString(), always);
  await world.queues.control({ format: 5, look: 'dashboard', group: repository.id }, gatherSeconds);
}

/** Has an issue that policy wants no longer say so, once. Where there never was one, nothing is written. */
export async function markTurnedOff(world: MarkWorld, repository: Repository): Promise<void> {
  const item = issueItemOf(await world.table.get(issueKey(repository.id)));
  if (item?.number !== undefined && item.off === undefined) await markDashboard(world, repository);
}

/** The same where there is a dashboard: elsewhere nothing is written. */
export async function markIfThere(world: MarkWorld, repository: string): Promise<void> {
  if (await world.table.get(issueKey(repository))) await markDashboard(world, { id: repository });
}
