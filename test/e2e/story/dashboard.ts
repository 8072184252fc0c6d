import { setTimeout } from 'node:timers/promises';
import type { Run } from '../../../shared/run/items.ts';
import type { Issue } from '../../sim/github/state.ts';
import { rests } from '../house.ts';
import { check, StoryFailed } from './expect.ts';
import { quiet, type StoryWorld } from './world.ts';

/** What people do on the dashboard issue, and what starts a scan. */

/** The dashboard once its body says something, as people read it. @throws StoryFailed with what it says instead. */
export async function dashboardOf(world: StoryWorld, says: string, withinMs = 60_000): Promise<Issue> {
  const end = Date.now() + withinMs;
  for (;;) {
    const issues = (world.house.sim.state().github.repositories[0]?.issues ?? []).filter(({ open }) => open);
    check(issues.length <= 1, 'there is one dashboard', issues.length);
    const [issue] = issues;
    if (issue?.body.includes(says)) return issue;
    if (Date.now() > end) throw new StoryFailed(`the dashboard does not say “${says}”: ${issue?.body ?? 'there is none'}`);
    await setTimeout(50);
  }
}

/** The schedule looks; the scan that it has made, once it is over. */
export async function scheduledScan(world: StoryWorld): Promise<Run> {
  const before = new Set((await world.house.runs({ list: 'scan' })).map(({ id }) => id));
  await world.house.stack.invoke('schedule', { scheduledAt: new Date().toISOString() });
  return newRun(world, 'scan', (run) => run.options.scan?.by === 'schedule' && !before.has(run.id));
}

/** Somebody ticks a box, of the row of a stack where `line` names one, and GitHub tells Lockkeeper; the run that it starts, once it is over. */
export async function tickBox(world: StoryWorld, number: number, box: 'apply' | 'repair', author: string, line?: string): Promise<Run> {
  await tick(world, number, line === undefined ? `<!-- lockkeeper:${box} ` : ` line="${line}"`, author);
  return newRun(world, 'run', ({ options: { ticked } }) => ticked?.box === box && ticked.line === line);
}

/** The same of the box that has everything looked at; the scan, once it is over. */
export async function rescan(world: StoryWorld, number: number, author: string): Promise<Run> {
  await tick(world, number, '<!-- lockkeeper:rescan ', author);
  return newRun(world, 'scan', (run) => run.options.scan?.by === 'person');
}

async function tick(world: StoryWorld, number: number, box: string, author: string): Promise<void> {
  const { house } = world;
  await quiet(world);
  const { from } = house.sim.control.edit('github.editIssue', { number, author, tick: box });
  const hook = house.sim.control.webhook('issues.edited', { number, from, sender: author });
  const delivery = await house.sim.control.deliver(house.webhookUrl, hook, house.webhookSecret);
  check(delivery.status === 202, 'the webhook handler accepts a signed edit', delivery);
}

async function newRun(world: StoryWorld, list: 'run' | 'scan', which: (run: Run) => boolean, withinMs = 60_000): Promise<Run> {
  const end = Date.now() + withinMs;
  for (;;) {
    const run = (await world.house.runs({ list })).find(which);
    if (run && rests(run)) return run;
    if (Date.now() > end) throw new StoryFailed(`the ${list} that was started is not over: ${run ? `it is ${run.phase}` : 'there is none'}`);
    await setTimeout(25);
  }
}
