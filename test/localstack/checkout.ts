import { type Clone, cloned } from '../../functions/cli/stack/clone.fixture.ts';
import { canaries } from '../e2e/house.ts';
import { check } from '../e2e/story/expect.ts';
import type { Sim } from '../sim/sim.ts';
import type { Endpoint } from './endpoint.ts';
import { type Ended, lockkeeper } from './lockkeeper.ts';
import type { Person } from './person.ts';

/** What `--json` prints, as far as it is read. */
export interface Document {
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  readonly [field: string]: unknown;
}

/** A person's clone of the repository, whose pushes the fake GitHub knows under the same ids. */
export interface Checkout extends Pick<Clone, 'folder' | 'git' | 'write' | 'commit' | 'remove'> {
  /** Commits files on a branch, pushes it, and lets GitHub have it. Returns the commit. */
  push(branch: string, files: Readonly<Record<string, string>>): string;
  /** Runs a command here, with a person's credentials or those of nobody in particular. */
  type(person: Person | undefined, ...args: string[]): Promise<Ended>;
  /** The same with `--json`. */
  ask(person: Person | undefined, ...args: string[]): Promise<{ readonly exit: number | null; readonly document: Document }>;
}

export function checkoutOf(endpoint: Endpoint, sim: Sim): Checkout {
  const clone = cloned({ 'README.md': 'The storefront\n' });
  const type: Checkout['type'] = async (person, ...args) => {
    const ended = await lockkeeper(endpoint, args, person?.credentials ?? {}, clone.folder);
    const secrets = [...Object.values(canaries), ...(person ? [person.credentials['AWS_SECRET_ACCESS_KEY'], person.credentials['AWS_SESSION_TOKEN']] : [])];
    check(!secrets.some((secret) => secret && `${ended.stdout}${ended.stderr}`.includes(String(secret))), `lockkeeper ${args.join(' ')} prints no secret (I1)`);
    return ended;
  };
  return {
    ...clone,
    push(branch, files) {
      clone.git('checkout', '--quiet', ...(clone.git('branch', '--list', branch) === '' ? ['-b'] : []), branch);
      const sha = clone.commit(files);
      clone.git('push', '--quiet', 'origin', branch);
      sim.control.edit('github.push', { branch, files: { ...files }, sha });
      return sha;
    },
    type,
    async ask(person, ...args) {
      const { exit, stdout, stderr } = await type(person, ...args, '--json');
      if (!stdout.startsWith('{')) throw new Error(`lockkeeper ${args.join(' ')} printed no document (${exit}): ${stderr}`);
      return { exit, document: JSON.parse(stdout) as Document };
    },
  };
}
