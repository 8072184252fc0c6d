import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, describe, expect, it } from 'vitest';
import { LockkeeperStack } from './lockkeeper-stack.ts';
import { awsTiming } from './timing.ts';

const outdir = mkdtempSync(join(tmpdir(), 'lockkeeper-nag-'));
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

function stackOf(): { app: App; stack: LockkeeperStack } {
  const app = new App({ outdir, analyticsReporting: false, builtinCloudFormationValidation: false });
  return { app, stack: new LockkeeperStack(app, 'Lockkeeper', { timing: awsTiming, code: 'none' }) };
}

const findings = ({ app, stack }: { app: App; stack: LockkeeperStack }): string[] =>
  new AwsSolutionsChecks(app)
    .validateScope(stack)
    .violations.flatMap((violation) => violation.violatingResources.map((resource) => `${violation.ruleName} ${resource.constructPath ?? ''}`));

describe('the AWS Solutions rules', () => {
  it('find nothing that is not acknowledged', () => {
    expect(findings(stackOf())).toEqual([]);
  });

  it('find a queue that takes unencrypted requests and has no dead-letter queue', () => {
    const planted = stackOf();
    new Queue(planted.stack, 'Planted');
    expect(findings(planted)).toEqual(['AwsSolutions-SQS3 Lockkeeper/Planted/Resource', 'AwsSolutions-SQS4 Lockkeeper/Planted/Resource']);
  });

  it('find one more wildcard of the controller, since each of its nine is acknowledged by name', () => {
    const planted = stackOf();
    const role = planted.stack.node.findChild('Functions').node.findChild('RunController').node.findChild('Role') as Role;
    role.addToPolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: ['arn:aws:s3:::somewhere/*'] }));
    expect(findings(planted)).toEqual(['AwsSolutions-IAM5[Resource::arn:aws:s3:::somewhere/*] Lockkeeper/Functions/RunController/Role/DefaultPolicy/Resource']);
  });

  it('are acknowledged for twenty-eight findings of these kinds, each with a reason a person can argue with', () => {
    const acknowledged = stackOf()
      .stack.node.findAll()
      .flatMap(({ node }) => node.metadata.filter(({ type }) => type === 'aws:cdk:acknowledged-rules'));
    const entries = acknowledged.flatMap(({ data }) => Object.entries(data as Record<string, string>));
    expect(entries.length).toBe(28);
    expect(new Set(entries.map(([id]) => /AwsSolutions-[A-Z]+\d+/.exec(id)?.[0]))).toEqual(
      new Set(['AwsSolutions-S1', 'AwsSolutions-SMG4', 'AwsSolutions-IAM5', 'AwsSolutions-APIG4', 'AwsSolutions-CB4']),
    );
    for (const [, reason] of entries) expect(reason.split(' ').length).toBeGreaterThan(15);
  });
});
