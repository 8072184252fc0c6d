import { Stack, Validations } from 'aws-cdk-lib';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import type { LockkeeperBucket } from './bucket.ts';
import { foldersInUse, lineFoldersInUse } from './bucket.ts';
import { stackRoles } from './tool-projects.ts';

/** The wildcard resources the controller has, each named, so that one more is a finding again. */
export function acknowledgeControllerNames(role: IConstruct, { bucket }: LockkeeperBucket, secretsPrefix: string): void {
  const stack = Stack.of(role);
  const logicalId = stack.getLogicalId(bucket.node.defaultChild as CfnBucket);
  for (const folder of foldersInUse) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${folder}/*]`,
      reason: `Objects in ${folder}/ are named by scope, run and digest, which exist only once something runs. The controller may put them, and get those it reads again, in this folder of this bucket; it may delete nothing.`,
    });
  }
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${secretsPrefix}/*/*]`,
    reason:
      'Plans refer to secrets by environment and name, which the adopter chooses after this is deployed. The two levels keep the webhook secret, one level up, out of reach; the action is GetSecretValue alone.',
  });
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter/${secretsPrefix}/*/*]`,
    reason: 'The same of parameters: named by environment and name, which the adopter chooses after this is deployed; the action is GetParameter alone.',
  });
}

/** The wildcard resources the line worker has, each named. */
export function acknowledgeWorkerNames(role: IConstruct, { bucket }: LockkeeperBucket): void {
  const logicalId = Stack.of(role).getLogicalId(bucket.node.defaultChild as CfnBucket);
  for (const folder of lineFoldersInUse) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${folder}/*]`,
      reason: `Objects in ${folder}/ are named by token, digest and run, which exist only once a tool runs. The worker may put them, and get those of its mailboxes; it may delete nothing.`,
    });
  }
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${stackRoles.replace(/\$\{Token\[AWS\.Partition[^}]*\}/, '<AWS::Partition>')}]`,
    reason:
      'Roles of stacks are made by the adopter, in whichever account a stack belongs to, after this is deployed. Their name begins with the prefix, and each says in its own trust policy that this role may take it; without that the grant is nothing.',
  });
}

/** The state machine's role: its logs and traces alone are on every resource. */
export function acknowledgeMachineWildcard(role: IConstruct): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'Setting up the delivery of logs, and sending traces, are calls of CloudWatch Logs and X-Ray that name no resource. What the machine does otherwise is SendMessage to one queue.',
  });
}
