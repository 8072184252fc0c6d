import type { Environment } from '../../../shared/platform/clients.ts';
import type { LastingSession } from '../folder/lasting-session.ts';
import { type Store, storeOf } from '../folder/store.ts';
import { outputsOf, variableOfOutput } from './outputs.ts';

/** A deployed stack, as a terminal uses it: its table, bucket and control queue, under the caller's own credentials. */
export interface DeployedStack {
  readonly name: string;
  readonly store: Store;
}

/** @throws LockkeeperError STACK_UNKNOWN; whatever AWS throws. */
export async function openStack(name: string, environment: Environment): Promise<DeployedStack> {
  const outputs = await outputsOf(name, environment);
  const variables = Object.entries(variableOfOutput).map(([output, variable]) => [variable, outputs[output]]);
  return { name, store: storeOf({ ...environment, ...Object.fromEntries(variables) }) };
}

/** The stack as a session: nobody holds it here, its runs are at work without us, and leaving it ends nothing. */
export function sessionOf({ store }: DeployedStack): LastingSession {
  const leave = async () => undefined;
  const session = { holds: false, store, since: 0, close: leave, abandon: leave };
  return { current: () => session, recover: async () => false, close: leave, abandon: leave };
}
