/** A tool's document has something that this version does not know: nobody may approve, and nothing may be applied, by what was not read. */
export class NotUnderstoodError extends Error {
  readonly address: string | undefined;

  /** @param says one sentence in our words, without a value of the document. */
  constructor(says: string, address?: string) {
    super(says);
    this.address = address;
  }
}
