import type { Repository } from '../ports/code-host.ts';
import type { Item, Table } from '../ports/table.ts';
import { always } from '../table/condition.ts';
import { repositoryNameKey } from '../table/keys.ts';
import { type Writer, write } from '../table/write.ts';

/**
 * Notes which repository goes by this name, as the host has just told it, for terminals that know the name alone and only read.
 * Nothing that decides is read from here: a name that was given away is right again with the next event.
 */
export async function noteRepository(writer: Writer, repository: Repository): Promise<void> {
  const { id, owner, name, defaultBranch } = repository;
  const known = await knownRepository(writer.table, owner, name);
  if (known?.id === id && known.defaultBranch === defaultBranch) return;
  const listed = { repo: listOfAll, order: `repository#${id}` };
  await write(writer, repositoryNameKey(owner, name), { put: { format: 1, id, owner, name, defaultBranch, ...listed } }, always);
}

/** Partition of the `repo` index that lists the repositories themselves: no repository has such an id. */
const listOfAll = 'repositories';

/** Every repository that anything has ever come from, by id; one that was renamed under each of its names. */
export async function knownRepositories(table: Table): Promise<Repository[]> {
  return (await table.list({ index: 'repo', partition: listOfAll, prefix: 'repository#' })).map(repositoryOf);
}

/** The repository that last went by this name; undefined where nothing has ever come from it. */
export async function knownRepository(table: Table, owner: string, name: string): Promise<Repository | undefined> {
  const item = await table.get(repositoryNameKey(owner, name));
  return item && repositoryOf(item);
}

const repositoryOf = (item: Item): Repository => ({
  id: String(item['id']),
  owner: String(item['owner']),
  name: String(item['name']),
  defaultBranch: String(item['defaultBranch']),
});
