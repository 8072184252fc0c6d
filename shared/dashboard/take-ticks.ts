import type { HostIssues, Issue, IssueEdit, Repository } from '../ports/code-host.ts';
import type { ControlWorld } from '../run/world.ts';
import { tickPrefix } from '../table/keys.ts';
import { answeredIn } from './answered.ts';
import { answeredKey, type BoxMarker, rescanDigest, rescanRun } from './box.ts';
import { readRows } from './change-row.ts';
import type { IssueItem } from './issue-item.ts';
import { boxesIn, boxMarker } from './marker.ts';
import { noteTick, readTicks, withdrawTick } from './move-tick.ts';
import type { Tick } from './tick.ts';
import { tickedIn } from './ticked-in.ts';

/** How many new ticks one look takes: more than anybody makes in three seconds, and fewer than a script could write into a body. */
const mostAtOnce = 50;

interface Looking {
  readonly issues: HostIssues;
  readonly repository: Repository;
  readonly issue: Issue;
  readonly item: IssueItem;
}

/**
 * Takes in what was ticked since the last look, each tick once, and has whoever judges it woken. What somebody wrote into the body themselves is
 * no box of ours.
 *
 * @returns every tick of the repository, and the newest state of the body that was looked at.
 */
export async function takeTicks(
  world: ControlWorld,
  { issues, repository, issue, item }: Looking,
): Promise<{ readonly ticks: readonly Tick[]; readonly looked?: string }> {
  const edits = await issues.edits(repository, issue.number, item.looked === undefined ? undefined : before(item.looked));
  const isOurs = await boxesOfOurs(world, repository, edits);
  const news = tickedIn(edits)
    .filter(({ marker }) => isOurs(marker))
    .slice(0, mostAtOnce);
  for (const { marker, ticked, by, at } of news) {
    if (!ticked) await withdrawTick(world, repository.id, marker, at);
    else {
      const id = await noteTick(world, repository.id, marker, { by, at });
      if (id !== undefined) await wake(world, repository, id);
    }
  }
  await noteNameless(world, { issues, repository, issue, item }, isOurs);
  const [newest] = edits;
  return { ticks: await readTicks(world.table, repository.id), ...(newest ? { looked: newest.at } : {}) };
}

/**
 * Tells our boxes: of a row that is known, and with a number that they had or have. A number from nowhere would be answered, and every box after it
 * out of reach. One that we wrote ourselves counts although what was answered under it is forgotten by now.
 */
async function boxesOfOurs({ table }: ControlWorld, { id }: Repository, edits: readonly IssueEdit[]): Promise<(marker: BoxMarker) => boolean> {
  const rows = new Set((await readRows(table, id)).map(({ plan, environment, line }) => JSON.stringify([plan, environment, line])));
  const answered = answeredIn(await readTicks(table, id));
  const wrote = new Set(edits.flatMap(({ by, body }) => (by?.ours ? boxesIn(body ?? '') : [])).map(({ marker }) => boxMarker(marker)));
  return (marker) => {
    const { box, plan, environment, line, run, digest, no } = marker;
    const isKnown =
      box === 'rescan'
        ? plan === '' && environment === '' && run === rescanRun && digest === rescanDigest(id)
        : rows.has(JSON.stringify([plan, environment, line]));
    return isKnown && (no <= (answered.get(answeredKey(marker)) ?? 0) || wrote.has(boxMarker(marker)));
  };
}

/** The host may show an edit a little later than a newer one: a look begins two minutes before the last one's end, and a tick is noted once. */
const before = (at: string): string => `${new Date(Date.parse(at) - 120_000).toISOString().slice(0, 19)}Z`;

const wake = ({ queues }: Pick<ControlWorld, 'queues'>, repository: Repository, id: string): Promise<void> =>
  queues.control({ format: 5, look: 'dashboard', tick: `${tickPrefix}${id}`, group: repository.id });

/** A tick that stands in the body and whose author the history does not tell: shown as it is, and nothing comes of it until it has a name. */
async function noteNameless(world: ControlWorld, { repository, issue }: Looking, isOurs: (marker: BoxMarker) => boolean): Promise<void> {
  const known = new Set((await readTicks(world.table, repository.id)).map(boxMarker));
  const unknown = boxesIn(issue.body).filter(({ marker, ticked }) => ticked && isOurs(marker) && !known.has(boxMarker(marker)));
  for (const { marker } of unknown.slice(0, mostAtOnce)) await noteTick(world, repository.id, marker, { at: issue.updatedAt });
}
