/** Ctrl-C, or the end of the terminal: the command stops waiting. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** The run that stays where it is; undefined when none was started. */
  readonly run: string | undefined;

  constructor(run?: string) {
    super('interrupted');
    this.run = run;
  }
}

export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted();
}
