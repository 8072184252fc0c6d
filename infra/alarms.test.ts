import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ofType } from '../test/template/reading.ts';
import { brokenGlassLine, clickFailedLine, runEndedLine, sweptLine } from './alarms.ts';
import { synthesizeTemplate } from './template.ts';
import { awsTiming, visibilityOf } from './timing.ts';

const root = join(import.meta.dirname, '..');
const template = synthesizeTemplate({ timing: awsTiming });

interface AlarmProperties {
  readonly AlarmName: { readonly 'Fn::Join': [string, [unknown, string]] };
  readonly AlarmDescription: string;
  readonly AlarmActions: readonly unknown[];
  readonly Threshold: number;
  readonly TreatMissingData: string;
  readonly MetricName?: string;
  readonly Metrics?: unknown;
}

/** What everybody may and may not do with a topic. */
const topicPolicy = z.object({
  Topics: z.array(z.object({ Ref: z.string() })),
  PolicyDocument: z.object({
    Statement: z.array(
      z.looseObject({
        Effect: z.enum(['Allow', 'Deny']),
        Resource: z.unknown(),
        Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
      }),
    ),
  }),
});

const alarms = new Map(
  ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
    const alarm = Properties as unknown as AlarmProperties;
    return [alarm.AlarmName['Fn::Join'][1][1].replace(/^-/, ''), alarm] as const;
  }),
);
const filters = new Map(ofType(template, 'AWS::Logs::MetricFilter').map(([id, { Properties = {} }]) => [id.replace(/^Alarms|[0-9A-F]{8}$/g, ''), Properties]));

describe('the alarms', () => {
  it('are these, each with one topic to tell and the name of the stack before its own', () => {
    const names = [
      'broken-glass',
      'dead-control-steps',
      'dead-lines',
      'failed-clicks',
      'failed-runs',
      'oldest-control-step',
      'oldest-line',
      'oldest-question',
      'overdue-scans',
      'stopped-schedule',
      'unread-control-steps',
      'unread-lines',
    ];
    expect([...alarms.keys()].sort()).toEqual(names);
    const [[topic] = []] = ofType(template, 'AWS::SNS::Topic');
    for (const { AlarmActions, AlarmName } of alarms.values()) {
      expect(AlarmActions).toEqual([{ Ref: topic }]);
      expect(AlarmName['Fn::Join'][1][0]).toEqual({ Ref: 'AWS::StackName' });
    }
  });

  it('may each be told to their topic, which lets in nobody else: a policy of its own takes the place of the one SNS gives', () => {
    const [[topic] = []] = ofType(template, 'AWS::SNS::Topic');
    const policies = ofType(template, 'AWS::SNS::TopicPolicy').map(([, { Properties }]) => topicPolicy.parse(Properties));
    const statements = policies.filter(({ Topics }) => Topics.some(({ Ref }) => Ref === topic)).flatMap((policy) => policy.PolicyDocument.Statement);
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toMatchObject([{ Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish', Resource: { Ref: topic } }]);
    const [{ Condition } = { Condition: undefined }] = allowed;
    expect(Condition).toMatchObject({ StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } });
    const sources = JSON.stringify(Condition?.['ArnEquals']);
    expect(sources.match(/:cloudwatch:/g)).toHaveLength(alarms.size);
    for (const name of alarms.keys()) expect(sources).toContain(`":alarm:",{"Ref":"AWS::StackName"},"-${name}"`);
  });

  it('see a dead letter that was handled within seconds, which no depth shows, and one that nobody takes out', () => {
    for (const name of ['control-steps', 'lines']) {
      expect(alarms.get(`dead-${name}`)).toMatchObject({ MetricName: 'NumberOfMessagesReceived', Threshold: 0 });
      expect(alarms.get(`unread-${name}`)).toMatchObject({ MetricName: 'ApproximateNumberOfMessagesVisible', Threshold: 0 });
    }
  });

  it('are of one metric each: metric math is not known wherever the template is deployed', () => {
    for (const { Metrics } of alarms.values()) expect(Metrics).toBeUndefined();
  });

  it('take a missing figure for all being well, but where the figure itself is the sign of life', () => {
    const breaching = [...alarms].filter(([, { TreatMissingData }]) => TreatMissingData !== 'notBreaching');
    expect(breaching.map(([name, { TreatMissingData }]) => [name, TreatMissingData])).toEqual([['stopped-schedule', 'breaching']]);
    expect(alarms.get('stopped-schedule')).toMatchObject({
      MetricName: 'OldestQuestionSeconds',
      Statistic: 'SampleCount',
      Period: 3600,
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
    });
  });

  it('let a message be redelivered after a death or two before they call it stuck', () => {
    expect(alarms.get('oldest-line')?.Threshold).toBe(3 * visibilityOf(awsTiming.lineTimeoutSeconds));
    expect(alarms.get('oldest-control-step')?.Threshold).toBeGreaterThan(2 * visibilityOf(awsTiming.lineTimeoutSeconds));
  });

  it('count lines that the functions write', () => {
    expect(filters.get('FailedRuns')?.['FilterPattern']).toBe('{ ($.message = "run ended") && (($.status = "failed") || ($.status = "fenced-out")) }');
    expect(filters.get('OldestQuestionSeconds')).toMatchObject({
      FilterPattern: '{ $.message = "swept" }',
      MetricTransformations: [{ MetricValue: '$.oldestQuestionSeconds' }],
    });
    expect(filters.get('OverdueScans')).toMatchObject({
      FilterPattern: '{ ($.message = "swept") && ($.scansOverdue >= 0) }',
      MetricTransformations: [{ MetricValue: '$.scansOverdue' }],
    });
    expect(filters.get('BrokenGlass')?.['FilterPattern']).toBe('{ $.message = "the glass was broken" }');
    expect(filters.get('FailedClicks')?.['FilterPattern']).toBe(`{ $.message = "${clickFailedLine}" }`);
    const source = (file: string) => readFileSync(join(root, file), 'utf8');
    expect(source('shared/run/ending.ts')).toMatch(new RegExp(`log\\.info\\('${runEndedLine}', \\{[^}]*status: `));
    expect(source('functions/slack-interaction/interaction.ts')).toContain(`log.error('${clickFailedLine}', {`);
    expect(source('shared/guard/honour.ts')).toContain(`log.error('${brokenGlassLine}', {`);
    expect(source('functions/schedule/tick.ts')).toMatch(new RegExp(`log\\.info\\('${sweptLine}', \\{[^}]*oldestQuestionSeconds: `));
  });

  it('each have a section of the runbook, which says what it means, what to look at and what fixes it', () => {
    const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
    const sections = new Map(
      runbook
        .split(/^## /m)
        .slice(1)
        .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
    );
    expect([...sections.keys()].filter((name) => /^[a-z-]+$/.test(name)).sort()).toEqual([...alarms.keys()].sort());
    for (const [name, { AlarmDescription }] of alarms) {
      expect(AlarmDescription).toContain(`docs/runbook.md, section ${name}`);
      for (const part of ['**It means**', '**Look at**', '**It is fixed by**', '```']) expect(sections.get(name)).toContain(part);
    }
  });
});
