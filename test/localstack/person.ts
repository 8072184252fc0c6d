import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { account } from './endpoint.ts';

/** Somebody with credentials of their own at the endpoint. */
export interface Person {
  readonly github: string;
  /** As STS names them, and as lockkeeper.yaml maps them. */
  readonly principal: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** A session of the role `operators` in a person's name. The endpoint takes whoever comes for the root user otherwise, who is nobody. */
export async function personOf(sts: STSClient, github: string): Promise<Person> {
  const asked = { RoleArn: `arn:aws:iam::${account}:role/operators`, RoleSessionName: github };
  const { Credentials, AssumedRoleUser } = await sts.send(new AssumeRoleCommand(asked));
  if (!Credentials || !AssumedRoleUser) throw new Error('the endpoint lends no credentials');
  return {
    github,
    principal: String(AssumedRoleUser.Arn),
    credentials: {
      AWS_ACCESS_KEY_ID: String(Credentials.AccessKeyId),
      AWS_SECRET_ACCESS_KEY: String(Credentials.SecretAccessKey),
      AWS_SESSION_TOKEN: String(Credentials.SessionToken),
    },
  };
}
