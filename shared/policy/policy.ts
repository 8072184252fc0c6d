/** What a policy says: the defaults where it is silent, and the answers runs ask for. */
import { durationMs } from './duration.ts';
import { isPrincipal } from './principal.ts';
import { type PolicyContent, usualExpires, usualLabel, usualScan, usualTimeLimit, usualTitle } from './schema.ts';
import type { Approver, DashboardPolicy, DriftPolicy, EnvironmentPolicy, PlanEvents, Policy, SlackPlace, StacksPolicy } from './types.ts';

/** The environments there are without anybody declaring them. */
export const usualEnvironments: readonly string[] = ['preview', 'production'];
/** The one environment that is protected whatever anybody configures. */
export const alwaysProtected = 'production';

/** Every environment there is: those everybody has, and those the file names. */
export const environmentsIn = (policy: Policy): readonly string[] => [...new Set([...usualEnvironments, ...Object.keys(policy.environments)])];

const usualPlan: NonNullable<PolicyContent['plans']>[number] = { name: 'main', path: 'release.plan.yaml' };
const usualEnvironment: EnvironmentPolicy = environmentOf({});

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
    ...(content.checks !== undefined && { checks: content.checks }),
    dashboard: dashboardOf(content.dashboard),
    environments: Object.fromEntries(Object.entries(content.environments ?? {}).map(([name, block]) => [name, environmentOf(block)])),
  };
}

function eventsOf(said: PolicyContent['events'], otherwise: PlanEvents): PlanEvents {
  return { pullRequest: said?.pull_request ?? otherwise.pullRequest, push: said?.push ?? otherwise.push };
}

type EnvironmentContent = NonNullable<PolicyContent['environments']>[string];
type ApproverContent = NonNullable<EnvironmentContent['approvers']>[number];

function environmentOf({ approvers, secrets, credentials, providers, recheck, slack, lease_ttl, stacks, ...said }: EnvironmentContent): EnvironmentPolicy {
  return {
    protected: said.protected ?? false,
    ...(approvers && listedIn(approvers)),
    required: said.required ?? 1,
    allowSelf: said.allow_self ?? false,
    ...(recheck !== undefined && { recheck }),
    ciOnly: said.ci_only ?? false,
    expiresMs: durationMs(said.expires ?? usualExpires),
    ...(secrets && { secrets }),
    ...(credentials && { credentials }),
    readCredentials: said.read_credentials ?? {},
    ...(providers && { providers: providers as NonNullable<EnvironmentPolicy['providers']> }),
    httpHosts: said.http_hosts ?? [],
    ...(slack && { slack: { channel: slack.channel, ...(slack.mention !== undefined && { mention: slack.mention }) } }),
    ...(lease_ttl !== undefined && { leaseTtlMs: durationMs(lease_ttl) }),
    drift: driftOf(said.drift),
    planOnPullRequest: said.plan_on_pull_request ?? false,
    ...(stacks && { stacks: stacksOf(stacks) }),
  };
}

function stacksOf({ plan_role, apply_role, env = {}, secrets = {}, time_limit = usualTimeLimit }: NonNullable<EnvironmentContent['stacks']>): StacksPolicy {
  return {
    ...(plan_role !== undefined && { planRole: plan_role }),
    ...(apply_role !== undefined && { applyRole: apply_role }),
    env,
    secrets,
    timeLimitMs: durationMs(time_limit),
  };
}

/** The people and the teams of one list. Where a team is listed nobody else may decide, even while no person is. */
function listedIn(approvers: readonly ApproverContent[]): Pick<EnvironmentPolicy, 'approvers' | 'teams'> {
  const people = approvers.flatMap((one) => ('github' in one ? [one] : []));
  const teams = approvers.flatMap((one) => ('team' in one ? [one.team] : []));
  return {
    approvers: people.map(({ github, aws, slack }) => ({ github, ...(aws !== undefined && { aws }), ...(slack !== undefined && { slack }) })),
    ...(teams.length > 0 && { teams }),
  };
}

function driftOf({
  enabled = false,
  notify = true,
  schedule = usualScan,
  lines,
  ignore = [],
  show,
}: NonNullable<EnvironmentContent['drift']> = {}): DriftPolicy {
  const ignored = ignore.map(({ reason, ...of }) => ({ ...given(of), reason }));
  return { enabled, scheduleMs: durationMs(schedule), ...(lines && { lines }), notify, ignore: ignored, ...(show && { show }) };
}

/** Only what is there: a key without a value is another thing than no key. */
const given = <T extends object>(of: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };

function dashboardOf({ enabled, label = usualLabel, title = usualTitle, pictures }: NonNullable<PolicyContent['dashboard']> = {}): DashboardPolicy {
  return { ...(enabled !== undefined && { enabled }), label, title, ...(pictures !== undefined && { pictures: pictures.replace(/\/$/, '') }) };
}

/** Whether the repository has a dashboard issue: where it says so, or, with nothing said, where any environment is scanned for drift. */
export const hasDashboard = ({ dashboard, environments }: Policy): boolean =>
  dashboard.enabled ?? Object.values(environments).some(({ drift }) => drift.enabled);

/** What holds in an environment, whether the file names it or not. An environment may have any name, `constructor` too. */
export const inEnvironment = (policy: Policy, environment: string): EnvironmentPolicy =>
  (Object.hasOwn(policy.environments, environment) ? policy.environments[environment] : undefined) ?? usualEnvironment;

/** Whether a person decides before anything is written there. */
export const isProtected = (policy: Policy, environment: string): boolean => environment === alwaysProtected || inEnvironment(policy, environment).protected;

/** Who may decide there. Undefined: whoever has `maintain` or `admin` on the repository, looked up live. */
export const approversOf = (policy: Policy, environment: string): readonly Approver[] | undefined => inEnvironment(policy, environment).approvers;

/**
 * Whom people are told to ask: the logins, and the teams as `team acme/releases`, that may decide in every one of these environments as
 * far as the file tells; undefined where it lists nobody. Who is in a team the file does not tell.
 */
export function approversOfAll(policy: Policy, environments: readonly string[]): readonly string[] | undefined {
  const lists = environments.flatMap((environment) => {
    const people = approversOf(policy, environment)?.map(({ github }) => github);
    const teams = teamsOf(policy, environment).map((team) => `team ${team}`);
    return people ? [{ names: [...people, ...teams], teams: teams.length > 0 }] : [];
  });
  const named = [...new Map(lists.flatMap(({ names }) => names.map((name) => [name.toLowerCase(), name]))).values()];
  const may = (name: string) =>
    lists.every(({ names, teams }) => teams || name.startsWith('team ') || names.some((one) => one.toLowerCase() === name.toLowerCase()));
  return lists.length === 0 ? undefined : named.filter(may);
}

/** What people are told of how many must approve, and whether one's own counts: the strictest of these environments. */
export const quorumOf = (policy: Policy, environments: readonly string[]): { readonly required: number; readonly allowSelf: boolean } => ({
  required: Math.max(1, ...environments.map((environment) => inEnvironment(policy, environment).required)),
  allowSelf: environments.every((environment) => inEnvironment(policy, environment).allowSelf),
});

/** The teams whose active members may decide there, too. */
export const teamsOf = (policy: Policy, environment: string): readonly string[] => inEnvironment(policy, environment).teams ?? [];

/**
 * Whether a run of these environments looks at every line again after the decision (R4.16): what the file says wins in either
 * direction, else yes where runs come from CI alone. Of several environments, one that is rechecked has the run rechecked.
 */
export const recheckIn = (policy: Policy, environments: readonly string[]): boolean =>
  environments.some((environment) => {
    const { recheck, ciOnly } = inEnvironment(policy, environment);
    return resolveRecheck(recheck, ciOnly);
  });

export const resolveRecheck = (explicit: boolean | undefined, ciOnly: boolean): boolean => explicit ?? ciOnly;

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

/**
 * The GitHub login of the person a Slack member is; undefined for one that nobody is mapped to. A member is one person in the whole
 * file. Whether that person may decide here is another question.
 */
export function personInSlack(policy: Policy, member: string): string | undefined {
  const approvers = Object.values(policy.environments).flatMap((environment) => environment.approvers ?? []);
  return approvers.find(({ slack }) => slack === member)?.github;
}

/** Where in Slack the questions of a run of these protected environments are put: the first that says so. A run has one card. */
export const slackOf = (policy: Policy, environments: readonly string[]): SlackPlace | undefined =>
  environments.map((environment) => inEnvironment(policy, environment).slack).find((place) => place !== undefined);

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
