import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { ofType } from '../test/template/reading.ts';
import { chosenFor } from './lockkeeper-stack.ts';
import { synthesizeTemplate } from './template.ts';
import { awsTiming, shortTiming } from './timing.ts';

const template = synthesizeTemplate({ timing: awsTiming });

describe('the template', () => {
  it('is made in this process in under a second, and leaves no file behind', () => {
    const litter = (): number => readdirSync(tmpdir()).filter((name) => name.startsWith(`lockkeeper-template-${process.pid}-`)).length;
    const started = performance.now();
    synthesizeTemplate({ timing: shortTiming });
    expect(performance.now() - started).toBeLessThan(1000);
    expect(litter()).toBe(0);
  });

  it('is the same every time it is made', () => {
    expect(synthesizeTemplate({ timing: awsTiming })).toEqual(template);
  });

  it('asks for one parameter, the allow-list, which is empty unless somebody fills it', () => {
    expect(Object.entries(template.Parameters ?? {}).map(([name, { Default }]) => [name, Default])).toEqual([['Repositories', '']]);
    expect(synthesizeTemplate({ timing: shortTiming, repositories: 'acme/shop' }).Parameters?.['Repositories']?.Default).toBe('acme/shop');
  });

  it('takes names, owners, ids and all for the allow-list, and nothing else', () => {
    const pattern = new RegExp(template.Parameters?.['Repositories']?.AllowedPattern ?? '(?!)');
    for (const good of ['', '*', 'acme/shop', 'acme/*', '123456', 'acme/shop, acme/web-2.0,77']) expect(good).toMatch(pattern);
    for (const bad of ['acme', 'acme/', 'acme/shop;acme/web', 'https://github.com/acme/shop', 'acme/shop,', ' ']) expect(bad).not.toMatch(pattern);
  });

  it('is one of several in an account by the name of its stack and of its secrets, both chosen with -c', () => {
    expect(chosenFor(new App({ analyticsReporting: false }))).toEqual({ stack: 'Lockkeeper', secretsPrefix: 'lockkeeper' });
    const context = { stack: 'Lockkeeper-Staging', secretsPrefix: 'staging-lockkeeper' };
    expect(chosenFor(new App({ analyticsReporting: false, context }))).toEqual(context);
    for (const wrong of [{ stack: '1st' }, { stack: 'a/b' }, { secretsPrefix: 'a/b' }, { secretsPrefix: '' }, { stack: 7 }]) {
      expect(() => chosenFor(new App({ analyticsReporting: false, context: wrong }))).toThrow(`-c ${Object.keys(wrong)[0]}=`);
    }
    const second = synthesizeTemplate({ timing: awsTiming, secretsPrefix: context.secretsPrefix });
    const fixed = (one: typeof template): unknown[] => ofType(one, 'AWS::SecretsManager::Secret').map(([, { Properties }]) => Properties?.['Name']);
    expect(fixed(second).filter((name) => fixed(template).includes(name))).toEqual([]);
  });

  it('tells a person where to send webhooks and where state, secrets, alarms and dead messages are', () => {
    const places = [
      'WebhookUrl',
      'SlackInteractionsUrl',
      'TableName',
      'BucketName',
      'EventBusName',
      'StateMachineArn',
      'ControlQueueUrl',
      'LinesQueueUrl',
      'ControlDeadLetterQueueUrl',
      'LinesDeadLetterQueueUrl',
      'ScheduleName',
      'ToolPlanProjectName',
      'ToolApplyProjectName',
      'LineWorkerRoleArn',
      'AlarmTopicArn',
    ];
    expect(Object.keys(template.Outputs ?? {})).toEqual(['Version', 'CodeHash', ...places, 'WebhookSecretName', 'GithubAppSecretName', 'SlackSecretName']);
  });

  it('cannot be made with times under which the protocol does not hold', () => {
    expect(() => synthesizeTemplate({ timing: { lineTimeoutSeconds: 101, leaseTtlSeconds: 900, skewSeconds: 30 } })).toThrow('9 × the line time-out');
  });

  it('holds no secret value, and resolves none', () => {
    expect(JSON.stringify(template)).not.toMatch(/"SecretString"|\{\{resolve:/);
  });

  it('has two schedules, and nobody who could make another', () => {
    const schedules = ofType(template, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties);
    expect(schedules.map((one) => one?.['ScheduleExpression'])).toEqual(['rate(15 minutes)', 'cron(17 3 * * ? *)']);
    const targets = schedules.map((one) => one?.['Target'] as { Input?: string } | undefined);
    expect(targets.map((target) => target?.Input)).toEqual(['{"scheduledAt":"<aws.scheduler.scheduled-time>"}', '{"tick":"clean-up"}']);
    expect(ofType(template, 'AWS::Events::Rule').filter(([, { Properties }]) => Properties?.['ScheduleExpression'] !== undefined)).toEqual([]);
    expect(JSON.stringify(template)).not.toMatch(/"(scheduler|iam):|"events:Put(Rule|Targets)/);
  });

  it('drops a tick before the next one comes', () => {
    const text = JSON.stringify([...ofType(template, 'AWS::Scheduler::Schedule'), ...ofType(template, 'AWS::Lambda::EventInvokeConfig')]);
    const ages = [...text.matchAll(/"MaximumEventAgeInSeconds":(\d+)/g)].map(([, seconds]) => Number(seconds));
    expect(ages).toEqual([600, 600, 600]);
  });

  it('has two ways in, one for GitHub and one for Slack, throttled, and logged without headers', () => {
    expect(ofType(template, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties?.['RouteKey'])).toEqual([
      'POST /webhooks/github',
      'POST /slack/interactions',
    ]);
    expect(ofType(template, 'AWS::Lambda::Url')).toEqual([]);
    const stages = ofType(template, 'AWS::ApiGatewayV2::Stage').map(([, { Properties }]) => Properties);
    expect(stages).toMatchObject([{ DefaultRouteSettings: { ThrottlingBurstLimit: 100, ThrottlingRateLimit: 50 } }]);
    expect(JSON.stringify(stages)).not.toMatch(/header|query|authorizer/i);
  });
});
