import { createHash } from 'node:crypto';

/** What a tick asks for: the pending changes of a row, its drift put back, or a fresh look at everything. */
export type Box = 'apply' | 'repair' | 'rescan';

/**
 * A box as it was rendered: hidden in the body beside it. A tick is taken for exactly this; whatever of it does not stand in the row any more
 * starts nothing.
 */
export interface BoxMarker {
  readonly box: Box;
  /** Empty for `rescan`, which is about the whole repository. */
  readonly plan: string;
  readonly environment: string;
  /** Of a stack's own row: its line. */
  readonly line?: string;
  /** The run whose look the digest comes from. */
  readonly run: string;
  /** SHA-256, hex, of what a tick approves. */
  readonly digest: string;
  /** How often this box has been ticked and answered before: a box that was cleared is another one. */
  readonly no: number;
}

/**
 * One box is one text: the sort key of its tick, behind `TICK#`. Whoever ticks a box that somebody else has ticked has a tick of their own.
 *
 * @param one `again`: whose, and of when.
 */
export const boxId = ({ box, plan, environment, line, digest, run, no, again }: BoxMarker & { readonly again?: string }): string =>
  [box, plan, environment, digest, run, String(no), ...(line === undefined ? [] : [`line=${line}`]), ...(again === undefined ? [] : [again])]
    .map(encodeURIComponent)
    .join('#');

/** The rescan box comes from no run. */
export const rescanRun = 'all';

/** Digest of the rescan box: there is nothing to approve, so it is one and the same for a repository. */
export const rescanDigest = (repository: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['rescan', repository, rescanRun]))
    .digest('hex');

/** A box but for how often it was answered. */
export const answeredKey = ({ box, plan, environment, line, run, digest }: Omit<BoxMarker, 'no'>): string =>
  JSON.stringify([box, plan, environment, run, digest, ...(line === undefined ? [] : [line])]);
