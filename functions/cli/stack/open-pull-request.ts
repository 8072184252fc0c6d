import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutCredentials } from '../../../shared/redact/credentials.ts';

const run = promisify(execFile);

/** What `gh` signs in with, where it is not signed in already. */
const ofGitHub = /^(GH_TOKEN|GITHUB_TOKEN|GH_\w+|(https?|all)_proxy)$/i;

/** A branch that lies at the remote, and what its pull request says. */
export interface Proposal {
  readonly owner: string;
  readonly name: string;
  readonly branch: string;
  readonly title: string;
  readonly body: string;
}

/**
 * Opens a pull request as the person at the keyboard, with GitHub's own command line: Lockkeeper's App needs no right to write code, and the
 * person does not get to approve a change of theirs as somebody else's (ADR 0070). Of a branch that has one already, that one.
 *
 * @returns its address; undefined where `gh` is not installed, not signed in, or says no: then a browser opens it.
 */
export async function openPullRequest({ owner, name, branch, title, body }: Proposal): Promise<string | undefined> {
  const repository = ['--repo', `${owner}/${name}`];
  const made = await gh('pr', 'create', ...repository, '--head', branch, '--title', title, '--body', body);
  return made ?? gh('pr', 'view', branch, ...repository, '--json', 'url', '--jq', '.url');
}

async function gh(...args: string[]): Promise<string | undefined> {
  try {
    const env = { ...withoutCredentials(process.env, ofGitHub), GH_PROMPT_DISABLED: '1' };
    const { stdout } = await run('gh', args, { timeout: 60_000, encoding: 'utf8', env });
    return /https:\/\/\S+\/pull\/\d+/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}
