import type { ScanMessage } from '../../events/control-message.ts';
import { findPolicy } from '../intake/policy.ts';
import { readHead } from '../ledger/head.ts';
import { mainScope } from '../plan/scope.ts';
import { inEnvironment } from '../policy/policy.ts';
import type { Policy } from '../policy/types.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { scopeKey } from '../table/keys.ts';
import { endScans, moveOn, readScan } from './note-scans.ts';
import { type ScanItem, slotAt } from './scan-item.ts';
import { startScan } from './start-scan.ts';

/**
 * Starts the scans of one scheduled time in one environment, by what policy says now. Create-only runs first, then the schedule moves on: a death
 * in between starts the same runs again, which are there. A message whose time has been seen to does nothing; one that comes later than a whole
 * interval is worth nothing, and the scan after it is as good.
 *
 *     runs of the slot ──▶ crash here: the same runs once more
 *     next = slot + interval
 */
export async function beginScans(world: ControlWorld, { group, environment, slot }: ScanMessage): Promise<void> {
  const item = await readScan(world, group, environment);
  if (!item || item.next > slot) return;
  const about = { repository: group, environment, slot };
  if (world.clock.now() - Date.parse(slot) > item.scheduleMs) {
    world.log.warn('a scan comes too late to be made', about);
    return void (await moveOn(world, item, after(slotAt(item, world.clock.now()), item.scheduleMs)));
  }
  const repository = await served(world, item);
  if (!repository) {
    world.log.warn('a repository is not there any more, or not for this App: nothing of it is scanned', about);
    return endScans(world, item);
  }
  const { policy, broken } = await findPolicy(world, repository);
  if (broken) {
    world.log.warn('a mistake in the policy: nothing is scanned', { ...about, code: broken.code });
    return void (await moveOn(world, item, after(slot, item.scheduleMs)));
  }
  const { drift } = inEnvironment(policy, environment);
  if (!drift.enabled) return endScans(world, item);
  const plans = await start(world, repository, policy, environment, slot);
  await moveOn(world, item, after(slot, drift.scheduleMs), { plans, scheduleMs: drift.scheduleMs });
}

const after = (slot: string, scheduleMs: number): string => new Date(Date.parse(slot) + scheduleMs).toISOString();

async function served(world: ControlWorld, { repository }: ScanItem): Promise<Repository | undefined> {
  const found = await world.codeHost.repository(repository);
  return found?.id === repository.id && world.serves(found) ? found : undefined;
}

/** One run for each plan file that releases there. Returns their plans. */
async function start(world: ControlWorld, repository: Repository, policy: Policy, environment: string, slot: string): Promise<string[]> {
  const commit = await world.codeHost.defaultTip(repository);
  if (commit === undefined) return [];
  const started: string[] = [];
  for (const { name, path } of await plansReleasedIn(world, repository, policy, environment)) {
    if (!(await world.codeHost.file(repository, path, commit))) continue;
    await startScan(world, { repository, plan: { name, path }, environment, commit, scan: { by: 'schedule', slot } });
    started.push(name);
  }
  return started;
}

/** The plans that a push releases in an environment, or that have released there. */
export async function plansReleasedIn(
  { table }: Pick<ControlWorld, 'table'>,
  repository: Pick<Repository, 'id'>,
  policy: Policy,
  environment: string,
): Promise<Policy['plans']> {
  const has = await Promise.all(
    policy.plans.map(async ({ name, events }) => {
      if (events.push.includes(environment)) return true;
      return (await readHead(table, scopeKey({ repository: repository.id, plan: name, environment, scope: mainScope }))) !== undefined;
    }),
  );
  return policy.plans.filter((_, at) => has[at]);
}
