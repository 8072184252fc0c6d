/** Each tick ends applied, refused with a message, taken back by a person, or still in the body. */

import { bodyNow, ticksNow } from '../../shared/dashboard/dashboard-bench.fixture.ts';
import { boxesIn, boxMarker } from '../../shared/dashboard/marker.ts';
import { isStanding, type Tick } from '../../shared/dashboard/tick.ts';
import { runsOf } from './house.ts';
import { issueOf, type MadeTick, type Stage } from './stage.ts';

/** @param heard every webhook has been told at last. */
export function ticksEnded(stage: Stage, tally: Record<string, number>, heard: boolean): string[] {
  const { bench } = stage.house;
  const known = ticksNow(bench);
  const ticked = new Set(boxesIn(bodyNow(bench)).flatMap(({ marker, ticked }) => (ticked ? [boxMarker(marker)] : [])));
  const runs = runsOf(bench);
  const ours = writtenByUs(stage);
  const said = [...bench.code.comments.values()];

  function endOf(tick: MadeTick): string | undefined {
    const same = known.filter((one) => boxMarker(one) === tick.text && one.by?.login === tick.login);
    const answers = same.filter((one) => one.at === tick.at || (one.at <= tick.at && one.last !== undefined && one.last >= tick.at));
    for (const item of answers) {
      const end = endOfItem(item);
      if (end !== undefined) return end;
    }
    if (ticked.has(tick.text)) return 'in the body';
    if (stage.unticks.some(({ text, save }) => text === tick.text && save > tick.save)) return 'taken back';
    if (!ours.has(tick.text)) return 'no box of ours';
    if (!heard && !tick.heard) return 'not heard of';
    return undefined;
  }

  function endOfItem(item: Tick): string | undefined {
    if (isStanding(item)) return ticked.has(boxMarker(item)) || deploying(item) ? 'in the body' : undefined;
    if (item.state === 'withdrawn') return undefined;
    // A bot is told nothing.
    const { say } = item;
    const told = say !== undefined && (item.by?.type !== 'User' || said.some((body) => body.includes(`- @${item.by?.login}: `) && body.includes(say)));
    if (item.state !== 'done') return told ? 'refused' : undefined;
    if (item.box === 'rescan') return 'applied';
    const run = runs.find(({ id }) => id === item.started);
    if (run?.outcome === 'complete' || run?.outcome === 'partial') return 'applied';
    if (run?.phase === 'awaiting' || run?.phase === 'waiting') return 'asked about';
    return told ? 'refused' : undefined;
  }

  /** A row shows no box while its run rests. */
  const deploying = ({ started }: Tick): boolean => runs.some(({ id, phase }) => id === started && (phase === 'awaiting' || phase === 'waiting'));

  const lost = stage.ticks.flatMap((tick) => {
    const end = endOf(tick);
    if (end !== undefined) tally[end] = (tally[end] ?? 0) + 1;
    return end === undefined
      ? [
          `a tick is lost: ${tick.login}'s of ${tick.text} at ${tick.at} (save ${tick.save}; before: ${JSON.stringify(tick.before)}); known: ${JSON.stringify(known.filter((one) => boxMarker(one) === tick.text).map(({ by, at, state, say }) => ({ by: by?.login, at, state, say: say?.slice(0, 60) })))}; its run: ${JSON.stringify(runs.filter(({ id }) => known.some((one) => boxMarker(one) === tick.text && one.started === id)).map(({ id, phase, outcome, problem, options }) => ({ id: id.slice(0, 8), phase, outcome, problem, ticked: options.ticked !== undefined })))}`,
        ]
      : [];
  });
  return [...lost, ...startedTwice(stage), ...nobodysTicks(stage, known), ...withoutASay(known), ...answeredBefore(stage, known)];
}

/** The boxes that we ever wrote, as the host has them: what somebody wrote themselves may come to nothing without a word. */
const writtenByUs = (stage: Stage): ReadonlySet<string> =>
  new Set(issueOf(stage).edits.flatMap(({ by, body }) => (by?.ours ? boxesIn(body ?? '').map(({ marker }) => boxMarker(marker)) : [])));

function startedTwice({ house: { bench } }: Stage): string[] {
  const by = Map.groupBy(
    runsOf(bench).filter(({ options }) => options.ticked !== undefined),
    ({ options }) => options.ticked?.tick,
  );
  return [...by].flatMap(([tick, runs]) => (runs.length > 1 ? [`started twice: ${tick} has ${runs.length} runs`] : []));
}

/** Every tick that the table knows, with a name, is one that this person's save made. */
function nobodysTicks({ ticks }: Stage, known: readonly Tick[]): string[] {
  return known
    .filter(({ by }) => by !== undefined)
    .filter((one) => !ticks.some((made) => made.text === boxMarker(one) && made.login === one.by?.login))
    .map((one) => `nobody's tick: ${one.by?.login} never ticked ${boxMarker(one)} (${one.state})`);
}

/** Whoever may not push, or is no person, has started nothing and decided nothing. */
const withoutASay = (known: readonly Tick[]): string[] =>
  known
    .filter(({ by, started }) => started !== undefined && (by?.login === 'sam' || by?.type === 'Bot'))
    .map((one) => `${one.by?.login} had no say: ${boxMarker(one)}`);

/** A box that had been answered when a page with it was saved is none that the row shows. */
const answeredBefore = ({ ticks }: Stage, known: readonly Tick[]): string[] =>
  ticks
    .filter(({ before }) => before.is === 'answered')
    .filter((tick) => known.some((one) => one.state === 'done' && boxMarker(one) === tick.text && one.by?.login === tick.login && one.at === tick.at))
    .map((tick) => `the box had been answered when ${tick.login} saved it at ${tick.at}: ${tick.text}`);
