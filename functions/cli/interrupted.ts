/** Ctrl-C, or the end of the terminal: the command stops waiting. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted('interrupted');
}
