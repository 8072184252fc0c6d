import type { ToolPurpose } from '../ports/tool-runner.ts';
import type { LinePhase } from '../run/items.ts';
import type { StateMark, ToolFailureCause } from './tool-work.ts';

/**
 * A tool job as it is written down before it is started (P9): in the ledger line for an apply, so that whoever has the lease next meets it
 * while sealing; in the run's line for a plan, which writes nothing. A redelivery finds it and polls instead of starting a second one.
 */
export interface ToolRecord {
  readonly token: string;
  readonly purpose: ToolPurpose;
  readonly run: string;
  /** Which work of the run it does: of another round or phase it is a job that nobody waits for. */
  readonly round: number;
  readonly phase: LinePhase;
  /** Which stack it works on, as the hash of its identity: a line may hold several, and takes them down one after the other. */
  readonly stack?: string;
  /** Of the lease it was started under; absent for a plan. */
  readonly fence?: number;
  /** By the clock of who started it, epoch ms. */
  readonly started: number;
  /** When whoever polls stops waiting and ends it, epoch ms. */
  readonly deadline: number;
  /** The runner's id, as it answered the start. The one at work is the one that the mailbox's `hello` names. */
  readonly job?: string;
  /** Its result was taken, or it was ended: nothing of it can write any more. Kept, so that a repeated job finds its own result instead of running again. */
  readonly ended?: number;
  /** Its answer was that it can be tried again, so that the work goes on with another job: since when it has been, epoch ms, and how often. */
  readonly again?: Retried;
  /** Jobs of the same work that came to nothing before this one. */
  readonly after?: Retried;
}

/** Work that was begun anew because a job of it came to nothing. */
export interface Retried {
  readonly since: number;
  /** When the last of them had come to nothing, epoch ms; what an older version noted has none. */
  readonly at?: number;
  readonly times: number;
}

/** Why there is no answer of a job. `not-begun`: it never got its work, so no tool has run. `gone`: it had its work, and nobody knows what it did. */
export type Lost = 'not-begun' | 'timed-out' | 'stopped' | 'gone';

/**
 * What became of a job whose run did not hear it: ended by the next holder of the lease, or by a later round of its own. The line tells it
 * the next time it reports, and reads the stack's state back. Never a value.
 */
export interface LeftJob {
  readonly run: string;
  readonly token: string;
  /** When it was found, epoch ms. */
  readonly at: number;
  readonly did: 'applied' | 'planned' | 'failed' | Exclude<Lost, 'not-begun'>;
  readonly cause?: ToolFailureCause;
  readonly state?: StateMark;
  /** Addresses of what it did and did not do, where it broke off and said so; as many as {@link firstTold} lets through, as of what it made. */
  readonly done?: readonly string[];
  readonly notDone?: readonly string[];
  /** Addresses of what it made, or half made, as far as that is known. */
  readonly made?: readonly string[];
}

/** A ledger item has room for so many addresses beside what it holds, and for so many characters of them: a key may be a whole document. */
const [mostTold, mostCharacters] = [200, 32 * 1024];

/** The first of the addresses that a job told: as many as a ledger item has room for. */
export function firstTold(addresses: readonly string[]): string[] {
  let room = mostCharacters;
  const first: string[] = [];
  for (const address of addresses.slice(0, mostTold)) {
    room -= address.length;
    if (room < 0) break;
    first.push(address);
  }
  return first;
}

/** Whether a job may still be at work under this record. */
export const isOpen = (record: ToolRecord | undefined): record is ToolRecord => record !== undefined && record.ended === undefined;
