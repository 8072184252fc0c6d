import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { LockkeeperError } from '../errors/error.ts';
import type { Roles } from '../ports/roles.ts';
import { exceptionOf, failureOf, unreachable } from './failure.ts';

/** The longest that a role can be assumed for by another role. */
const HOUR = 3600;

/** Roles by STS. What it answers is secret, and goes to the one job that asked. */
export function assumedRoles(client: STSClient): Roles {
  return {
    async assume(role, session) {
      try {
        const asked = { RoleArn: role, RoleSessionName: session.replace(/[^\w=,.@-]/g, '-').slice(0, 64), DurationSeconds: HOUR };
        const { Credentials: found } = await client.send(new AssumeRoleCommand(asked));
        if (!found?.AccessKeyId || !found.SecretAccessKey || !found.SessionToken) throw new Error('the answer has no credentials');
        return { AWS_ACCESS_KEY_ID: found.AccessKeyId, AWS_SECRET_ACCESS_KEY: found.SecretAccessKey, AWS_SESSION_TOKEN: found.SessionToken };
      } catch (error) {
        if (failureOf(error) !== 'refused') throw unreachable(`assuming the role ${role}`, error);
        throw new LockkeeperError({ code: 'ROLE_REFUSED', message: `The role ${role} cannot be assumed: ${exceptionOf(error)}.` }, { cause: error });
      }
    },
  };
}

/** On a person's own machine there is nobody whom a role could trust. */
export const noRolesHere: Roles = {
  async assume(role) {
    throw new LockkeeperError({
      code: 'ROLE_REFUSED',
      message: `The role ${role} is assumed by a deployed stack alone: on this machine a tool is given what \`stacks.env\` and \`stacks.secrets\` say.`,
      hint: 'Run it there, with `--stack <name>`; or in an environment whose `stacks` names no role.',
    });
  },
};
