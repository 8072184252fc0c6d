import type { Box } from '../dashboard/box.ts';

/** A box of a row: what the plan would change, or what was edited outside and is put back. */
export type RowBox = Exclude<Box, 'rescan'>;

/**
 * What a run was ticked for, and is bound to. It does nothing but what the digest stands for, and only while that is still what there is to do.
 * Everything of it was looked up in the row: nothing is taken from the text that was ticked.
 */
export interface Ticked {
  readonly box: RowBox;
  /** Of a stack's own row: its line. */
  readonly line?: string;
  /** Of what the box showed: the bucket has it under this name, effect by effect (`findEffects`). */
  readonly digest: string;
  /** GitHub login of whoever ticked first. */
  readonly by: string;
  /** When, ISO 8601. */
  readonly at: string;
  /** The tick that started it, by the sort key of its item. */
  readonly tick: string;
  /** Until when its run may begin to write, epoch ms. */
  readonly expiresAt: number;
}
