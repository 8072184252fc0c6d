import { type Finding, fine, noted, wrong } from './finding.ts';
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
  'SlackInteractionsUrl',
  'SlackSecretName',
  'ScheduleName',
  'EventBusName',
  'StateMachineArn',
  'AlarmTopicArn',
  'CodeHash',
  'ToolPlanProjectName',
  'ToolApplyProjectName',
  'LineWorkerRoleArn',
] as const;

/** What this command is: its version, and the hash of the functions built beside it where they are. */
export interface OwnVersion {
  readonly version: string;
  readonly code?: string | undefined;
}

const deploy = 'Deploy this version: `npx cdk deploy`.';

/** That the stack is there, whole, and of the version of this command. */
export function stackFindings(name: string, stack: StackDescription | undefined, own: OwnVersion): Finding[] {
  if (!stack)
    return [wrong('stack', `there is no stack ${name} in this account and region`, 'Check AWS_PROFILE and AWS_REGION, or deploy it: docs/deploy.md.')];
  const missing = neededOutputs.filter((output) => !stack.outputs[output]);
  if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(stack.status)) {
    const remedy = stack.status.endsWith('_IN_PROGRESS') ? 'Wait until it is over.' : 'Read its events in the CloudFormation console, then deploy again.';
    return [wrong('stack', `${name} is ${stack.status}`, remedy)];
  }
  if (missing.length > 0) return [wrong('stack', `${name} does not tell ${missing.join(', ')}: it is no stack of Lockkeeper, or of an older version`, deploy)];
  return [fine('stack', `${name} is ${stack.status}`), versionFinding(stack.outputs, own), listFinding(stack.parameters['Repositories'] ?? '')];
}

function versionFinding(outputs: Readonly<Record<string, string>>, own: OwnVersion): Finding {
  const [deployed, code] = [String(outputs['Version']), outputs['CodeHash']];
  if (deployed !== own.version) {
    return wrong('version', `the stack is ${deployed}, this command is ${own.version}`, `${deploy} Or use the command of version ${deployed}.`);
  }
  if (own.code === undefined) return noted('version', `${deployed}, code ${code}; here nothing is built to compare it with`, 'Run `npm run build` first.');
  if (code === own.code) return fine('version', `${deployed}, code ${code}, as here`);
  return noted(
    'version',
    `${deployed}, but its code is ${code} and the one built here is ${own.code}`,
    `${deploy} Or leave it, when another checkout was deployed.`,
  );
}

/** Whom the webhook and every run serve. Left empty the stack refuses everybody, and looks healthy doing so. */
function listFinding(list: string): Finding {
  if (entriesOf(list).length > 0) return fine('Repositories', list);
  const remedy = "Deploy with the list: `npx cdk deploy --parameters 'Repositories=acme/storefront'`.";
  return wrong('Repositories', 'the list is empty: every webhook is refused with 403', remedy);
}

/** Entries of the allow-list, trimmed. */
export const entriesOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
