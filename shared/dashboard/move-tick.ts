import type { Table } from '../ports/table.ts';
import { absent, all, any, below, equal } from '../table/condition.ts';
import { dashboardPartition, tickKey, tickPrefix } from '../table/keys.ts';
import { write } from '../table/write.ts';
import { type BoxMarker, boxId } from './box.ts';
import { type MarkWorld, markDashboard } from './mark.ts';
import { isStanding, type Tick, tickOf } from './tick.ts';

/** How long an answered tick is remembered, seconds. */
const remembered = 90 * 24 * 3600;

export async function readTicks(table: Table, repository: string): Promise<Tick[]> {
  return (await table.query(dashboardPartition(repository), tickPrefix)).map(tickOf);
}

export async function readTick(table: Table, repository: string, marker: BoxMarker): Promise<Tick | undefined> {
  const item = await table.get(tickKey(repository, boxId(marker)));
  return item && tickOf(item);
}

/**
 * Writes down that a box was ticked, once: a second look at the same tick changes nothing. One that was taken back may be made again, and one
 * that had no name is given it.
 *
 * @returns whether it is news.
 */
export async function noteTick(world: MarkWorld, repository: string, marker: BoxMarker, tick: Pick<Tick, 'by' | 'at'>): Promise<boolean> {
  const state = tick.by ? 'asked' : 'nameless';
  const since = new Date(world.clock.now()).toISOString();
  const again = tick.by ? any(absent, equal('state', 'nameless'), all(equal('state', 'withdrawn'), below('at', tick.at))) : absent;
  const item = { format: 1, repository, ...marker, ...tick, state, status: 'ticked', since, group: repository };
  return (await write(world, tickKey(repository, boxId(marker)), (version) => ({ put: { ...item, version } }), again)).won;
}

/** Takes back a tick that nobody has judged yet. */
export async function withdrawTick(world: MarkWorld, repository: string, marker: BoxMarker, at: string): Promise<void> {
  const unjudged = all(any(equal('state', 'asked'), equal('state', 'nameless')), below('at', at));
  await write(world, tickKey(repository, boxId(marker)), (version) => ({ set: { state: 'withdrawn', at, version }, remove: ['status', 'since'] }), unjudged);
}

/** What becomes of a tick. */
export type TickChange = Pick<Tick, 'state'> & Partial<Pick<Tick, 'started' | 'say'>>;

/**
 * Moves a tick on by compare-and-swap, and has the dashboard show it: answered, its box is cleared with the next write and may be ticked again.
 *
 *     swap the tick ─▶ mark the issue      a death in between: the sweep finds a tick that is answered and not shown
 *
 * @returns the tick as it is then; undefined: somebody else moved it first.
 */
export async function moveTick(world: MarkWorld, tick: Tick, change: TickChange): Promise<Tick | undefined> {
  const since = new Date(world.clock.now()).toISOString();
  const set = { ...change, status: 'ticked', since };
  const result = await write(world, tickKey(tick.repository, boxId(tick)), (version) => ({ set: { ...set, version } }), equal('version', tick.version));
  if (!result.won) return undefined;
  await markDashboard(world, { id: tick.repository });
  return { ...tick, ...change, status: 'ticked', version: result.writeId };
}

/** The dashboard shows how these ended, and their people have been told: nobody has to look after them any more. */
export async function closeTicks(world: Pick<MarkWorld, 'table' | 'ids' | 'clock'>, ticks: readonly Tick[]): Promise<void> {
  const ttl = Math.floor(world.clock.now() / 1000) + remembered;
  for (const tick of ticks.filter((one) => !isStanding(one) && one.status !== undefined)) {
    const told = tick.say === undefined ? {} : { told: true };
    await write(world, tickKey(tick.repository, boxId(tick)), { set: { ttl, ...told }, remove: ['status', 'since'] }, equal('version', tick.version));
  }
}
