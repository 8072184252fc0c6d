import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { Environment } from '../../../shared/platform/clients.ts';
import { exceptionOf } from '../../../shared/platform/failure.ts';

/** Outputs of the stack by which a command finds what it reads and writes, and the variables the ports know them by. */
export const variableOfOutput = {
  TableName: 'TABLE_NAME',
  BucketName: 'BUCKET_NAME',
  ControlQueueUrl: 'CONTROL_QUEUE_URL',
} as const;

/** The settings of a client that stands under the caller's own credentials and region; what is not set the SDK finds as it always does. */
export function callersSettings(environment: Environment): { region?: string } {
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'];
  return region ? { region } : {};
}

/**
 * The outputs of a deployed stack.
 *
 * @throws LockkeeperError STACK_UNKNOWN when there is none of that name, or one that is not ours; whatever AWS throws.
 */
export async function outputsOf(name: string, environment: Environment): Promise<Readonly<Record<string, string>>> {
  const client = new CloudFormationClient(callersSettings(environment));
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    if (!stack) throw unknown(name);
    return ours(name, Object.fromEntries((stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [String(OutputKey), String(OutputValue)])));
  } catch (error) {
    // CloudFormation has no error of its own for a stack that is not there: it is this one, as for a name it does not take.
    throw exceptionOf(error) === 'ValidationError' ? unknown(name) : error;
  } finally {
    client.destroy();
  }
}

const unknown = (name: string): LockkeeperError =>
  new LockkeeperError({ code: 'STACK_UNKNOWN', message: `There is no stack ${JSON.stringify(name)} in this account and region.` });

/** @throws LockkeeperError STACK_UNKNOWN for a stack that lacks what a command needs. */
export function ours(name: string, outputs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const missing = Object.keys(variableOfOutput).filter((output) => !outputs[output]);
  if (missing.length === 0) return outputs;
  const message = `The stack ${name} does not tell ${missing.join(', ')}: it is none of Lockkeeper’s, or of an older version.`;
  throw new LockkeeperError({ code: 'STACK_UNKNOWN', message, hint: 'Check the name, or deploy this version: `npx cdk deploy`.' });
}
