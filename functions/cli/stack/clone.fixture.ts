import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A clone, and the bare repository it was cloned from, for tests: `origin` is a folder whose path ends in `acme/storefront.git`. */
export interface Clone {
  readonly folder: string;
  readonly origin: string;
  git(...args: string[]): string;
  /** Writes files, without committing them. */
  write(files: Readonly<Record<string, string>>): void;
  /** Commits files on the branch at hand; the commit's id. */
  commit(files: Readonly<Record<string, string>>): string;
  remove(): void;
}

const identity = ['-c', 'user.name=Kim', '-c', 'user.email=kim@acme.example', '-c', 'commit.gpgsign=false'];

/** One commit on `main`, with these files, pushed. */
export function cloned(files: Readonly<Record<string, string>>): Clone {
  const top = mkdtempSync(join(tmpdir(), 'lockkeeper-clone-'));
  const origin = join(top, 'acme', 'storefront.git');
  const folder = join(top, 'checkout');
  const run = (where: string, ...args: string[]) =>
    execFileSync('git', ['-C', where, ...identity, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  mkdirSync(origin, { recursive: true });
  run(origin, 'init', '--bare', '--quiet', '--initial-branch=main');
  run(top, 'clone', '--quiet', origin, folder);
  const write: Clone['write'] = (texts) => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const clone: Clone = {
    folder,
    origin,
    git: (...args) => run(folder, ...args),
    write,
    commit(texts) {
      write(texts);
      run(folder, 'add', '.');
      run(folder, 'commit', '--quiet', '--message', 'Change the storefront');
      return run(folder, 'rev-parse', 'HEAD');
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
  run(folder, 'checkout', '--quiet', '-B', 'main');
  clone.commit(files);
  run(folder, 'push', '--quiet', 'origin', 'main');
  run(folder, 'remote', 'set-head', 'origin', 'main');
  return clone;
}
