import { createHash } from 'node:crypto';
import { z } from 'zod';
import { policyPath } from '../policy/policy-file.ts';
import type { CodeHost } from '../ports/code-host.ts';
import type { Run } from './items.ts';
import { isRemoval } from './report.ts';
import { saveRun } from './run-store.ts';
import type { ControlWorld } from './world.ts';

/** What the host said of a run when it was planned, with the policy as it was read last. */
const seen = z.strictObject({
  format: z.literal(1),
  /** The text of the plan file, which a removal has none of, and of `lockkeeper.yaml` where there is one. */
  plan: z.string().optional(),
  policy: z.string().optional(),
  /** Logins of whoever wrote and committed the commit. */
  authors: z.array(z.string()),
});
type Seen = z.infer<typeof seen>;

/**
 * Keeps what the host says now, for a guard that cannot ask it then. Only a deployed stack does: at a person's machine git is the host, and
 * never away. Neither file holds a secret, since no plan that names one by its value gets here.
 */
export async function storeSeen(world: ControlWorld, run: Run, source: Pick<Seen, 'plan' | 'policy'>): Promise<Pick<Run, 'seen'>> {
  if (world.stack === 'embedded' || run.plan.object !== undefined) return {};
  const authors = [...(await world.codeHost.authorsOf(run.repository, run.commit))];
  const body = JSON.stringify({ format: 1, ...source, authors } satisfies Seen);
  const object = `runs/${run.id}/seen-${run.round}-${run.step?.attempt ?? 0}.json`;
  await world.objects.put(object, body, { ifAbsent: true });
  const stored = await world.objects.get(object);
  return { seen: { object, hash: hashOf(stored?.body ?? body), policy: policyHash(source.policy) } };
}

/**
 * Keeps the policy that a later look has read in the place of the older one: whoever was taken out of it before the host fell silent must not decide
 * by what it once said.
 *
 * @returns the run as it is then. One that somebody else has moved meanwhile is read anew by whoever goes on with it.
 */
export async function keepPolicy(world: ControlWorld, run: Run, read: { readonly text?: string } | undefined): Promise<Run> {
  if (!run.seen || !read || run.seen.policy === policyHash(read.text)) return run;
  const before = await storedSeen(world, run);
  if (!before) return run;
  const { policy: _older, ...rest } = before;
  const body = JSON.stringify({ ...rest, ...(read.text === undefined ? {} : { policy: read.text }) } satisfies Seen);
  const hash = hashOf(body);
  const object = `runs/${run.id}/seen-${hash.slice(0, 32)}.json`;
  await world.objects.put(object, body, { ifAbsent: true });
  const seen = { object, hash, policy: policyHash(read.text) };
  return (await saveRun(world, run, { seen })) ?? { ...run, seen };
}

async function storedSeen({ objects }: ControlWorld, { seen: known }: Run): Promise<Seen | undefined> {
  const stored = known && (await objects.get(known.object));
  return stored && hashOf(stored.body) === known.hash ? seen.parse(JSON.parse(stored.body)) : undefined;
}

const policyHash = (text: string | undefined): string => (text === undefined ? 'none' : hashOf(text));

const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/**
 * The host as it was when a run was planned: its branch or pull request where it was, its authors, and the policy as it was read last. It knows nobody's account,
 * role or team, so that whoever is not listed by name and mapped to an AWS principal decides nothing; and whatever else is asked of it fails
 * as the host does. Undefined: nothing was kept, or it is not what was kept.
 *
 * @param away what the host's silence is told as.
 */
export async function hostAsSeen(world: ControlWorld, run: Run, away: unknown): Promise<CodeHost | undefined> {
  const stored = await storedSeen(world, run);
  if (!stored) return undefined;
  const { plan, policy, authors } = stored;
  const fails = async (): Promise<never> => {
    throw away;
  };
  // What is to go was left when it was asked about: its pull request was closed, or its branch gone.
  const removes = isRemoval(run.kind);
  const files = new Map([
    ...(plan === undefined ? [] : [[`${run.plan.path}@${run.commit}`, plan] as const]),
    ...(policy === undefined ? [] : [[`${policyPath}@${tip}`, policy] as const]),
  ]);
  return {
    unverified: true,
    repository: fails,
    file: async (_repository, path, commit) => {
      const text = files.get(`${path}@${commit}`);
      return text === undefined ? undefined : Buffer.from(text);
    },
    archive: fails,
    pullRequest: async (_repository, number) =>
      number === run.pullRequest ? { number, open: !removes, head: { sha: run.commit, branch: run.branch, fork: false } } : fails(),
    pullRequestsAt: fails,
    openPullRequests: fails,
    mergedPullRequest: fails,
    // What a pull request changes of the policy nobody can tell now: it is said when the host is asked again.
    mergeBase: async () => 'as-parted',
    comment: fails,
    branchTip: async (_repository, branch) => (branch !== run.branch ? fails() : removes ? undefined : run.commit),
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
