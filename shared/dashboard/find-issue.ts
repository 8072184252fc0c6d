import type { DashboardPolicy } from '../policy/types.ts';
import type { HostIssues, Issue, Repository } from '../ports/code-host.ts';
import { rootPattern } from './marker.ts';

/** What a repository's issue is found and made with. */
export interface Sought {
  readonly issues: HostIssues;
  readonly repository: Repository;
  readonly policy: DashboardPolicy;
  /** The one it was, where there was one. */
  readonly known?: number | undefined;
}

/**
 * The dashboard issue: the known one while it is there, else the open one with the lowest number that is ours, else the newest closed one, which
 * is opened again. Of several open ones the others are closed, so that nobody ticks what nobody reads. Undefined: there is none.
 */
export async function findIssue({ issues, repository, policy, known }: Sought): Promise<Issue | undefined> {
  const at = known === undefined ? undefined : await issues.read(repository, known);
  if (at) return opened(issues, repository, at);
  const all = await issues.find(repository, policy.label, rootPattern);
  const [first, ...others] = all.filter(({ open }) => open);
  for (const other of others) await issues.write(repository, other.number, { open: false });
  const found = first ?? all.toSorted((a, b) => b.number - a.number)[0];
  return found && opened(issues, repository, found);
}

/** Closing the issue is no way to turn it off: policy is. */
async function opened(issues: HostIssues, repository: Repository, issue: Issue): Promise<Issue> {
  if (!issue.open) await issues.write(repository, issue.number, { open: true });
  return { ...issue, open: true };
}

/** Makes the issue with its first body. */
export const makeIssue = ({ issues, repository, policy: { title, label } }: Sought, body: string): Promise<Issue> =>
  issues.create(repository, { title, label, body, marker: rootPattern });
