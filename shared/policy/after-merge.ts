/** What a pull request may have looked at of an environment that only its merge writes. Its plan file is nobody's word yet. */
import type { ActiveLine } from '../plan/types.ts';
import { type EventRun, inEnvironment, runsFor } from './policy.ts';
import type { Policy } from './types.ts';

/** Whether policy lets anything of an environment be looked at before the merge: with what can only read, or with nothing at all. */
export function isPlannedBefore(policy: Policy, environment: string): boolean {
  const { readCredentials, planOnPullRequest } = inEnvironment(policy, environment);
  return planOnPullRequest || Object.keys(readCredentials).length > 0;
}

/** The plans and environments that a merge would write and the pull request itself does not. */
export function mergeRuns(policy: Policy, defaultBranch: string): readonly EventRun[] {
  const before = new Set(runsFor(policy, { kind: 'pull_request' }).map(({ plan, environment }) => JSON.stringify([plan, environment])));
  return runsFor(policy, { kind: 'push', branch: defaultBranch, defaultBranch }).filter(
    ({ plan, environment }) => !before.has(JSON.stringify([plan, environment])),
  );
}

/**
 * Why a line is not looked at before the merge; undefined where it is. No secret is opened for it, and no credential but those that policy
 * names as able to read alone.
 *
 * @param variables the credentials its op takes.
 * @param isStack whether its op runs an infrastructure tool.
 */
export function whyDeferred(policy: Policy, environment: string, line: ActiveLine, variables: readonly string[], isStack = false): string | undefined {
  const { readCredentials, planOnPullRequest } = inEnvironment(policy, environment);
  if (isStack && !planOnPullRequest) return 'its tool would run the code of the pull request';
  const reaches = line.adapter === 'http' || (line.adapter === 'manual' && line.params['verify'] !== undefined);
  if (reaches && !planOnPullRequest) return 'the plan file says where it reaches';
  if (line.secrets.length > 0) return 'it takes a secret';
  const missing = variables.find((variable) => !Object.hasOwn(readCredentials, variable));
  return missing === undefined ? undefined : `policy names no credential that can only read for ${missing}`;
}
