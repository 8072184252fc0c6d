import { type Finding, fine, wrong } from './finding.ts';
import type { StackDescription } from './probes.ts';

/** Outputs the command line and this command read. */
export const neededOutputs = [
  'Version',
  'WebhookUrl',
  'TableName',
  'BucketName',
  'ControlQueueUrl',
  'LinesQueueUrl',
  'ControlDeadLetterQueueUrl',
  'LinesDeadLetterQueueUrl',
  'WebhookSecretName',
  'GithubAppSecretName',
  'ScheduleName',
] as const;

const deploy = 'Deploy this version: `npx cdk deploy`.';

/** That the stack is there, whole, and of the version of this command. */
export function stackFindings(name: string, stack: StackDescription | undefined, version: string): Finding[] {
  if (!stack)
    return [wrong('stack', `there is no stack ${name} in this account and region`, 'Check AWS_PROFILE and AWS_REGION, or deploy it: docs/deploy.md.')];
  const missing = neededOutputs.filter((output) => !stack.outputs[output]);
  if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(stack.status)) {
    const remedy = stack.status.endsWith('_IN_PROGRESS') ? 'Wait until it is over.' : 'Read its events in the CloudFormation console, then deploy again.';
    return [wrong('stack', `${name} is ${stack.status}`, remedy)];
  }
  if (missing.length > 0) return [wrong('stack', `${name} does not tell ${missing.join(', ')}: it is no stack of Lockkeeper, or of an older version`, deploy)];
  return [fine('stack', `${name} is ${stack.status}`), versionFinding(String(stack.outputs['Version']), version)];
}

function versionFinding(deployed: string, own: string): Finding {
  if (deployed === own) return fine('version', `${deployed}, as this command`);
  return wrong('version', `the stack is ${deployed}, this command is ${own}`, `${deploy} Or use the command of version ${deployed}.`);
}
