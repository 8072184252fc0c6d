import type { Intake } from '../../events/intake.ts';

/** What starts runs: an id that makes the same event start the same runs, and whose doing it was. */
export interface Cause {
  readonly start: string;
  readonly by: string;
}

export const causeOf = ({ id, sender }: Intake): Cause => ({ start: id, by: sender.login });
