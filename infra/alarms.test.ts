import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType } from '../test/template/reading.ts';
import { runEndedLine, sweptLine } from './alarms.ts';
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
  readonly MetricName: string;
}

const alarms = new Map(
  ofType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => {
    const alarm = Properties as unknown as AlarmProperties;
    return [alarm.AlarmName['Fn::Join'][1][1].replace(/^-/, ''), alarm] as const;
  }),
);
const filters = new Map(ofType(template, 'AWS::Logs::MetricFilter').map(([id, { Properties = {} }]) => [id.replace(/^Alarms|[0-9A-F]{8}$/g, ''), Properties]));

describe('the alarms', () => {
  it('are these, each with one topic to tell and the name of the stack before its own', () => {
    expect([...alarms.keys()].sort()).toEqual(['dead-control-steps', 'dead-lines', 'failed-runs', 'oldest-control-step', 'oldest-line', 'oldest-question']);
    const [[topic] = []] = ofType(template, 'AWS::SNS::Topic');
    for (const { AlarmActions, AlarmName, TreatMissingData } of alarms.values()) {
      expect(AlarmActions).toEqual([{ Ref: topic }]);
      expect(AlarmName['Fn::Join'][1][0]).toEqual({ Ref: 'AWS::StackName' });
      expect(TreatMissingData).toBe('notBreaching');
    }
  });

  it('see a dead letter that was handled within seconds, which no depth shows', () => {
    for (const name of ['dead-control-steps', 'dead-lines']) {
      expect(alarms.get(name)?.MetricName).toBe('NumberOfMessagesReceived');
      expect(alarms.get(name)?.Threshold).toBe(0);
    }
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
    const source = (file: string) => readFileSync(join(root, file), 'utf8');
    expect(source('shared/run/ending.ts')).toMatch(new RegExp(`log\\.info\\('${runEndedLine}', \\{[^}]*status: `));
    expect(source('functions/schedule/handler.ts')).toMatch(new RegExp(`log\\.info\\('${sweptLine}', \\{[^}]*oldestQuestionSeconds: `));
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
