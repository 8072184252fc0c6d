/** A box of a dashboard's row: what the plan would change, or what was edited outside and is put back. */
export type Box = 'apply' | 'repair';

/**
 * What a run was ticked for, and is bound to. It does nothing but what the digest stands for, and only while that is still what there is to do.
 * Everything of it was looked up in the row: nothing is taken from the text that was ticked.
 */
export interface Ticked {
  readonly box: Box;
  /** Of what the box showed: the bucket has it under this name (`findEffects`). */
  readonly digest: string;
  /** The run that the row had it from. */
  readonly issued: string;
  /** GitHub login of whoever ticked first. */
  readonly by: string;
  /** When, ISO 8601. */
  readonly at: string;
  /** Until when its run may begin to write, epoch ms. */
  readonly expiresAt: number;
}
