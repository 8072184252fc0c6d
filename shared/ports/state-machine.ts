/**
 * The state machine that stands where a person or the moved world is waited for (P7).
 *
 * @throws LockkeeperError STORE_UNREACHABLE; what was asked for may have been done.
 */
export interface StateMachine {
  /** Starts an execution under a name that is used once, of at most 80 letters, digits, `-` and `_`. `exists`: it runs, or ran, already. */
  start(name: string, input: Readonly<Record<string, unknown>>): Promise<'started' | 'exists'>;
  /** Completes a task token. `gone`: somebody completed it, or its state has ended: read the item once more. */
  succeed(token: string, output: Readonly<Record<string, unknown>>): Promise<'done' | 'gone'>;
}
