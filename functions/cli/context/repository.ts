import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { Repository } from '../../../shared/ports/code-host.ts';

/**
 * The repository of a person's machine. Its id is a hash of the remote's address, so that every clone has the same one, or of
 * the folder's path where there is no remote.
 */
export function localRepository({ root, remote, defaultBranch }: { root: string; remote?: string; defaultBranch?: string }): Repository {
  const address = remote === undefined ? undefined : remoteAddress(remote);
  const place = address ?? realpathSync(root);
  const parts = place.split('/').filter((part) => part !== '');
  return {
    id: createHash('sha256')
      .update(address === undefined ? `path ${place}` : `remote ${address}`)
      .digest('hex')
      .slice(0, 32),
    owner: address === undefined ? 'local' : (parts.at(-2) ?? 'local'),
    name: parts.at(-1) ?? basename(root),
    defaultBranch: defaultBranch ?? 'main',
  };
}

/**
 * `host/path` of a remote: the same for `git@host:path.git` and `https://token@host/path`, without credentials, port, case of
 * the host and the ending. A remote that is a path stays one.
 */
export function remoteAddress(remote: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]*)(?::\d+)?\/*(.*)$/i.exec(remote);
  const scp = /^(?:[^@/]*@)?([^/:]+):(?!\/\/)(.*)$/.exec(remote);
  const [, host, path] = url ?? scp ?? [undefined, '', remote];
  const trimmed = (path ?? '').replace(/\/+$/, '').replace(/\.git$/, '');
  return host ? `${host.toLowerCase()}/${trimmed.replace(/^\/+/, '')}` : trimmed;
}
