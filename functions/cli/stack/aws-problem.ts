import { LockkeeperError } from '../../../shared/errors/error.ts';
import { exceptionOf, statusOf } from '../../../shared/platform/failure.ts';

const refusedCredentials = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'AuthFailure',
  'InvalidAccessKeyId',
]);
const denied = /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|AuthorizationError|NotAuthorized)$/;
const absentHosts = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * What AWS's refusal means for the person at the terminal, or what was thrown where it is none. A store's error is looked through: its
 * cause is what AWS said.
 */
export function awsProblem(thrown: unknown): unknown {
  const cause = thrown instanceof LockkeeperError ? thrown.cause : thrown;
  if (thrown instanceof LockkeeperError && (thrown.code !== 'STORE_UNREACHABLE' || cause === undefined)) return thrown;
  const said = sayingOf(cause);
  return said === undefined ? thrown : new LockkeeperError({ code: 'AWS_ACCESS', ...said }, { cause: thrown });
}

/** Runs a command's work with a stack; what AWS refuses is told in words. */
export async function throughAws<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw awsProblem(error);
  }
}

function sayingOf(error: unknown): { message: string; hint: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = exceptionOf(error);
  if (/^(CredentialsProviderError|ProviderError|TokenProviderError)$/.test(name)) {
    return {
      message: `There are no AWS credentials: ${firstLine(error)}`,
      hint: 'Log in (`aws sso login`), or set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    };
  }
  if (/^Region (is missing|not accepted)/.test(error.message))
    return { message: 'The AWS region is not known.', hint: 'Set AWS_REGION to the region the stack is deployed in.' };
  if (refusedCredentials.has(name)) return { message: `AWS does not take the credentials (${name}).`, hint: 'Log in again; temporary credentials run out.' };
  if (denied.test(name) || (statusOf(error) === 403 && name !== 'NotFound')) {
    return { message: `AWS does not let you do this: ${firstLine(error)}`, hint: 'docs/deploy.md lists, for each kind of work, the rights it needs.' };
  }
  const code = 'code' in error ? String(error.code) : '';
  if (absentHosts.has(code)) return { message: `AWS cannot be reached: ${firstLine(error)}`, hint: 'Check the network, AWS_REGION and AWS_ENDPOINT_URL.' };
  return undefined;
}

const firstLine = ({ message, name }: Error): string => (message || name).split('\n')[0] ?? '';
