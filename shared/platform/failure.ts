import { LockkeeperError } from '../errors/error.ts';

/**
 * What an AWS request that threw says about its effect. `refused`: the service answered and did nothing. `unsent`: no
 * connection was made. `unknown`: it may have taken effect, now or a little later.
 */
export type Failure = 'refused' | 'unsent' | 'unknown';

const unsentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

export function failureOf(error: unknown): Failure {
  const { name, code, status } = factsOf(error);
  if (status !== undefined && status >= 400 && status < 500) return 'refused';
  if (unsentCodes.has(code) || name === 'CredentialsProviderError') return 'unsent';
  return 'unknown';
}

/** Name of the exception without the prefix that some emulators put before it. */
export const exceptionOf = (error: unknown): string => factsOf(error).name.replace(/^.*[#.]/, '');

export const statusOf = (error: unknown): number | undefined => factsOf(error).status;

/** The store did not do what it was asked: a run-failed error that says what and why. */
export function unreachable(what: string, error: unknown): LockkeeperError {
  const { name, message, status } = factsOf(error);
  const answer = status === undefined ? name : `${name}, HTTP ${status}`;
  return new LockkeeperError({ code: 'STORE_UNREACHABLE', message: `${what} failed (${answer}): ${message}` }, { cause: error });
}

function factsOf(error: unknown): { name: string; code: string; message: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: 'Error', code: '', message: String(error), status: undefined };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const metadata = '$metadata' in error && typeof error.$metadata === 'object' && error.$metadata !== null ? error.$metadata : {};
  const status = 'httpStatusCode' in metadata && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
  return { name: error.name, code, message: error.message || code, status };
}
