import { createHash } from 'node:crypto';
import { z } from 'zod';
import { policyPath } from '../policy/policy-file.ts';
import type { CodeHost } from '../ports/code-host.ts';
import type { Run } from './items.ts';
import type { LoadedPlan } from './load-plan.ts';
import type { ControlWorld } from './world.ts';

/** What the host said of a run when it was planned. */
const seen = z.strictObject({
  format: z.literal(1),
  /** The text of the plan file, and of `lockkeeper.yaml` where there is one. */
  plan: z.string(),
  policy: z.string().optional(),
  /** Logins of whoever wrote and committed the commit. */
  authors: z.array(z.string()),
});
type Seen = z.infer<typeof seen>;

/**
 * Keeps what the host says now, for a guard that cannot ask it then. Only a deployed stack does: at a person's machine git is the host, and
 * never away. Neither file holds a secret, since no plan that names one by its value gets here.
 */
export async function storeSeen(world: ControlWorld, run: Run, { source }: LoadedPlan): Promise<Pick<Run, 'seen'>> {
  if (world.stack === 'embedded' || run.plan.object !== undefined) return {};
  const authors = [...(await world.codeHost.authorsOf(run.repository, run.commit))];
  const body = JSON.stringify({ format: 1, ...source, authors } satisfies Seen);
  const object = `runs/${run.id}/seen-${run.round}-${run.step?.attempt ?? 0}.json`;
  await world.objects.put(object, body, { ifAbsent: true });
  const stored = await world.objects.get(object);
  return { seen: { object, hash: hashOf(stored?.body ?? body) } };
}

const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/**
 * The host as it was when a run was planned: its branch or pull request where it was, its policy and its authors. It knows nobody's account,
 * role or team, so that whoever is not listed by name and mapped to an AWS principal decides nothing; and whatever else is asked of it fails
 * as the host does. Undefined: nothing was kept, or it is not what was kept.
 *
 * @param away what the host's silence is told as.
 */
export async function hostAsSeen(world: ControlWorld, run: Run, away: unknown): Promise<CodeHost | undefined> {
  const stored = run.seen && (await world.objects.get(run.seen.object));
  if (!run.seen || !stored || hashOf(stored.body) !== run.seen.hash) return undefined;
  const { plan, policy, authors } = seen.parse(JSON.parse(stored.body));
  const fails = async (): Promise<never> => {
    throw away;
  };
  const files = new Map([[`${run.plan.path}@${run.commit}`, plan], ...(policy === undefined ? [] : [[`${policyPath}@${tip}`, policy] as const])]);
  return {
    unverified: true,
    repository: fails,
    file: async (_repository, path, commit) => {
      const text = files.get(`${path}@${commit}`);
      return text === undefined ? undefined : Buffer.from(text);
    },
    pullRequest: async (_repository, number) =>
      number === run.pullRequest ? { number, open: true, head: { sha: run.commit, branch: run.branch, fork: false } } : fails(),
    pullRequestsAt: fails,
    openPullRequests: fails,
    mergedPullRequest: fails,
    // What a pull request changes of the policy nobody can tell now: it is said when the host is asked again.
    mergeBase: async () => 'as-parted',
    comment: fails,
    branchTip: async (_repository, branch) => (branch === run.branch ? run.commit : fails()),
    defaultTip: async () => tip,
    ancestry: fails,
    permission: async () => 'none',
    isPerson: async () => false,
    inTeam: async () => false,
    authorsOf: async () => authors,
  };
}

/** Where the stored policy lies: no commit has that name. */
const tip = 'as-seen';
