import { setTimeout } from 'node:timers/promises';
import { readLease } from '../../../shared/lease/lease.ts';
import type { LedgerLine } from '../../../shared/ledger/entry.ts';
import { readLedger } from '../../../shared/ledger/ledger-line.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { ulids } from '../../../shared/platform/ids.ts';
import type { Run } from '../../../shared/run/items.ts';
import type { RunReport } from '../../../shared/run/report.ts';
import { scopeKey } from '../../../shared/table/keys.ts';
import type { Delivery } from '../../sim/github/deliver.ts';
import type { CheckRun, Comment } from '../../sim/github/state.ts';
import { demo } from '../../sim/seed.ts';
import type { LoggedWrite } from '../../sim/wire/log.ts';
import { rests } from '../house.ts';
import { check, StoryFailed } from './expect.ts';
import type { Pull, StoryWorld } from './world.ts';

/** What people do in the story, and what can be seen afterwards. */

/** Pushes a branch; opens its pull request the first time. GitHub tells Lockkeeper, and has its answer. */
export async function push(
  world: StoryWorld,
  branch: string,
  title: string,
  files: Readonly<Record<string, string>>,
): Promise<{ pull: Pull; delivery: Delivery }> {
  const { control } = world.house.sim;
  const known = world.pulls.get(branch);
  const { sha } = control.edit('github.push', { branch, files: { ...files }, message: title });
  const number = known?.number ?? control.edit('github.open', { branch, title }).number;
  const pull = { number, branch, sha, title: known?.title ?? title };
  world.pulls.set(branch, pull);
  const hook = known ? control.webhook('pull_request.synchronize', { number, before: known.sha }) : control.webhook('pull_request.opened', { number });
  const delivery = await control.deliver(world.house.webhookUrl, hook, world.house.webhookSecret);
  check(delivery.status === 202, 'the webhook handler accepts a signed delivery', delivery);
  return { pull, delivery };
}

export function pullOf(world: StoryWorld, branch: string): Pull {
  const pull = world.pulls.get(branch);
  if (!pull) throw new StoryFailed(`the story has no pull request of ${branch} yet`);
  return pull;
}

export const scopeOf = (pull: Pull): string =>
  scopeKey({ repository: String(demo.repositoryId), plan: 'main', environment: 'preview', scope: `pr-${pull.number}` });

/** The newest run of a commit once it stands as `when` says. @throws StoryFailed with where it stands when it does not. */
export async function runOf(world: StoryWorld, commit: string, when: (run: Run) => boolean = rests, withinMs = 90_000): Promise<Run> {
  const end = Date.now() + withinMs;
  for (;;) {
    const [run] = await world.house.runs({ commit });
    if (run && when(run)) return run;
    if (Date.now() > end) throw new StoryFailed(`the run of ${commit.slice(0, 7)} does not get where it should: ${whereabouts(run)}`);
    await setTimeout(25);
  }
}

const whereabouts = (run: Run | undefined): string => (run ? `it is ${run.phase}, round ${run.round}, ${run.outcome ?? 'no outcome yet'}` : 'there is none');

export async function reportOf(world: StoryWorld, run: Run): Promise<RunReport> {
  const object = run.report === undefined ? undefined : await world.house.objects.get(run.report);
  check(object !== undefined, `run ${run.id} has a stored report`);
  return JSON.parse(object.body) as RunReport;
}

/** Status of each line, by id. */
export const statuses = (report: RunReport): Record<string, string> => Object.fromEntries(report.lines.map((line) => [line.id, line.status]));

export const ledgerOf = (world: StoryWorld, pull: Pull): Promise<LedgerLine[]> => readLedger(world.house.table, scopeOf(pull));

export const readScopeLease = ({ house: { table } }: StoryWorld, scope: string) =>
  readLease({ table, ids: ulids(), clock: systemClock, timing: { leaseTtl: 0, skew: 0 } }, scope);

export const leaseOf = (world: StoryWorld, pull: Pull) => readScopeLease(world, scopeOf(pull));

export const commentsOf = (world: StoryWorld, pull: Pull): Comment[] =>
  (world.house.sim.state().github.repositories[0]?.comments ?? []).filter((comment) => comment.issue === pull.number);

/** The checks of a commit, but the one that tells what merging it would do. */
export const checksOf = (world: StoryWorld, sha: string): CheckRun[] =>
  (world.house.sim.state().github.repositories[0]?.checks ?? []).filter((one) => one.sha === sha && !one.name.endsWith(' after merge'));

/** The one comment of a pull request. */
export function commentOf(world: StoryWorld, pull: Pull): string {
  const comments = commentsOf(world, pull);
  check(comments.length === 1, `pull request #${pull.number} has exactly one comment`, comments.length);
  return (comments[0] as Comment).body;
}

/** Number of the newest request that any fake has seen. */
export const mark = (world: StoryWorld): number => world.house.sim.requests().at(-1)?.at ?? 0;

/** Writes at the providers (GitHub is no provider) after a mark. */
export const writesSince = (world: StoryWorld, since: number): LoggedWrite[] =>
  world.house.sim.writes({ since }).filter((write) => write.provider !== 'github');

export const branchNames = (world: StoryWorld): string[] => (world.house.sim.state().neon.projects[0]?.branches ?? []).map((branch) => branch.name);

export const variablesOf = (world: StoryWorld, branch: string): Record<string, string> =>
  Object.fromEntries(
    (world.house.sim.state().vercel.projects[0]?.variables ?? []).filter((one) => one.gitBranch === branch).map((one) => [one.key, one.value]),
  );

export const redirects = (world: StoryWorld): string[] => world.house.sim.state().clerk.redirects.map((redirect) => redirect.url);

export const short = (sha: string): string => sha.slice(0, 7);
