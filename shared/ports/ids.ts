/** Fresh identifiers: for write ids, log entries and whatever else must never repeat. */
export interface Ids {
  /** 26 characters, sortable by time of creation, never the same twice. */
  fresh(): string;
}
