import type { IntakeOf } from '../../events/intake.ts';
import { issueItemOf } from '../dashboard/issue-item.ts';
import { markDashboard } from '../dashboard/mark.ts';
import type { Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { issueKey } from '../table/keys.ts';

/**
 * Somebody edited the dashboard, closed it, or took it away. What they ticked is read from the host's history, and the body is written as it
 * should be. An issue that is not the one we know of is none of ours, whatever it says.
 */
export async function dashboardIssue(world: ControlWorld, intake: IntakeOf<'issues'>, repository: Repository): Promise<void> {
  const item = issueItemOf(await world.table.get(issueKey(repository.id)));
  if (item?.number !== intake.issue.number) return world.log.info('an issue that is not the dashboard starts nothing', { intake: intake.id });
  await markDashboard(world, repository);
}
