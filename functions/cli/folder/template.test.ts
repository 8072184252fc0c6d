import { expect, it } from 'vitest';
import { synthesizeTemplate } from '../../../infra/template.ts';
import { localTiming } from '../../../infra/timing.ts';
import { withConcurrency, withoutWorkers } from './template.ts';

const template = synthesizeTemplate({ timing: localTiming }) as Parameters<typeof withConcurrency>[0];

/** Properties of every queue mapping, by the entry of its function. */
function mappings({ Resources }: typeof template) {
  const entryOf = (reference: unknown) => Resources[(reference as { Ref: string }).Ref]?.Metadata?.['lockkeeper:entry'];
  const found = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::EventSourceMapping');
  return found.map(
    ({ Properties = {} }) => ({ entry: entryOf(Properties['FunctionName']), ...Properties }) as { entry: string; Enabled?: boolean; ScalingConfig: unknown },
  );
}

it('sets how many lines are worked on at a time, and nothing else', () => {
  const [before, after] = [mappings(template), mappings(withConcurrency(template, 1))];
  expect(after.filter(({ entry }) => entry === 'line-worker').map(({ ScalingConfig }) => ScalingConfig)).toEqual([{ MaximumConcurrency: 1 }]);
  expect(after.filter(({ entry }) => entry !== 'line-worker')).toEqual(before.filter(({ entry }) => entry !== 'line-worker'));
});

it('lets nothing read the queues for whoever only looks', () => {
  const off = mappings(withoutWorkers(template));
  expect(off).toHaveLength(4);
  for (const { Enabled } of off) expect(Enabled).toBe(false);
});
