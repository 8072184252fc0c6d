import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LockkeeperError } from '../../errors/error.ts';
import { withoutCredentials } from '../../redact/credentials.ts';

/** What git answered. Exit 1 is a no, to the commands asked here; everything else that is not 0 is a failure. */
export interface GitAnswer {
  readonly yes: boolean;
  readonly bytes: Buffer;
}

/** Git in one folder. @throws LockkeeperError GIT_FAILED when it is missing, fails, or takes longer than ten seconds, a long answer than thirty. */
export interface Git {
  ask(...args: string[]): Promise<GitAnswer>;
  /** As `ask`, for answers of up to so many bytes; more is `otherwise`. */
  askLong(most: number, otherwise: () => Error, ...args: string[]): Promise<GitAnswer>;
  /** One line of text, or undefined where the answer is no. */
  line(...args: string[]): Promise<string | undefined>;
  /** Whether the folder lies in a repository, be it one that git cannot read. */
  readonly inRepository: () => boolean;
}

const TIMEOUT_MS = 10_000;
/** As much as is read of a file at GitHub. */
const LARGEST_BYTES = 16 * 1024 * 1024;

export function gitIn(folder: string): Git {
  const askWith = (maxBuffer: number, timeout: number, tooLong: (() => Error) | undefined, args: readonly string[]): Promise<GitAnswer> =>
    new Promise((answer, fail) => {
      const options = { timeout, maxBuffer, encoding: 'buffer', env: withoutCredentials(process.env) } as const;
      execFile('git', ['-C', folder, ...args], options, (error, bytes, said) => {
        if (error === null) return answer({ yes: true, bytes });
        if (error.code === 1) return answer({ yes: false, bytes });
        if (tooLong && error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return fail(tooLong());
        fail(gitFailed(`git ${args.find((arg) => !arg.startsWith('-')) ?? ''} ${error.killed ? 'did not end in time' : whyOf(error.code, said)}`, error));
      });
    });
  const ask = (...args: string[]): Promise<GitAnswer> => askWith(LARGEST_BYTES, TIMEOUT_MS, undefined, args);
  return {
    ask,
    askLong: (most, otherwise, ...args) => askWith(most, 3 * TIMEOUT_MS, otherwise, args),
    async line(...args) {
      const { yes, bytes } = await ask(...args);
      return yes ? bytes.toString('utf8').trim() : undefined;
    },
    inRepository: () => foldersUp(resolve(folder)).some((each) => existsSync(join(each, '.git'))),
  };
}

export const gitFailed = (message: string, cause?: unknown): LockkeeperError => new LockkeeperError({ code: 'GIT_FAILED', message: `${message}.` }, { cause });

function whyOf(code: unknown, said: Buffer): string {
  if (code === 'ENOENT') return 'cannot be run: it is not installed here';
  const [first = ''] = said.toString('utf8').trim().split('\n');
  return `failed: ${first.replace(/^fatal: /, '').replace(/\.$/, '') || String(code)}`;
}

function foldersUp(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}
