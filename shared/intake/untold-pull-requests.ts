import { createHash } from 'node:crypto';
import type { IntakeOf } from '../../events/intake.ts';
import type { Code } from '../errors/codes.ts';
import { problemOf } from '../errors/error.ts';
import type { OpenPullRequest, Repository } from '../ports/code-host.ts';
import type { Run } from '../run/items.ts';
import { knownRepositories } from '../run/known-repository.ts';
import type { ControlWorld } from '../run/world.ts';
import { absent } from '../table/condition.ts';
import { runKey } from '../table/keys.ts';
import { write } from '../table/write.ts';

/** How far back a pull request must have changed: an installation must not release every old one, and a lost event is a recent one. */
const oldest = 3 * 24 * 3_600_000;
/** What changed just now is still being told. */
const patience = 10 * 60_000;
/** Of one look: repositories asked, intakes recorded, latest runs of a repository read. */
const most = { repositories: 50, intakes: 20, runs: 500 } as const;
/** How often the schedule looks, ms: each time at the next repositories. */
const interval = 15 * 60_000;
const ninetyDays = 90 * 24 * 3600;

/**
 * Records an intake for each open pull request whose head has no run: its event was lost, and no delivery of it is to be had. The
 * repositories are those that anything has ever come from and that are still on the allow-list.
 *
 * @param until when to stop, epoch ms. @returns how many were recorded.
 */
export async function recordUntoldPullRequests(world: ControlWorld, until: number): Promise<number> {
  if (!world.codeHost.deliveries) return 0;
  let recorded = 0;
  for (const repository of await turnOf(world)) {
    if (world.clock.now() > until || recorded >= most.intakes) break;
    for (const pull of await untoldOrNone(world, repository)) {
      if (recorded < most.intakes && (await record(world, repository, pull))) recorded += 1;
    }
  }
  return recorded;
}

/** The repositories whose turn it is. One that goes by two names is asked by both: by the old one, GitHub's answer has another id or none. */
async function turnOf(world: ControlWorld): Promise<Repository[]> {
  const all = (await knownRepositories(world.table)).filter(world.serves);
  if (all.length <= most.repositories) return all;
  const from = (Math.floor(world.clock.now() / interval) * most.repositories) % all.length;
  return [...all.slice(from), ...all].slice(0, most.repositories);
}

/** A repository that cannot be asked (the App is not installed there any more) keeps nobody from the next; a host that is away ends the look. */
async function untoldOrNone(world: ControlWorld, repository: Repository): Promise<OpenPullRequest[]> {
  try {
    return await untold(world, repository);
  } catch (error) {
    const { code } = problemOf(error);
    if (isAway(code)) throw error;
    world.log.warn('a repository cannot be asked for its pull requests', { repository: repository.id, code });
    return [];
  }
}

const isAway = (code: Code): boolean => ['PROVIDER_AGAIN', 'PROVIDER_TRANSIENT', 'PROVIDER_TIMEOUT', 'STORE_UNREACHABLE'].includes(code);

/** One request where nothing has changed lately; one more list of our own where something has. */
async function untold(world: ControlWorld, repository: Repository): Promise<OpenPullRequest[]> {
  const now = world.clock.now();
  const changed = await world.codeHost.openPullRequests(repository, now - oldest);
  const due = changed.filter(({ head, updatedAt }) => !head.fork && updatedAt <= now - patience);
  if (due.length === 0) return [];
  const listed = await world.table.list({ index: 'repo', partition: repository.id, prefix: 'run#', newestFirst: true, limit: most.runs });
  const told = new Set((listed as unknown as Run[]).map(({ pullRequest, commit }) => `${pullRequest} ${commit}`));
  return due.filter(({ number, head }) => !told.has(`${number} ${head.sha}`));
}

/**
 * Create-only under a hash of pull request and head: recorded once, also where it starts nothing because the commit has no plan file.
 * It is queued by whoever recorded it; after a death in between the sweep does.
 */
async function record(world: ControlWorld, repository: Repository, pull: OpenPullRequest): Promise<boolean> {
  const { number, head, author } = pull;
  const deliveryId = `untold:${repository.id}:${number}:${head.sha}`;
  const receivedAt = new Date(world.clock.now()).toISOString();
  const intake: Omit<IntakeOf<'pull_request'>, 'writeId'> = {
    format: 1,
    kind: 'intake',
    id: createHash('sha256').update(deliveryId).digest('hex').slice(0, 32),
    source: 'github',
    event: 'pull_request',
    action: 'synchronize',
    deliveryId,
    receivedAt,
    repository,
    pullRequest: { number, headSha: head.sha, headBranch: head.branch, fork: head.fork },
    sender: { login: author, type: 'User' },
    status: 'recorded',
    since: receivedAt,
    ttl: Math.floor(world.clock.now() / 1000) + ninetyDays,
  };
  const { won } = await write(world, runKey(intake.id), { put: { ...intake } }, absent);
  if (!won) return false;
  world.log.warn('a pull request whose head was never told', { intake: intake.id, repository: repository.id, pullRequest: number });
  await world.queues.control({ format: 1, run: intake.id, group: repository.id });
  return true;
}
