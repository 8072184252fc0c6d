import type { Repository } from '../ports/code-host.ts';
import type { Item } from '../ports/table.ts';

/** What is known of a repository's dashboard issue: the item `DASH#<repository>` / `ISSUE`. It is there once the dashboard was turned on. */
export interface IssueItem {
  readonly repository: Repository;
  /** Absent: not made yet. */
  readonly number?: number;
  /** What has to be shown and is not: renewed by whoever changed something, taken away by the writer that found it unchanged after its write. */
  readonly dirty?: string;
  /** Since when, ISO 8601: the sweep finds it by `status` and this. */
  readonly since?: string;
  readonly status?: 'unshown';
  /** Until when a writer is at work, epoch ms. */
  readonly writing?: number;
  /** When the body was last written, epoch ms, and how often in the hour that began at `hour`. */
  readonly wroteAt?: number;
  readonly hour?: number;
  readonly writes?: number;
  /** The newest entry of the issue's edit history that was looked at, ISO 8601. */
  readonly looked?: string;
  /** Nothing can be shown: why, as a code, and since when. */
  readonly problem?: { readonly code: 'ISSUES_OFF'; readonly since: string };
  /** Policy has turned the dashboard off, and the issue says so: since when, ISO 8601. */
  readonly off?: string;
  readonly version?: string;
}

export const issueItemOf = (item: Item | undefined): IssueItem | undefined => item as unknown as IssueItem | undefined;
