/** Ctrl-C, or the end of the terminal: the command stops waiting. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** The run that stays where it is; undefined when none was started. */
  readonly run: string | undefined;
  /** What becomes of it, and how to look at it, where the usual sentence does not hold. */
  readonly hint: string | undefined;

  constructor(run?: string, hint?: string) {
    super('interrupted');
    this.run = run;
    this.hint = hint;
  }
}

export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted();
}
