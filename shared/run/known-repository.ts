import type { Repository } from '../ports/code-host.ts';
import type { Table } from '../ports/table.ts';
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
  await write(writer, repositoryNameKey(owner, name), { put: { format: 1, id, owner, name, defaultBranch } }, always);
}

/** The repository that last went by this name; undefined where nothing has ever come from it. */
export async function knownRepository(table: Table, owner: string, name: string): Promise<Repository | undefined> {
  const item = await table.get(repositoryNameKey(owner, name));
  if (!item) return undefined;
  return { id: String(item['id']), owner: String(item['owner']), name: String(item['name']), defaultBranch: String(item['defaultBranch']) };
}
