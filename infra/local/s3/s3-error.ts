/** An error as S3 answers it. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const noSuchKey = (headers: Readonly<Record<string, string>> = {}): S3Error =>
  new S3Error(404, 'NoSuchKey', 'The specified key does not exist.', headers);
export const preconditionFailed = (): S3Error => new S3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
