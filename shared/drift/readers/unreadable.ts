import { LockkeeperError } from '../../errors/error.ts';

/** Where in an input: a JSON pointer, or a line (1-based) of a stream and a pointer in it, or a line and a column of a text that is no JSON. */
export interface InputPosition {
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * An input that is not what a reader reads, or is broken. Says where and what is wrong with the form, and never what stands there: the
 * input of every reader holds values in clear text.
 */
export class UnreadableError extends LockkeeperError {
  readonly at: InputPosition;
  /** What is wrong, without the place. */
  readonly says: string;

  constructor(says: string, at: InputPosition = {}, hint?: string) {
    super({
      code: 'DRIFT_INPUT_INVALID',
      message: `The input cannot be read: ${says}${placeText(at)}.`,
      ...(hint === undefined ? {} : { hint }),
      details: { ...at },
    });
    this.at = at;
    this.says = says;
  }

  /** The same, of something that stands on a line of a stream. */
  onLine(line: number): UnreadableError {
    return new UnreadableError(this.says, { ...this.at, line }, this.problem.hint);
  }
}

function placeText({ pointer, line, column }: InputPosition): string {
  const onLine = line === undefined ? '' : `, on line ${line}`;
  const inColumn = column === undefined ? '' : `, column ${column}`;
  return `${pointer === undefined ? '' : `, at ${pointer === '' ? 'the whole document' : pointer}`}${onLine}${inColumn}`;
}
