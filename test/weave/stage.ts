/** One interleaving while it is played: what people did, as the host has it, and what was told to whom. */
import type { BoxMarker } from '../../shared/dashboard/box.ts';
import { boxId } from '../../shared/dashboard/box.ts';
import { theIssue } from '../../shared/dashboard/dashboard-bench.fixture.ts';
import { boxesIn, boxMarker } from '../../shared/dashboard/marker.ts';
import { isStanding, type Tick } from '../../shared/dashboard/tick.ts';
import { tickKey } from '../../shared/table/keys.ts';
import { ourLogin } from '../ports/fake-issues.ts';
import { repository } from '../ports/workbench.ts';
import type { House } from './house.ts';
import { people } from './house.ts';
import type { Random } from './random.ts';
import { saves } from './saves.ts';

/** A box that a save of somebody's ticked: it was not ticked in the state that the save replaced. */
export interface MadeTick {
  readonly login: string;
  readonly marker: BoxMarker;
  readonly text: string;
  /** By the host's clock. */
  readonly at: string;
  /** Which save it was, counted. */
  readonly save: number;
  /** The webhook that tells of it has not been lost. */
  readonly heard: boolean;
  /** What the table knew of that box at that moment: nothing, a tick that stands, and whose, or one that was answered. */
  readonly before: { readonly is: 'nothing' | 'standing' | 'answered'; readonly by?: string };
}

/** A box that a save of somebody's cleared, which was ticked in the state that it replaced. */
export interface Untick {
  readonly text: string;
  readonly save: number;
}

export interface Stage {
  readonly seed: number;
  readonly house: House;
  readonly random: Random;
  /** What happened, a line each. */
  readonly trace: string[];
  readonly ticks: MadeTick[];
  readonly unticks: Untick[];
  /** Webhooks that are on their way, by whose save they tell of; and those that were lost, until the host is asked to tell them again. */
  readonly webhooks: string[];
  readonly lost: string[];
  /** A function is at work while another one's call is on its way. */
  nested: boolean;
  /** The next function that stands still; absent where none is going to. */
  still?: Promise<'still'>;
  /** One that does, and what it is at work on. */
  frozen?: { readonly done: Promise<unknown>; readonly working: House['working'] };
  saves: number;
  commits: number;
  edits: number;
  slots: number;
}

export const openStage = (seed: number, house: House, random: Random): Stage => ({
  seed,
  house,
  random,
  trace: [],
  ticks: [],
  unticks: [],
  webhooks: [],
  lost: [],
  nested: false,
  saves: 0,
  commits: 0,
  edits: 0,
  slots: 0,
});

/** Somebody saves the body, made of what stands there, or of what stood there when they opened the page. */
export function save(stage: Stage): void {
  const { house, random } = stage;
  const { number, edits } = issueOf(stage);
  const earlier = random.chance(0.3) ? random.below(Math.min(5, edits.length)) : 0;
  const opened = (edits[earlier]?.body ?? '').replaceAll('\n', '\r\n');
  const one = random.one(saves);
  const login = random.chance(0.05) ? 'helper[bot]' : random.one(people);
  const before = new Map(boxesIn(edits[0]?.body ?? '').map(({ marker, ticked }) => [boxMarker(marker), ticked]));
  house.bench.code.issues.edit(number, login, () => one.change(opened, random), login === 'helper[bot]' ? 'Bot' : 'User');
  stage.saves += 1;
  const [saved] = edits;
  const heard = !random.chance(0.12);
  const made: string[] = [];
  for (const { marker, ticked } of boxesIn(saved?.body ?? '')) {
    const text = boxMarker(marker);
    if (ticked === (before.get(text) ?? false)) continue;
    made.push(`${ticked ? '+' : '-'}${marker.box}/${marker.environment}/${marker.no}`);
    if (!ticked) stage.unticks.push({ text, save: stage.saves });
    else stage.ticks.push({ login, marker, text, at: saved?.at ?? '', save: stage.saves, heard, before: knownOf(stage, marker) });
  }
  note(
    stage,
    `${login} ${one.name}${earlier > 0 ? ` in a page ${earlier} states old` : ''}: ${made.join(' ') || 'no box'}${heard ? '' : ', of which nobody hears'}`,
  );
  (heard ? stage.webhooks : stage.lost).push(login);
  if (random.chance(0.1)) stage.webhooks.push(login);
}

export const issueOf = ({ house: { bench } }: Stage) => theIssue(bench) as (typeof bench.code.issues.kept)[number];

/** What the table has of a box, of exactly this marker. */
export function itemOf({ house: { bench } }: Stage, marker: BoxMarker): Tick | undefined {
  const { pk, sk } = tickKey(repository.id, boxId(marker));
  return bench.memory.peek(pk, sk) as unknown as Tick | undefined;
}

function knownOf(stage: Stage, marker: BoxMarker): MadeTick['before'] {
  const item = itemOf(stage, marker);
  if (!item || item.state === 'withdrawn') return { is: 'nothing' };
  return { is: isStanding(item) ? 'standing' : 'answered', ...(item.by ? { by: item.by.login } : {}) };
}

export function note(stage: Stage, what: string): void {
  stage.trace.push(`${new Date(stage.house.bench.clock.now()).toISOString().slice(11, 23)} ${what}`);
}

/** Whether nobody has saved since we wrote. */
export const isOurs = (stage: Stage): boolean => issueOf(stage).edits[0]?.by?.login === ourLogin;
