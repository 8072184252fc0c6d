import type { Item } from '../ports/table.ts';
import { isRecord, isText, refuseDamaged } from '../table/damaged.ts';
import type { BoxMarker } from './box.ts';

/**
 * Where a tick stands. `asked`: a person's, and nobody has judged it yet. `nameless`: it stands in the body and nobody can say whose it is.
 * `working`: it started a run, or is a decision on one. The others are final: the box is cleared, and may be ticked again.
 */
export type TickState = 'asked' | 'nameless' | 'working' | 'done' | 'refused' | 'expired' | 'withdrawn';

/** One tick of one box: the item `DASH#<repository>` / `TICK#<box id>`, written once. */
export interface Tick extends BoxMarker {
  readonly repository: string;
  /** Whose edit ticked it, as the host's history of the issue tells. Absent: nameless. */
  readonly by?: { readonly login: string; readonly type: string };
  /** When it was ticked, by the host's clock, ISO 8601, to the second. */
  readonly at: string;
  /** The newest of its person's ticks of this box that it is, where they ticked again before it was answered. */
  readonly last?: string;
  /** Of a further tick of a box that was ticked before: whose, and of when. Absent: the first one. */
  readonly again?: string;
  /** The box had been answered when this tick of it was saved, in a page that was opened before: what it showed is not what stands there. */
  readonly late?: true;
  readonly state: TickState;
  /** The run that it started, or that it decided about. */
  readonly started?: string;
  /** What its person is told, masked, as Markdown; told once, in a comment that names them. */
  readonly say?: string;
  /** The sweep looks after it: it stands, or was answered and the dashboard does not show that yet. */
  readonly status?: 'ticked';
  /** The comment that told it has been written. */
  readonly told?: true;
  readonly version: string;
}

/** Whether its box is still shown ticked. */
export const isStanding = ({ state }: Pick<Tick, 'state'>): boolean => state === 'asked' || state === 'nameless' || state === 'working';

/** @throws LockkeeperError RECEIPT_VERSION, RECEIPT_CORRUPT. */
export function tickOf(item: Item): Tick {
  refuseDamaged(
    item,
    `Item ${item.pk} ${item.sk}`,
    1,
    ({ box, digest, state, version }) => isText(box) && isText(digest) && isText(state) && isText(version) && isRecord(item),
  );
  return item as unknown as Tick;
}
