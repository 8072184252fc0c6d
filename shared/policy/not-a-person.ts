import { LockkeeperError } from '../errors/error.ts';
import { principalPattern } from './principal.ts';

/** A principal that nobody is mapped to, with the lines that map it. */
export function notAPerson(principal: string): LockkeeperError {
  const message = `${principal} is mapped to nobody in lockkeeper.yaml on the default branch.`;
  const hint = principalPattern.test(principal)
    ? `Add the person there, under \`environments.<name>.approvers\`: \`- github: <login>\`, and below it \`aws: ${principal}\`.`
    : 'Come as an IAM user, or as a session of a role: behind this principal stands nobody in particular.';
  return new LockkeeperError({ code: 'APPROVER_NOT_A_PERSON', message, hint });
}
