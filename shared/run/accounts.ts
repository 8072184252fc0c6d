import type { WriteGuard } from '../engine/bind.ts';
import { contextOf, identityOf, opOf } from '../engine/line-call.ts';
import { LockkeeperError } from '../errors/error.ts';
import type { ActiveLine } from '../plan/types.ts';
import type { SecretSet } from '../secrets/sealed-set.ts';
import type { LineSpec, Run } from './items.ts';
import type { World } from './world.ts';

type Account = Readonly<Record<string, string>>;

const readsOnly: WriteGuard = {
  beforeWrite() {
    throw new Error('resolving an account tried to write to a provider');
  },
};

/**
 * Resolves each provider block to the provider's own ids, once a run: a project given by name or by id is one project.
 * A block that cannot be resolved now is left out; its lines try again, and fail with the provider's answer.
 */
export async function resolveAccounts(world: World, run: Run, lines: readonly ActiveLine[], secrets: SecretSet): Promise<ReadonlyMap<string, Account>> {
  const blockOf = (line: ActiveLine) => JSON.stringify([line.adapter, line.op, line.provider]);
  const representatives = new Map(lines.map((line) => [blockOf(line), line]));
  const resolved = new Map<string, Account>();
  await Promise.all(
    [...representatives].map(async ([block, line]) => {
      const account = await resolveAccount(world, run, line, secrets);
      if (account) resolved.set(block, account);
    }),
  );
  return new Map(
    lines.flatMap((line): [string, Account][] => {
      const account = resolved.get(blockOf(line));
      return account ? [[line.id, account]] : [];
    }),
  );
}

async function resolveAccount(world: World, run: Run, line: ActiveLine, secrets: SecretSet): Promise<Account | undefined> {
  const op = opOf(world, line);
  try {
    const provider = line.provider as LineSpec['provider'];
    const bound = world.bindOp(op, { line: line.id, credentials: secrets.credentials, provider, context: contextOf(run), guard: readsOnly });
    return await identityOf(op, run, bound);
  } catch (error) {
    if (error instanceof LockkeeperError) return undefined;
    throw error;
  }
}
