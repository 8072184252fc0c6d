/**
 * From the bytes of `lockkeeper.yaml` to a policy, or to every mistake in it at once. A mistake stops the run: no default ever
 * stands in for a policy that somebody wrote.
 */

import { LockkeeperError, type Problem } from '../errors/error.ts';
import { isPlainMap, kindOf } from '../errors/quoted.ts';
import { byPlace, findings } from '../yaml/findings.ts';
import { readYaml } from '../yaml/read.ts';
import { shapeProblems } from '../yaml/shape-problems.ts';
import { doubtfulShown, judgeDrift } from './drift-rules.ts';
import { doubtful, doubtfulAdapters, judgeNames } from './name-rules.ts';
import { judgeNumbers, usualLeastLeaseMs } from './number-rules.ts';
import { policyOf } from './policy.ts';
import { policyFile, policyPath } from './policy-file.ts';
import { judgeMembers, judgePrincipals } from './principal-rules.ts';
import { policySchema } from './schema.ts';
import type { Policy } from './types.ts';

/** `policy` is there exactly when `problems` is empty. Both lists are in the order of the file; every problem is `POLICY_INVALID`. */
export interface PolicyRead {
  readonly policy?: Policy;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** What a reader of the file may know beyond it. */
export interface PolicyLimits {
  /** The adapters there are: names of others are doubted. */
  readonly adapters?: readonly string[];
  /** What lines make, as `<adapter>.<op>`: others like them are doubted. */
  readonly types?: readonly string[];
  /** The shortest lease of the stack that will run by this policy, ms: five minutes, or nine times its line time-out where that is longer (P3). */
  readonly leastLeaseMs?: number;
}

/** Reads a policy file; `file` is its name in messages. Never throws: whatever the bytes are, the answer says what is wrong with them. */
export function readPolicy(bytes: Uint8Array | string, file: string, { adapters, types, leastLeaseMs = usualLeastLeaseMs }: PolicyLimits = {}): PolicyRead {
  const read = readYaml(bytes, file, policyFile);
  if ('problems' in read) return { problems: read.problems, warnings: [] };
  const { value, positionOf, problems, warnings } = read.tree;
  if (!isPlainMap(value)) {
    if (problems.length > 0) return { problems: problems.toSorted(byPlace), warnings };
    const what = value === null ? 'the policy file is empty' : `a policy file is a map, not ${kindOf(value)}`;
    const message = `${what}: start it with \`version: 1\`, or delete it to have the defaults`;
    return { problems: [{ code: 'POLICY_INVALID', message, at: positionOf([]) }], warnings };
  }

  const { add, all } = findings(problems);
  const shape = shapeProblems({ code: 'POLICY_INVALID', schema: policySchema, value, path: [], positionOf, opening: '' });
  for (const problem of shape) add(() => problem);
  judgeNames(value, positionOf, add);
  judgeDrift(value, positionOf, add);
  judgePrincipals(value, positionOf, add);
  judgeMembers(value, positionOf, add);
  judgeNumbers(value, positionOf, add, leastLeaseMs);
  const every = all();
  const strange = [
    ...(adapters === undefined ? [] : doubtfulAdapters(value, positionOf, adapters)),
    ...(types === undefined ? [] : doubtfulShown(value, positionOf, types)),
  ];
  const doubts = [...warnings, ...doubtful(value, positionOf), ...strange].toSorted(byPlace);
  if (every.length > 0) return { problems: every, warnings: doubts };
  return { policy: policyOf(policySchema.parse(value)), problems: [], warnings: doubts };
}

/**
 * The policy a run keeps to: that of the default branch's file, or of nothing said where the branch has no such file (`undefined`).
 *
 * @throws LockkeeperError POLICY_INVALID with the first mistake; `details.problems` holds them all when there are more.
 */
export function policyFrom(bytes: Uint8Array | string | undefined, limits: PolicyLimits = {}): Policy {
  if (bytes === undefined) return policyOf();
  const { policy, problems } = readPolicy(bytes, policyPath, limits);
  if (policy !== undefined) return policy;
  const [first, ...more] = problems as readonly [Problem, ...Problem[]];
  throw new LockkeeperError(more.length === 0 ? first : { ...first, details: { problems } });
}
