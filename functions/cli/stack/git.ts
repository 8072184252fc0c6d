import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutCredentials } from '../../../shared/redact/credentials.ts';

const run = promisify(execFile);

/** A remote may ask for these, through a helper of git's; a proxy's address may hold a password. */
const remotes = /^(GH_TOKEN|GITHUB_TOKEN|GIT_\w+|SSH_\w+|(https?|all)_proxy)$/i;

/** Answers of git are small, but for a file's text; talking to a remote takes its time. */
const settings = { timeout: 60_000, encoding: 'utf8', maxBuffer: 8 * 1024 * 1024 } as const;

/** `status` is git's; `said` the first line of what it wrote on stderr. Null: it was not there, or did not end by itself. */
export type GitAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly status: number | null; readonly said: string };

/** Runs git in a folder, without ever asking a person for a password. */
export const git = (folder: string, ...args: string[]): Promise<GitAnswer> => gitWith({})(folder, ...args);

/** The same, with variables of git's own beside the environment's. */
export const gitWith =
  (variables: Readonly<Record<`GIT_${string}`, string>>) =>
  async (folder: string, ...args: string[]): Promise<GitAnswer> => {
    try {
      const env = { ...withoutCredentials(process.env, remotes), GIT_TERMINAL_PROMPT: '0', ...variables };
      return { ok: true, text: (await run('git', ['-C', folder, ...args], { ...settings, env })).stdout };
    } catch (error) {
      const { code, stderr, message } = error as Error & { code?: unknown; stderr?: string };
      return { ok: false, status: typeof code === 'number' ? code : null, said: (stderr || message).trim().split('\n')[0] ?? '' };
    }
  };
