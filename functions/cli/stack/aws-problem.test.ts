import { describe, expect, it } from 'vitest';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import { unreachable } from '../../../shared/platform/failure.ts';
import { awsProblem, throughAws } from './aws-problem.ts';
import { ours } from './outputs.ts';

/** As the AWS SDK throws: the name says what, the message is AWS's. */
const aws = (name: string, message = 'The message of AWS', more: object = {}) => Object.assign(new Error(message), { name, ...more });

describe('what AWS refuses', () => {
  it.each([
    ['no credentials', aws('CredentialsProviderError', 'Could not load credentials from any providers'), 'aws sso login'],
    ['no region', aws('Error', 'Region is missing'), 'AWS_REGION'],
    ['credentials that ran out', aws('ExpiredTokenException'), 'Log in again'],
    ['credentials of nobody', aws('InvalidClientTokenId'), 'Log in again'],
    ['a right that is missing', aws('AccessDeniedException', 'User: u is not authorized to perform: dynamodb:GetItem'), 'docs/deploy.md'],
    ['a right that is missing, at S3', aws('AccessDenied', 'Access Denied', { $metadata: { httpStatusCode: 403 } }), 'docs/deploy.md'],
    ['no network', aws('Error', 'getaddrinfo ENOTFOUND sts.nowhere', { code: 'ENOTFOUND' }), 'AWS_REGION'],
  ])('%s is told with what to do', (_what, error, hint) => {
    for (const thrown of [error, unreachable('get item', error)]) {
      expect(awsProblem(thrown)).toMatchObject({ code: 'AWS_ACCESS', problem: { hint: expect.stringContaining(hint) } });
    }
  });

  it('keeps every other error as it is', async () => {
    const own = new LockkeeperError({ code: 'STACK_UNKNOWN', message: 'There is none.' });
    const slow = unreachable('get item', aws('TimeoutError'));
    for (const error of [own, slow, new TypeError('a mistake')]) {
      await expect(throughAws(() => Promise.reject(error))).rejects.toBe(error);
    }
  });
});

describe('the outputs of a stack', () => {
  it('are those a command needs, or the stack is none of ours', () => {
    const outputs = { TableName: 't', BucketName: 'b', ControlQueueUrl: 'q', Other: 'o' };
    expect(ours('Lockkeeper', outputs)).toBe(outputs);
    expect(() => ours('Website', { BucketName: 'b' })).toThrow('The stack Website does not tell TableName, ControlQueueUrl');
  });
});
