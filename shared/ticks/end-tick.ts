import { moveTick } from '../dashboard/move-tick.ts';
import type { Tick } from '../dashboard/tick.ts';
import { maskProblem } from '../engine/line-call.ts';
import type { Problem } from '../errors/error.ts';
import type { ControlWorld } from '../run/world.ts';
import { prose } from '../surfaces/escape.ts';
import { problemText } from '../surfaces/sections.ts';

/** Ends a tick that comes to nothing, with what its person is told. */
export async function refuseTick(world: ControlWorld, tick: Tick, problem: Problem): Promise<void> {
  world.log.info('a tick came to nothing', { repository: tick.repository, box: tick.box, code: problem.code });
  await moveTick(world, tick, { state: problem.code === 'EXPIRED' ? 'expired' : 'refused', say: sayOf(world, tick, problem) });
}

const asked: Readonly<Record<Tick['box'], string>> = { apply: 'Apply', repair: 'Repair', rescan: 'Look at everything again' };

/** What a person is told of their tick: masked, as Markdown. */
export function sayOf(world: Pick<ControlWorld, 'redactor'>, { box, plan, environment, line }: Tick, problem: Problem): string {
  const where = box === 'rescan' ? '' : ` of ${line === undefined ? '' : `stack **${prose(line)}** of `}**${prose(plan)}** in **${prose(environment)}**`;
  return `${asked[box]}${where}: ${problemText(maskProblem(world, problem), false)}`;
}
