import { type Shown, shownOf } from '../../../shared/drift/readers/show.ts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { quoted } from '../../../shared/errors/quoted.ts';
import { inEnvironment, usualEnvironments } from '../../../shared/policy/policy.ts';
import { policyPath } from '../../../shared/policy/policy-file.ts';
import type { Invocation } from '../invocation.ts';
import { policyFileIn } from '../policy-file.ts';

/**
 * The attributes whose values may be shown: listed with --show, and by policy for the environment that --env names.
 *
 * @throws LockkeeperError USAGE, POLICY_INVALID.
 */
export function shownIn({ show = [], env }: Pick<Invocation, 'show' | 'env'>, cwd: string): Shown[] {
  const typed = show.map((text) => {
    const shown = shownOf(text);
    if (shown !== undefined) return shown;
    const message = `--show takes a resource type, a # and a path in it, and not ${quoted(text)}.`;
    throw new LockkeeperError({ code: 'USAGE', message, hint: "As in --show 'aws_instance#tags.Name'." });
  });
  if (env === undefined) return typed;
  const file = policyFileIn(cwd);
  const [problem] = file?.problems ?? [];
  if (problem !== undefined) throw new LockkeeperError({ ...problem, hint: `Correct ${policyPath}: it says what may be shown.` });
  const listed = file?.policy === undefined ? [] : (inEnvironment(file.policy, env).drift.show ?? []);
  return [...typed, ...listed.flatMap((text) => shownOf(text) ?? [])];
}

/** Whether policy has a block for an environment, or it is one that there is without. */
export function knowsEnvironment(env: string, cwd: string): boolean {
  const environments = policyFileIn(cwd)?.policy?.environments ?? {};
  return usualEnvironments.includes(env) || Object.hasOwn(environments, env);
}
