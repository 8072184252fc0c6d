/** What a policy says: the defaults where it is silent, and the answers runs ask for. */
import { durationMs } from './duration.ts';
import { isPrincipal } from './principal.ts';
import { type PolicyContent, usualExpires } from './schema.ts';
import type { Approver, EnvironmentPolicy, PlanEvents, Policy } from './types.ts';

/** The environments there are without anybody declaring them. */
export const usualEnvironments: readonly string[] = ['preview', 'production'];
/** The one environment that is protected whatever anybody configures. */
export const alwaysProtected = 'production';

const usualPlan: NonNullable<PolicyContent['plans']>[number] = { name: 'main', path: 'release.plan.yaml' };
const usualEnvironment: EnvironmentPolicy = { protected: false, expiresMs: durationMs(usualExpires), httpHosts: [] };

/** The policy of a file's content; without a file, the policy of nothing said (`policyOf()`). */
export function policyOf(content: PolicyContent = { version: 1 }): Policy {
  const everywhere = eventsOf(content.events, { pullRequest: ['preview'], push: ['production'] });
  return {
    ...(content.stack !== undefined && { stack: content.stack }),
    plans: (content.plans ?? [usualPlan]).map((plan) => ({
      name: plan.name,
      path: plan.path,
      events: eventsOf(plan.events, everywhere),
    })),
    environments: Object.fromEntries(Object.entries(content.environments ?? {}).map(([name, block]) => [name, environmentOf(block)])),
  };
}

function eventsOf(said: PolicyContent['events'], otherwise: PlanEvents): PlanEvents {
  return { pullRequest: said?.pull_request ?? otherwise.pullRequest, push: said?.push ?? otherwise.push };
}

type EnvironmentContent = NonNullable<PolicyContent['environments']>[string];

function environmentOf({ expires, http_hosts, approvers, secrets, providers, ...said }: EnvironmentContent): EnvironmentPolicy {
  return {
    protected: said.protected ?? usualEnvironment.protected,
    ...(approvers && { approvers: approvers.map(({ github, aws }) => ({ github, ...(aws !== undefined && { aws }) })) }),
    expiresMs: durationMs(expires ?? usualExpires),
    ...(secrets && { secrets }),
    ...(providers && { providers: providers as NonNullable<EnvironmentPolicy['providers']> }),
    httpHosts: http_hosts ?? usualEnvironment.httpHosts,
  };
}

/** What holds in an environment, whether the file names it or not. An environment may have any name, `constructor` too. */
export const inEnvironment = (policy: Policy, environment: string): EnvironmentPolicy =>
  (Object.hasOwn(policy.environments, environment) ? policy.environments[environment] : undefined) ?? usualEnvironment;

/** Whether a person decides before anything is written there. */
export const isProtected = (policy: Policy, environment: string): boolean => environment === alwaysProtected || inEnvironment(policy, environment).protected;

/** Who may decide there. Undefined: whoever has `maintain` or `admin` on the repository, looked up live. */
export const approversOf = (policy: Policy, environment: string): readonly Approver[] | undefined => inEnvironment(policy, environment).approvers;

/** The logins that may decide in every one of these environments, as far as policy lists any; undefined where it lists nobody. */
export function approversOfAll(policy: Policy, environments: readonly string[]): readonly string[] | undefined {
  const lists = environments.flatMap((environment) => {
    const listed = approversOf(policy, environment);
    return listed ? [listed.map(({ github }) => github)] : [];
  });
  const [first, ...others] = lists;
  return first?.filter((login) => others.every((list) => list.some((one) => one.toLowerCase() === login.toLowerCase())));
}

/** How long a question of that environment stays open, ms. */
export const expiresOf = (policy: Policy, environment: string): number => inEnvironment(policy, environment).expiresMs;

/**
 * The GitHub login of the person behind an AWS principal, as `sts:GetCallerIdentity` names it; undefined for one that nobody is
 * mapped to. A principal is one person in the whole file. Whether that person may decide here is another question.
 */
export function personBehind(policy: Policy, caller: string): string | undefined {
  const approvers = Object.values(policy.environments).flatMap((environment) => environment.approvers ?? []);
  return approvers.find(({ aws }) => aws !== undefined && isPrincipal(aws, caller))?.github;
}

/** What happened in the repository, as far as policy asks. */
export type PolicyEvent = { readonly kind: 'pull_request' } | { readonly kind: 'push'; readonly branch: string; readonly defaultBranch: string };

/** One run that an event starts: name and path of the plan, and the environment it touches. */
export interface EventRun {
  readonly plan: string;
  readonly path: string;
  readonly environment: string;
}

/** Every run an event starts, in the order of the file. A push to any branch but the default one starts none. */
export function runsFor(policy: Policy, event: PolicyEvent): readonly EventRun[] {
  if (event.kind === 'push' && event.branch !== event.defaultBranch) return [];
  return policy.plans.flatMap(({ name, path, events }) =>
    (event.kind === 'push' ? events.push : events.pullRequest).map((environment) => ({ plan: name, path, environment })),
  );
}
