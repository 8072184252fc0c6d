import { mainScope } from '../plan/scope.ts';
import type { Repository } from '../ports/code-host.ts';
import { createRun } from '../run/create-run.ts';
import type { JobWorld } from '../run/world.ts';
import type { ScanOptions } from './scan-start.ts';

/** A scan of one plan file in one environment, of what the default branch has released. */
export interface NewScan {
  readonly repository: Repository;
  readonly plan: { readonly name: string; readonly path: string };
  readonly environment: string;
  /** The tip of the default branch. */
  readonly commit: string;
  readonly scan: ScanOptions;
}

/**
 * Starts a scan: a run of kind `drift` of the scope `main`, create-only under what started it, so that the same event, slot or request never
 * starts two. It takes no lease and waits for nobody.
 */
export function startScan(
  world: Pick<JobWorld, 'table' | 'ids' | 'queues' | 'clock'>,
  { repository, plan, environment, commit, scan }: NewScan,
): Promise<string> {
  return createRun(world, JSON.stringify(['scan', repository.id, scan.by, scan.slot]), {
    intent: 'drift',
    repository,
    plan,
    environment,
    scope: mainScope,
    commit,
    branch: repository.defaultBranch,
    options: { busy: 'fail', scan },
    ...(scan.person === undefined ? {} : { triggeredBy: scan.person }),
  });
}
