import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { Environment } from '../../../shared/platform/clients.ts';
import { callersSettings } from './outputs.ts';

/** The AWS principal whose credentials these are, as STS names it. No right is needed to ask. @throws whatever AWS throws. */
export async function callerOf(environment: Environment): Promise<string> {
  const client = new STSClient(callersSettings(environment));
  try {
    const { Arn } = await client.send(new GetCallerIdentityCommand({}));
    if (!Arn) throw new LockkeeperError({ code: 'AWS_ACCESS', message: 'AWS does not say whose credentials these are.' });
    return Arn;
  } finally {
    client.destroy();
  }
}
