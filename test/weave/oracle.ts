/** What must hold at the end of every interleaving, whatever befell. */
import { bodyNow, issueNow } from '../../shared/dashboard/dashboard-bench.fixture.ts';
import { gather } from '../../shared/dashboard/gather.ts';
import { readTicks } from '../../shared/dashboard/move-tick.ts';
import { loadPolicy } from '../../shared/run/load-policy.ts';
import { renderDashboard } from '../../shared/surfaces/dashboard/dashboard.ts';
import { repository } from '../ports/workbench.ts';
import { ticksEnded } from './oracle-ticks.ts';
import { olderFacts, wrongWrites } from './oracle-writes.ts';
import { isOurs, type Stage } from './stage.ts';

/**
 * @param heard every webhook has been told at last: then the body says what the table says, whatever was lost on the way.
 * @returns what is broken, a line each.
 */
export async function judge(stage: Stage, tally: Record<string, number>, heard: boolean): Promise<string[]> {
  return [
    ...ticksEnded(stage, tally, heard),
    ...(await wrongWrites(stage)),
    ...olderFacts(stage),
    ...(heard || isOurs(stage) ? await bodyIsProjection(stage) : []),
    ...(heard && !isOpen(stage) ? ['the issue: it was closed, and stays so'] : []),
  ];
}

const isOpen = ({ house: { bench } }: Stage): boolean => bench.code.issues.kept.some(({ open, ours, gone }) => open && ours && !gone);

/** A freeze says until when it holds; nobody writes the page anew at that moment. */
const withoutFreezes = (body: string): string => body.replace(/^🧊 .*\n\n/gm, '');

async function bodyIsProjection({ house: { bench } }: Stage): Promise<string[]> {
  const world = bench.world();
  const policy = await loadPolicy(world, repository);
  const wanted = renderDashboard(await gather(world, repository, policy, await readTicks(world.table, repository.id)));
  const unshown = issueNow(bench).dirty === undefined ? [] : ['the mark: it still says that the dashboard shows too little'];
  return [
    ...unshown,
    ...(withoutFreezes(bodyNow(bench)) === withoutFreezes(wanted)
      ? []
      : [`the body: it is not what the table says\n--- body\n${bodyNow(bench)}\n--- table\n${wanted}`]),
  ];
}
