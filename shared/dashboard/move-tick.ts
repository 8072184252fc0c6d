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

/**
 * Writes down that a box was ticked, once: a second look at the same tick changes nothing. One that was taken back may be made again, and one
 * that had no name is given it. A box that was ticked before is ticked by two people, one of whose pages did not show the other's tick: each has
 * a tick of their own, since the one may be refused and the other not.
 *
 * @returns the id of the tick, where it is news.
 */
export async function noteTick(world: MarkWorld, repository: string, marker: BoxMarker, tick: Pick<Tick, 'by' | 'at'>): Promise<string | undefined> {
  const put = (more: Pick<Tick, 'again' | 'late'>) => {
    const since = new Date(world.clock.now()).toISOString();
    const state = tick.by ? 'asked' : 'nameless';
    const item = { format: 1, repository, ...marker, ...tick, ...more, state, status: 'ticked', since, group: repository };
    return (version: string) => ({ put: { ...item, version } });
  };
  const free = tick.by ? any(absent, equal('state', 'nameless'), all(equal('state', 'withdrawn'), below('at', tick.at))) : absent;
  for (;;) {
    const first = await write(world, tickKey(repository, boxId(marker)), put({}), free);
    if (first.won) return boxId(marker);
    const known = first.found && tickOf(first.found);
    if (!known) continue;
    if (!tick.by || known.state === 'withdrawn') return undefined;
    const isTheirs = known.by?.login === tick.by.login;
    if (isTheirs && (known.last ?? known.at) >= tick.at) return undefined;
    if (isTheirs && isStanding(known)) {
      if (await noteLast(world, known, tick.at)) return undefined;
      continue;
    }
    const again = `${tick.by.login} ${tick.at}`;
    const more = isStanding(known) ? { again } : { again, late: true as const };
    const id = boxId({ ...marker, again });
    return (await write(world, tickKey(repository, id), put(more), absent)).won ? id : undefined;
  }
}

/** The version stays: whoever judges the tick is not in this one's way. */
const noteLast = async (world: MarkWorld, tick: Tick, last: string): Promise<boolean> =>
  (await write(world, tickKey(tick.repository, boxId(tick)), { set: { last } }, equal('version', tick.version))).won;

/** Takes back whatever ticks of a box nobody has judged yet. */
export async function withdrawTick(world: MarkWorld, repository: string, marker: BoxMarker, at: string): Promise<void> {
  const unjudged = all(any(equal('state', 'asked'), equal('state', 'nameless')), below('at', at));
  const ticks = await world.table.query(dashboardPartition(repository), `${tickPrefix}${boxId(marker)}`);
  for (const { pk, sk } of ticks.filter(({ no }) => no === marker.no))
    await write(world, { pk, sk }, (version) => ({ set: { state: 'withdrawn', at, version }, remove: ['status', 'since'] }), unjudged);
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
