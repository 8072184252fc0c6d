/** The stack's event bus, for whoever listens. Nothing that decides depends on an announcement. */
export interface Bus {
  /**
   * @param detailType what happened, such as `run.settled`.
   * @throws LockkeeperError STORE_UNREACHABLE
   */
  announce(detailType: string, detail: Readonly<Record<string, unknown>>): Promise<void>;
}
