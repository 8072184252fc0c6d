import { inEnvironment } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { absent, equal } from '../table/condition.ts';
import { scanKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';
import { type ScanItem, scanItemOf, scanStatus } from './scan-item.ts';

export async function readScan(writer: Pick<Writer, 'table'>, repository: string, environment: string): Promise<ScanItem | undefined> {
  const item = await writer.table.get(scanKey(repository, environment));
  return item && scanItemOf(item);
}

/**
 * Writes down which environments of a repository are scanned, whenever its policy has been read: turned on, the first scan is due at once, and
 * a shorter interval counts from now. What is turned off is found by the scan that would come next; where nothing is on, nothing is read.
 *
 * A host that tells nobody of events is a person's own machine: nothing is scanned there that nobody asks for.
 */
export async function noteScans(world: Pick<ControlWorld, 'table' | 'ids' | 'clock' | 'codeHost'>, repository: Repository, policy: Policy): Promise<void> {
  if (!world.codeHost.deliveries) return;
  for (const environment of Object.keys(policy.environments)) {
    const { drift } = inEnvironment(policy, environment);
    if (drift.enabled) await noteScan(world, repository, environment, drift.scheduleMs);
  }
}

async function noteScan(world: Parameters<typeof noteScans>[0], repository: Repository, environment: string, scheduleMs: number): Promise<void> {
  const now = world.clock.now();
  const known = await readScan(world, repository.id, environment);
  if (!known) return begin(world, repository, environment, scheduleMs, startOfSecond(now));
  const { owner, name, defaultBranch } = known.repository;
  const same = owner === repository.owner && name === repository.name && defaultBranch === repository.defaultBranch;
  if (same && known.scheduleMs === scheduleMs) return;
  const next = new Date(Math.min(Date.parse(known.next), now + scheduleMs)).toISOString();
  // Where somebody else was first, whoever reads the policy next says it again.
  await change(world, known, { repository: { ...repository }, scheduleMs, next, since: next });
}

/** A schedule's times are whole seconds: what begins within one is due in it. */
const startOfSecond = (at: number): string => new Date(Math.floor(at / 1000) * 1000).toISOString();

async function begin(writer: Writer, repository: Repository, environment: string, scheduleMs: number, at: string): Promise<void> {
  const times = { scheduleMs, next: at, began: at, status: scanStatus, since: at };
  const put = (version: string) => ({ put: { format: 1, repository: { ...repository }, environment, ...times, plans: [], version } });
  await write(writer, scanKey(repository.id, environment), put, absent);
}

/** By compare-and-swap. False: it is another item by now, or none. */
async function change(writer: Writer, known: ScanItem, set: Record<string, unknown>): Promise<boolean> {
  const key = scanKey(known.repository.id, known.environment);
  return (await write(writer, key, (version) => ({ set: { ...set, version } }), equal('version', known.version))).won;
}

/** The scans of a slot have been started: the next one is due. */
export const moveOn = (writer: Writer, known: ScanItem, next: string, set: Partial<Pick<ScanItem, 'plans' | 'scheduleMs'>> = {}): Promise<boolean> =>
  change(writer, known, { ...set, next, since: next });

/** Scans are turned off here. */
export async function endScans(writer: Writer, { repository, environment, version }: ScanItem): Promise<void> {
  await write(writer, scanKey(repository.id, environment), { delete: true }, equal('version', version));
}
