import { setTimeout } from 'node:timers/promises';
import type { Builds } from './builds/builds.ts';
import type { DataPlane } from './data-plane/data-plane.ts';
import type { FunctionHost } from './lambda/function-host.ts';
import type { Mappings } from './sqs/mappings.ts';
import type { Machines } from './states/machines.ts';

export interface IdleOptions {
  /** How long to wait, in milliseconds (default 10,000). */
  readonly withinMs?: number;
  /** True: messages that are not due yet do not count. */
  readonly ignoreDelayed?: boolean;
}

export interface Busy {
  readonly functions: Pick<FunctionHost, 'running'>;
  readonly machines: Pick<Machines, 'moving'>;
  readonly builds: Pick<Builds, 'running'>;
  readonly mappings: Pick<Mappings, 'fed'>;
  readonly emulators: { readonly dataPlane: Pick<DataPlane, 'depths'> };
}

const lookEveryMs = 10;

/**
 * Resolves when no function or build runs, no execution moves and every queue that feeds a function is empty; queues that feed none (dead
 * letters) and executions that wait for a token do not matter.
 *
 * @throws Error naming what is left when the time is over.
 */
export async function becomeIdle(busy: Busy, { withinMs = 10_000, ignoreDelayed = false }: IdleOptions = {}): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    // In this order: a function, or an execution, sends its messages before it ends or parks, so none can appear unseen between the looks.
    const running = busy.functions.running();
    const moving = busy.machines.moving();
    const building = busy.builds.running();
    const queues = await queuesWithMessages(busy, ignoreDelayed);
    if (running === 0 && moving === 0 && building === 0 && queues.length === 0) return;
    if (Date.now() > end) {
      throw new Error(
        `the stack is not idle after ${withinMs} ms: ${running} invocations, ${moving} moving executions, ${building} builds, messages in ${queues.join(', ') || 'no queue'}`,
      );
    }
    await setTimeout(lookEveryMs);
  }
}

async function queuesWithMessages({ mappings, emulators }: Busy, ignoreDelayed: boolean): Promise<string[]> {
  const depths = await emulators.dataPlane.depths();
  return mappings.fed().filter((name) => {
    const depth = depths[name];
    return depth !== undefined && depth.visible + depth.inFlight + (ignoreDelayed ? 0 : depth.delayed) > 0;
  });
}
