import type { ReadError } from '../../../shared/drift/read-document.ts';

/** A read that cannot run as it was asked for, with the code that the document of it has (R3.28). */
export class ReadRefused extends Error {
  override readonly name = 'ReadRefused';
  readonly code: ReadError;

  constructor(code: ReadError, message: string) {
    super(message);
    this.code = code;
  }
}
