import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { policyPath } from '../../../shared/policy/policy-file.ts';
import { readPolicy } from '../../../shared/policy/read.ts';
import { git } from './git.ts';

/**
 * The deployed stack that a repository names, as far as a checkout knows: in the working tree, in the commit it is at, or on the remote's
 * default branch as last fetched. One of them is enough: two ledgers for one world would break every promise.
 */
export async function namedStack(folder: string): Promise<string | undefined> {
  const root = await git(folder, 'rev-parse', '--show-toplevel');
  const top = root.ok ? root.text.trim() : folder;
  const texts = [inWorkingTree(top), await at(top, 'HEAD'), await at(top, 'refs/remotes/origin/HEAD')];
  return texts.flatMap((text) => (text === undefined ? [] : [stackIn(text)])).find((stack) => stack !== undefined);
}

function inWorkingTree(root: string): string | undefined {
  try {
    return readFileSync(join(root, policyPath), 'utf8');
  } catch {
    return undefined;
  }
}

async function at(root: string, commit: string): Promise<string | undefined> {
  const shown = await git(root, 'show', `${commit}:${policyPath}`);
  return shown.ok ? shown.text : undefined;
}

/** A file with a mistake somewhere still says which stack it means. */
function stackIn(text: string): string | undefined {
  const { policy } = readPolicy(text, policyPath);
  return policy ? policy.stack : /^stack:\s*["']?([A-Za-z][A-Za-z0-9-]*)/m.exec(text)?.[1];
}

/** A command that would keep a ledger of its own beside that of the stack the repository names, or in another stack. */
export function stackExists(named: string, wanted: string | undefined): LockkeeperError {
  if (wanted !== undefined) {
    const message = `lockkeeper.yaml names the stack ${named}, not ${wanted}.`;
    return new LockkeeperError({ code: 'STACK_EXISTS', message, hint: `Use --stack ${named}.`, details: { stack: named } });
  }
  const message = `The releases of this repository are run by the stack ${named}: lockkeeper.yaml says so.`;
  const hint = `Add \`--stack ${named}\`. \`--local\` runs it on this machine all the same, and the receipt says so.`;
  return new LockkeeperError({ code: 'STACK_EXISTS', message, hint, details: { stack: named } });
}
