import { describe, expect, it } from 'vitest';
import { functionOf, mappingsOf, ofType, propertiesOf } from '../test/template/reading.ts';
import { synthesizeTemplate } from './template.ts';
import { awsTiming, localTiming, shortTiming, type Timing } from './timing.ts';

const template = synthesizeTemplate({ timing: awsTiming });
const times: [string, Timing][] = [
  ['AWS', awsTiming],
  ['local', localTiming],
  ['short', shortTiming],
  ['slow control', { ...shortTiming, controlTimeoutSeconds: 5 }],
];

describe('the queues', () => {
  it.each(times)('hide a message for six time-outs of its reader (%s times)', (_, timing) => {
    const made = synthesizeTemplate({ timing });
    const mappings = mappingsOf(made);
    expect(mappings).toHaveLength(4);
    for (const { queue, reader } of mappings) expect(propertiesOf(made, queue)['VisibilityTimeout']).toBe(6 * Number(propertiesOf(made, reader)['Timeout']));
  });

  it.each(times)('feed a line worker that a lease outlives nine times (%s times)', (_, timing) => {
    const { Timeout, Environment } = functionOf(synthesizeTemplate({ timing }), 'line-worker').properties;
    expect(Number(Environment.Variables['LEASE_TTL_SECONDS'])).toBeGreaterThanOrEqual(9 * Timeout);
  });

  it('hand over one message at a time, take back single failures, and bound how many run at once', () => {
    const mappings = mappingsOf(template).map(({ properties }) => properties);
    for (const mapping of mappings) expect(mapping).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect(mappings.map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency)).toEqual([10, 50, 2, 2]);
  });

  it('are standard queues that keep a message for two weeks', () => {
    const queues = ofType(template, 'AWS::SQS::Queue').map(([, { Properties }]) => Properties);
    expect(queues).toHaveLength(4);
    for (const queue of queues) {
      expect(queue).not.toHaveProperty('FifoQueue');
      expect(queue).toMatchObject({ MessageRetentionPeriod: 14 * 24 * 3600, SqsManagedSseEnabled: true });
    }
  });

  it('give a message up after ten receives for control, five for lines', () => {
    const counts = ofType(template, 'AWS::SQS::Queue').flatMap(([, { Properties }]) => /"maxReceiveCount":(\d+)/.exec(JSON.stringify(Properties))?.[1] ?? []);
    expect(counts).toEqual(['10', '5']);
  });

  it('leave what died to the dead-letter function', () => {
    const reader = functionOf(template, 'dead-letter').id;
    const read = mappingsOf(template).filter((mapping) => mapping.reader === reader);
    expect(read.map(({ queue }) => queue)).toEqual([expect.stringMatching(/^QueuesControlDead/), expect.stringMatching(/^QueuesLinesDead/)]);
  });
});
