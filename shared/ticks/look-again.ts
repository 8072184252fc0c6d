import { createRun } from '../run/create-run.ts';
import type { Run } from '../run/items.ts';
import type { ControlWorld } from '../run/world.ts';

/** Has a row looked at anew, because what its box stood for is not what a run found: once for each run. */
export async function lookAgain(world: Pick<ControlWorld, 'table' | 'ids' | 'queues' | 'clock'>, run: Run): Promise<void> {
  const { repository, plan, environment, scope, commit, branch, options } = run;
  const by = options.ticked?.by;
  const scan = { by: 'person', slot: run.id, ...(by === undefined ? {} : { person: by }) } as const;
  const { name, path } = plan;
  await createRun(world, `scan#${run.id}`, {
    intent: 'drift',
    repository,
    plan: { name, path },
    environment,
    scope,
    commit,
    branch,
    options: { busy: 'wait', scan },
  });
}
