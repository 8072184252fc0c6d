import type { Console } from './console.ts';
import { interruptedExit } from './exit-code.ts';

/** One Ctrl-C can arrive twice: from the terminal, and handed on by the launcher. Nobody presses twice in so short a time, ms. */
const sameKeyMs = 250;

/**
 * The first Ctrl-C (or SIGTERM) aborts the signal returned: the command stops waiting, stops the stack and ends. The second
 * ends the process at once.
 */
export function onInterrupt(console: Pick<Console, 'note'>, exit: (code: number) => void = process.exit): AbortSignal {
  const controller = new AbortController();
  let first: number | undefined;
  const interrupt = () => {
    if (first !== undefined && Date.now() - first < sameKeyMs) return;
    if (first !== undefined) return exit(interruptedExit);
    first = Date.now();
    console.note('Stopping. Press Ctrl-C again to leave at once.');
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
  return controller.signal;
}
