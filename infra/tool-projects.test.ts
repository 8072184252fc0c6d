import { describe, expect, it } from 'vitest';
import { controlMessage } from '../events/control-message.ts';
import { actionsOf, idOf, ofType, propertiesOf } from '../test/template/reading.ts';
import { transformed } from './local/events/transformed.ts';
import { synthesizeTemplate } from './template.ts';
import { awsTiming } from './timing.ts';

const template = synthesizeTemplate({ timing: awsTiming });
const bucket = idOf(template, 'AWS::S3::Bucket', 'ObjectsBucket');

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

const roleOf = (purpose: 'Plan' | 'Apply') =>
  propertiesOf(template, idOf(template, 'AWS::IAM::Role', `Tools${purpose}Role`)) as {
    AssumeRolePolicyDocument: { Statement: { Principal: object; Condition?: object }[] };
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };

/** Action, and the folder of the bucket it is allowed in. */
const rightsOf = (purpose: 'Plan' | 'Apply'): string[] =>
  roleOf(purpose).Policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap(({ Action, Resource }) =>
      [Resource].flat().flatMap((one) => {
        const [, [at, path]] = (one as { 'Fn::Join': [string, [unknown, string]] })['Fn::Join'];
        expect(at).toEqual({ 'Fn::GetAtt': [bucket, 'Arn'] });
        return [Action].flat().map((action) => `${action} ${path}`);
      }),
    ),
  );

const projects = ofType(template, 'AWS::CodeBuild::Project').map(([, { Properties }]) => Properties as Record<string, unknown>);

describe('the projects in which tools run', () => {
  it('are one for plans and one for applies; a plan can put nothing where an apply looks', () => {
    expect(rightsOf('Plan')).toEqual(['s3:GetObject /tools/plan/*', 's3:GetObject /sources/*', 's3:PutObject /tools/plan/*']);
    expect(rightsOf('Apply')).toEqual(['s3:GetObject /tools/apply/*', 's3:GetObject /sources/*', 's3:GetObject /plans/saved/*', 's3:PutObject /tools/apply/*']);
  });

  it('have roles that CodeBuild alone takes, for this account', () => {
    for (const purpose of ['Plan', 'Apply'] as const) {
      expect(roleOf(purpose).AssumeRolePolicyDocument.Statement).toMatchObject([
        { Principal: { Service: 'codebuild.amazonaws.com' }, Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } } },
      ]);
    }
  });

  it('log nothing, keep nothing, have no rights over the machine, and are told nothing that is secret', () => {
    expect(projects).toHaveLength(2);
    for (const project of projects) {
      expect(project).toMatchObject({
        LogsConfig: { CloudWatchLogs: { Status: 'DISABLED' }, S3Logs: { Status: 'DISABLED' } },
        Artifacts: { Type: 'NO_ARTIFACTS' },
        Environment: { PrivilegedMode: false },
      });
      expect(project).not.toHaveProperty('Cache');
      expect(project).not.toHaveProperty('VpcConfig');
      const { EnvironmentVariables: variables } = project['Environment'] as { EnvironmentVariables: { Name: string; Type: string }[] };
      expect(variables.map(({ Name, Type }) => `${Name} ${Type}`)).toEqual(['BUCKET_NAME PLAINTEXT', 'LOCKKEEPER_TOOL_PURPOSE PLAINTEXT']);
    }
  });

  it('run for eight hours and wait for a quarter of one at most', () => {
    for (const project of projects) expect(project).toMatchObject({ TimeoutInMinutes: 480, QueuedTimeoutInMinutes: 15 });
  });

  it('tell of each end on the control queue, in the words of a control message', () => {
    const { EventPattern, Targets } = propertiesOf(template, idOf(template, 'AWS::Events::Rule', 'ToolsEnded')) as {
      EventPattern: object;
      Targets: { Arn: unknown; InputTransformer: { InputPathsMap: Record<string, string>; InputTemplate: string } }[];
    };
    const [plan, apply] = ['Plan', 'Apply'].map((name) => idOf(template, 'AWS::CodeBuild::Project', `Tools${name}`));
    expect(EventPattern).toEqual({
      source: ['aws.codebuild'],
      'detail-type': ['CodeBuild Build State Change'],
      detail: { 'build-status': ['SUCCEEDED', 'FAILED', 'FAULT', 'STOPPED', 'TIMED_OUT'], 'project-name': [{ Ref: plan }, { Ref: apply }] },
    });
    expect(Targets.map(({ Arn }) => Arn)).toEqual([{ 'Fn::GetAtt': [idOf(template, 'AWS::SQS::Queue', 'QueuesControl'), 'Arn'] }]);
    const variables = [{ name: 'LOCKKEEPER_TOOL_TOKEN', value: 'run-0-abc', type: 'PLAINTEXT' }];
    const event = { detail: { 'build-status': 'FAILED', 'additional-information': { environment: { 'environment-variables': variables } } } };
    const [target] = Targets;
    expect(controlMessage.parse(target && transformed(target.InputTransformer, event))).toEqual({ format: 7, look: 'tool-job', variables, group: 'tool-job' });
  });

  it('are started by the line worker, ended by the controller as well, and known to nobody else', () => {
    const started = (entry: string) => actionsOf(template, entry).filter((action) => action.startsWith('codebuild:'));
    expect(started('line-worker')).toContain('codebuild:StartBuild');
    expect(started('run-controller')).not.toContain('codebuild:StartBuild');
    for (const entry of ['github-webhook', 'slack-interaction', 'schedule', 'dead-letter']) expect(started(entry)).toEqual([]);
  });
});
