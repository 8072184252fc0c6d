import type { Entry } from '../ledger/entry.ts';
import type { Run } from '../run/items.ts';
import type { World } from '../run/world.ts';
import type { SecretSet } from '../secrets/sealed-set.ts';
import type { WriteGuard } from './bind.ts';
import type { Holding } from './intents.ts';
import { contextOf, opOf } from './line-call.ts';

/** Calls ops with the provider block and account that an entry recorded, so that the plan may be gone (R1.68). */
export function entryCalls(world: World, run: Run, line: string, secrets: SecretSet, guard: WriteGuard): Holding['callOf'] {
  return async (entry: Entry) => {
    const op = opOf(world, entry);
    const bound = world.bindOp(op, { line, credentials: secrets.credentials, provider: entry.provider, context: contextOf(run), guard });
    return { op, call: { ...bound, identity: entry.account } };
  };
}
