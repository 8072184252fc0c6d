import type { Effect } from '../approvals/effect.ts';
import { readClaim } from '../ledger/claim.ts';
import { type Entry, isDeed, isIntent } from '../ledger/entry.ts';
import type { LineResult } from '../run/items.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import { judgeGiveBack } from './give-back.ts';
import { type Holding, remembered } from './intents.ts';
import { carriesOurMark } from './judge.ts';
import type { ShownChange } from './op.ts';
import { deletion, effectOf, givingBack, isEdited, newestFirst, undoRequest } from './removal-effects.ts';
import { undoTodo } from './undo-deed.ts';

/** What it takes to look at what a line holds. */
export type Looking = Pick<Holding, 'world' | 'run' | 'scope' | 'ledger' | 'callOf'>;

/** What removing a line's entries would do. */
export interface Removal {
  /** As people approve them; of what is only forgotten there is none. */
  readonly effects: readonly Effect[];
  /** As they are shown, newest entry first: the order in which they would go. */
  readonly changes: readonly ShownChange[];
  /** What would be left where it is, each with the reason. */
  readonly left: readonly string[];
  /** What would be deleted although somebody edited it since. */
  readonly edited: readonly string[];
  /** What a person would have to undo first. */
  readonly manual?: NonNullable<LineResult['manual']>;
}

type Fate = Partial<{ readonly [K in 'effect' | 'change']: Removal[`${K}s`][number] }> & {
  readonly left?: string;
  readonly edited?: string;
  readonly manual?: NonNullable<LineResult['manual']>;
};

/**
 * What removing entries of a line would do by what is live now, judged entry by entry as `undoLine` does. Nothing is written.
 *
 * @throws LockkeeperError when a provider cannot be asked.
 */
export async function removalOf(looking: Looking, only: (entry: Entry) => boolean): Promise<Removal> {
  const fates: Fate[] = [];
  for (const entry of newestFirst(looking.ledger, only)) fates.push(await fateOf(looking, entry));
  const manual = fates.find((fate) => fate.manual)?.manual;
  return {
    effects: fates.flatMap(({ effect }) => effect ?? []).sort((a, b) => (a.address < b.address ? -1 : 1)),
    changes: fates.flatMap(({ change }) => change ?? []),
    left: fates.flatMap(({ left }) => left ?? []),
    edited: fates.flatMap(({ edited }) => edited ?? []),
    ...(manual ? { manual } : {}),
  };
}

async function fateOf(looking: Looking, entry: Entry): Promise<Fate> {
  if (isDeed(entry)) return fateOfDeed(looking, entry);
  const claim = await readClaim(looking.world, entry);
  const isOurs = claim?.scope === looking.scope && claim.line === looking.ledger.line;
  // Without a claim it is a copy and is only forgotten; an intent may have lost its own, and takes it again.
  if (!isOurs && !(isIntent(entry) && claim === undefined)) return {};
  return entry.createdBy === 'adopted' ? fateOfAdopted(looking, entry) : fateOfOwn(looking, entry);
}

async function fateOfOwn({ world, callOf }: Looking, entry: Entry): Promise<Fate> {
  const { op, call } = await callOf(entry);
  const live = await op.lookup(remembered(isIntent(entry) ? { ...entry, id: undefined } : entry), call);
  if (!live) return {};
  if (live.moved) return { left: `${entry.label} (moved outside)` };
  const found = fingerprint(world.keys.fingerprint, live.hash);
  if (isIntent(entry) && !carriesOurMark(entry, live, found)) return {};
  return { effect: deletion(entry, found), change: changeOf(entry, 'delete'), ...(isEdited(entry, found) ? { edited: entry.label } : {}) };
}

async function fateOfAdopted(looking: Looking, entry: Entry): Promise<Fate> {
  const judged = await judgeGiveBack(looking, entry);
  if ('says' in judged) return { left: `${entry.label} (${judged.says})` };
  return { effect: givingBack(entry, judged.found), change: changeOf(entry, 'update') };
}

function fateOfDeed({ world, run, ledger }: Looking, entry: Entry): Fate {
  if (entry.manual?.undo !== undefined) {
    const manual = undoTodo(world, run, ledger.line, entry.manual.title, entry.manual.undo);
    return { effect: { ...effectOf(entry, 'todo'), after: manual.shown }, manual };
  }
  return entry.action?.undo === undefined ? {} : { effect: undoRequest(world, entry), change: changeOf(entry, 'delete') };
}

const changeOf = ({ key, label }: Entry, kind: ShownChange['kind']): ShownChange => ({ key, label, kind, fields: [] });
