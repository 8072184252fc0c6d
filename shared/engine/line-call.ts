import { LockkeeperError, type Problem } from '../errors/error.ts';
import type { ProviderBlock, ReleaseContext } from '../plan/types.ts';
import type { Run, RunLine } from '../run/items.ts';
import type { World } from '../run/world.ts';
import type { SecretSet } from '../secrets/sealed-set.ts';
import type { WriteGuard } from './bind.ts';
import type { CredentialSpec, Op, OpCall } from './op.ts';

export const contextOf = (run: Pick<Run, 'environment' | 'scope' | 'branch' | 'commit' | 'pullRequest'>): ReleaseContext => ({
  environment: run.environment,
  scope: run.scope,
  branch: run.branch,
  sha: run.commit,
  pullRequest: run.pullRequest,
});

/** Finds a line's op. The plan was checked: a missing one means that this version lost it since the run was prepared. */
export function opOf(world: World, at: { adapter: string; op: string }): Op {
  const op = world.registry.find(at.adapter, at.op);
  if (op) return op;
  throw new LockkeeperError({ code: 'OP_UNKNOWN', message: `There is no op ${at.adapter}.${at.op} in this version.` });
}

/** Whether a line stands for a stack: an infrastructure tool is run for it. */
export const isStack = (world: World, at: { adapter: string; op: string }): boolean => opOf(world, at).stack !== undefined;

/** Every credential an op needs under a provider block: its adapter's own, and those that the block names. */
export const credentialsOf = (op: Op, provider: ProviderBlock): readonly CredentialSpec[] => [...op.credentials, ...(op.credentialsFor?.(provider) ?? [])];

/** Binds a line's op to its credentials, its provider's ids and the job's deadline. */
export async function callFor(world: World, run: Run, line: Pick<RunLine, 'spec'>, secrets: SecretSet, guard: WriteGuard): Promise<{ op: Op; call: OpCall }> {
  const op = opOf(world, line.spec);
  const bound = world.bindOp(op, { line: line.spec.id, credentials: secrets.credentials, provider: line.spec.provider, context: contextOf(run), guard });
  const identity = line.spec.account ?? (await identityOf(op, run, bound));
  return { op, call: { ...bound, identity } };
}

/** A provider block as the provider's own ids. A stack belongs to the repository that its code lies in. */
export const identityOf = (op: Op, { repository }: Pick<Run, 'repository'>, bound: Omit<OpCall, 'identity'>): Promise<Record<string, string>> =>
  op.stack ? Promise.resolve({ repository: repository.id }) : op.identity(bound);

/** A problem as it may be stored and shown: message, hint and details masked, code and position as they are. */
export function maskProblem(world: Pick<World, 'redactor'>, problem: Problem): Problem {
  const { code, ...rest } = problem;
  return { code, ...world.redactor.maskJson(rest) };
}
