import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { CommandName, Invocation } from '../invocation.ts';
import { namedStack, stackExists } from './second-ledger.ts';

/** Commands that only read, or look at a file: they are free, whatever the repository names. */
const free: ReadonlySet<CommandName> = new Set<CommandName>(['validate', 'doctor', 'show', 'diff', 'receipt', 'runs', 'log', 'words']);

/**
 * Where a command may be at work. With `--stack` nothing of this machine is used; without it, a repository that names a stack is left
 * to that stack, unless `--local` says otherwise. The fake cloud is nobody's world: `--sim` may always.
 *
 * @returns the stack that is bypassed by `--local`, for the receipt. @throws LockkeeperError USAGE, STACK_EXISTS.
 */
export async function judgeWhere(invocation: Invocation, cwd: string): Promise<string | undefined> {
  const { command, stack, local, sim } = invocation;
  if (stack !== undefined) judgeFlags(invocation);
  if (stack !== undefined || free.has(command) || sim) return undefined;
  const named = await namedStack(cwd);
  if (named !== undefined && !local) throw stackExists(named, undefined);
  return named;
}

/** What a command through a stack cannot be told: all of it is about the stack of this machine. */
function judgeFlags({ sim, local, stateDir, concurrency }: Invocation): void {
  const [flag] = [
    ...(sim ? ['--sim'] : []),
    ...(local ? ['--local'] : []),
    ...(stateDir === '.lockkeeper' ? [] : ['--state-dir']),
    ...(concurrency === undefined ? [] : ['--concurrency']),
  ];
  if (flag === undefined) return;
  const message = `${flag} is about the stack of this machine, --stack about a deployed one.`;
  throw new LockkeeperError({ code: 'USAGE', message, hint: 'Leave one of the two out.' });
}
