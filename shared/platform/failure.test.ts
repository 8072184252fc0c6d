import { expect, test } from 'vitest';
import { exceptionOf, failureOf, unreachable } from './failure.ts';

const answered = (name: string, httpStatusCode: number) => Object.assign(new Error('said so'), { name, $metadata: { httpStatusCode } });
const broken = (code: string) => Object.assign(new Error(''), { code });

test.each([
  ['throttled', answered('ProvisionedThroughputExceededException', 400), 'refused'],
  ['not allowed', answered('AccessDeniedException', 403), 'refused'],
  ['a failure inside the service', answered('InternalServerError', 500), 'unknown'],
  ['a service that is not available', answered('ServiceUnavailable', 503), 'unknown'],
  ['a broken connection', broken('ECONNRESET'), 'unknown'],
  ['a time-out', Object.assign(new Error('late'), { name: 'AbortError' }), 'unknown'],
  ['an answer that is no answer', new SyntaxError('not JSON'), 'unknown'],
  ['no connection', broken('ECONNREFUSED'), 'unsent'],
  ['an unknown host', broken('ENOTFOUND'), 'unsent'],
  ['no credentials', Object.assign(new Error('none'), { name: 'CredentialsProviderError' }), 'unsent'],
])('%s', (_what, error, failure) => {
  expect(failureOf(error)).toBe(failure);
});

test('names of exceptions are read without the prefixes of emulators', () => {
  expect(exceptionOf(answered('com.amazonaws.sqs#QueueDoesNotExist', 400))).toBe('QueueDoesNotExist');
  expect(exceptionOf(answered('AWS.SimpleQueueService.NonExistentQueue', 400))).toBe('NonExistentQueue');
});

test('an unreachable store says what was asked, what was answered, and keeps the cause', () => {
  const cause = answered('AccessDeniedException', 403);
  expect(unreachable('reading RUN#1', cause)).toMatchObject({
    code: 'STORE_UNREACHABLE',
    message: 'reading RUN#1 failed (AccessDeniedException, HTTP 403): said so',
    cause,
  });
  expect(unreachable('reading', broken('ECONNREFUSED')).message).toBe('reading failed (Error): ECONNREFUSED');
});
