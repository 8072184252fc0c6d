import type { CleanUpMessage } from '../../events/control-message.ts';
import type { Code } from '../errors/codes.ts';
import { problemOf } from '../errors/error.ts';
import type { Repository } from '../ports/code-host.ts';
import { knownRepositories } from '../run/known-repository.ts';
import { loadPolicy } from '../run/load-policy.ts';
import type { ControlWorld } from '../run/world.ts';
import type { ScopeAddress } from '../table/keys.ts';
import { type LeftAnswer, removeIfLeft } from './left-scope.ts';

/** Scopes that one message looks at, at most: the next message goes on after them. */
const mostScopes = 50;

type Place = NonNullable<CleanUpMessage['after']>;
/** What a scope came to; `failed`: it could not be asked about. */
type Counts = Record<LeftAnswer | 'failed', number>;

/**
 * The nightly clean-up: a run for each scope whose pull request is closed or whose branch is gone, and that still holds something. It goes
 * through every repository and scope in one order, a part a message, so that one scope that fails every night keeps none behind it from
 * its turn; what cannot be asked about is named in the log and comes again the next night.
 *
 * A host that is never told of events, git on a person's machine, knows of no pull request and of the branches of one clone alone: nothing
 * is removed there that nobody asked to have removed.
 */
export async function cleanUp(world: ControlWorld, { after }: Pick<CleanUpMessage, 'after'>): Promise<void> {
  if (!world.codeHost.deliveries) return;
  const until = world.clock.now() + world.timing.functionTimeout / 2;
  const counts: Counts = { kept: 0, empty: 0, refused: 0, tended: 0, removing: 0, failed: 0 };
  let looked = 0;
  let last = after;
  for (const repository of await repositoriesFrom(world, after?.repository)) {
    const scopes = await scopesAfter(world, repository, last?.repository === repository.id ? last : undefined);
    const asked = scopes.length === 0 ? undefined : await askedOf(world, repository);
    for (const { order, address } of scopes) {
      if (looked > 0 && (looked >= mostScopes || world.clock.now() > until)) return goOn(world, counts, last as Place);
      counts[asked ? await tended(world, asked, address) : 'failed'] += 1;
      looked += 1;
      last = { repository: repository.id, order };
    }
  }
  world.log.info('cleaned up', counts);
}

async function goOn(world: ControlWorld, counts: Counts, after: Place): Promise<void> {
  world.log.info('cleaned up, and goes on', counts);
  await world.queues.control({ format: 4, look: 'left', after, group: 'schedule' });
}

/** Every repository that this stack serves, once, by id. One that was renamed goes by the name that the host answers to. */
async function repositoriesFrom(world: ControlWorld, from = ''): Promise<Repository[]> {
  const known = (await knownRepositories(world.table)).filter((one) => world.serves(one) && one.id >= from);
  return [...new Map(known.map((one) => [one.id, one])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Heads of a repository after a place in the list; whether one is really there, whoever looks at the scope reads. */
async function scopesAfter(world: ControlWorld, repository: Repository, after: Place | undefined): Promise<{ order: string; address: ScopeAddress }[]> {
  const listed = await world.table.list({ index: 'repo', partition: repository.id, prefix: 'scope#' });
  const heads = listed.map((item) => ({ order: String(item['order']), address: item['address'] as ScopeAddress }));
  return heads.filter(({ order }) => after === undefined || order > after.order).sort((a, b) => (a.order < b.order ? -1 : 1));
}

/** The repository as the host tells it, and its policy. Undefined: nobody can say what may be removed there tonight. */
async function askedOf(world: ControlWorld, known: Repository): Promise<Parameters<typeof removeIfLeft>[1] | undefined> {
  return attempted(world, { repository: known.id }, async () => {
    const repository = await repositoryNow(world, known);
    if (repository) return { repository, policy: await loadPolicy(world, repository) };
    world.log.warn('a repository is not there any more, or not for this App', { repository: known.id });
    return undefined;
  });
}

/** Asked by each of the names it went by, until one of them is still its own. */
async function repositoryNow(world: ControlWorld, { id }: Repository): Promise<Repository | undefined> {
  for (const named of (await knownRepositories(world.table)).filter((one) => one.id === id)) {
    const found = await world.codeHost.repository(named);
    if (found?.id === id) return found;
  }
  return undefined;
}

const tended = async (world: ControlWorld, asked: Parameters<typeof removeIfLeft>[1], address: ScopeAddress): Promise<keyof Counts> =>
  (await attempted(world, { ...address }, () => removeIfLeft(world, asked, address))) ?? 'failed';

/** One that cannot be asked about keeps nobody from the next. */
async function attempted<T>(world: ControlWorld, about: Record<string, string>, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const code: Code = problemOf(error).code;
    world.log.warn('the clean-up could not look at it', { ...about, code });
    return undefined;
  }
}
