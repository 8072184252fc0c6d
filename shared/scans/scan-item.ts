import type { Repository } from '../ports/code-host.ts';
import type { Item } from '../ports/table.ts';
import { isNumber, isRecord, isText, refuseDamaged } from '../table/damaged.ts';

/**
 * When an environment of a repository is scanned next: the item `ENV#<repository>#<environment>` / `SCAN`. It is there once a policy that turns
 * scans on has been read, and goes with the first scan that finds them turned off. `status` and `since` place it in the sparse index.
 */
export interface ScanItem {
  readonly repository: Repository;
  readonly environment: string;
  /** How often, ms, as the policy that was read last says. */
  readonly scheduleMs: number;
  /** The scheduled time of the next scan, ISO 8601: with plan and environment, what its id is made of. */
  readonly next: string;
  /** Since when scans are due here, ISO 8601. */
  readonly began: string;
  /** Plans whose scans were started last. */
  readonly plans: readonly string[];
  /** When a scan of each plan last ended, ISO 8601, by plan. */
  readonly ended: Readonly<Record<string, string>>;
  readonly version: string;
}

/** The partition of the `due` index that these items are in. */
export const scanStatus = 'scan';

const endedPrefix = 'ended_';
/** The attribute that says when a plan's scan last ended: each is written by itself, beside whoever moves the schedule on. */
export const endedAttribute = (plan: string): string => `${endedPrefix}${plan}`;

/** @throws LockkeeperError RECEIPT_VERSION, RECEIPT_CORRUPT. */
export function scanItemOf(item: Item): ScanItem {
  refuseDamaged(
    item,
    `Item ${item.pk} ${item.sk}`,
    1,
    ({ repository, environment, scheduleMs, next, version }) =>
      isRecord(repository) && isText(environment) && isNumber(scheduleMs) && isText(next) && isText(version),
  );
  const ended = Object.entries(item).filter(([name]) => name.startsWith(endedPrefix));
  const { repository, environment, scheduleMs, next, began, plans, version } = item as unknown as ScanItem;
  return {
    repository,
    environment,
    scheduleMs,
    next,
    began,
    plans: plans ?? [],
    ended: Object.fromEntries(ended.map(([name, at]) => [name.slice(endedPrefix.length), String(at)])),
    version,
  };
}

/** The newest scheduled time that is not after `until`: what was missed in between is not made up for. */
export function slotAt({ next, scheduleMs }: Pick<ScanItem, 'next' | 'scheduleMs'>, until: number): string {
  const missed = Math.max(0, Math.floor((until - Date.parse(next)) / scheduleMs));
  return new Date(Date.parse(next) + missed * scheduleMs).toISOString();
}

/** How many intervals may pass without a scan that ended before somebody should know. */
export const mostMissed = 3;

/** Whether a scan of any of its plans has not ended for too long. */
export function isOverdue({ plans, ended, began, scheduleMs }: ScanItem, now: number): boolean {
  const last = plans.length === 0 ? [began] : plans.map((plan) => ended[plan] ?? began);
  return last.some((at) => now - Date.parse(at) > mostMissed * scheduleMs);
}
