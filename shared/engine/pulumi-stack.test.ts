import { expect, test } from 'vitest';
import { answer } from '../../test/ports/people.ts';
import { openPulumiBench, type PulumiBench, pulumiLine } from '../../test/ports/pulumi-bench.ts';
import type { Run } from '../run/items.ts';

/** Stacks of Pulumi through a whole run, with the driver of the tool job and a Pulumi that is none. */

const bucket = (properties: object) => ({ type: 'aws:s3/bucket:Bucket', properties });
const program = (size: number) => ({
  resources: { a: bucket({ size }), b: bucket({ of: '${a.id}' }) },
  outputs: { url: '${a.id}', secret: { 'fn::secret': 'CANARY-output' } },
});

/** A person's run in production, planned and parked. */
async function asked({ bench }: PulumiBench, changes: readonly object[], commit: string): Promise<Run> {
  bench.clock.advance(1000);
  bench.pull(7, commit, changes);
  const id = await bench.command({ commit, environment: 'production', scope: 'main' });
  await bench.quiet();
  return bench.run(id);
}

test('where nobody is asked a stack of Pulumi is previewed and updated in one job, and its outputs are those of its line', async () => {
  const self = openPulumiBench();
  self.program('one', 'net', program(1));
  const lines = [pulumiLine('net', { outputs: ['url', 'secret'] }), { id: 'app', things: { x: { from: 'net.url' }, y: { from: 'net.secret' } } }];
  const run = await self.bench.release(7, 'one', lines);
  expect(await self.bench.report(run.id)).toMatchObject({ status: 'complete' });
  expect(self.bench.provider.names()).toEqual(['x=a-1', 'y=CANARY-output']);
  expect(self.calls.filter((call) => /^(preview|up)/.test(call)).map((call) => call.split(' ')[0])).toEqual(['preview', 'up']);
  expect(self.calls.find((call) => call.startsWith('up'))).toContain('--skip-preview');
  self.program('two', 'net', program(1));
  const again = await self.bench.release(7, 'two', lines);
  expect(await self.bench.statuses(again.id)).toMatchObject({ net: 'unchanged' });
});

test('people are asked about a stack of Pulumi, and its update keeps to the plan that they saw, after a fresh preview (R4.1, R4.5)', async () => {
  const self = openPulumiBench();
  self.program('one', 'net', program(1));
  const run = await asked(self, [pulumiLine('net')], 'one');
  expect(run).toMatchObject({ phase: 'awaiting', question: { q: 1 } });
  expect(self.backend().world()).toEqual({});
  self.calls.length = 0;
  expect(await answer(self.bench, run)).toMatchObject({ phase: 'done', outcome: 'complete' });
  expect(self.backend().world()).toMatchObject({ a: { size: 1 }, b: {} });
  const last = self.calls.filter((call) => /^(preview|up)/.test(call));
  expect(last.at(-2)).toBe('preview --json --non-interactive --color never --stack dev');
  expect(last.at(-1)).toBe('up --yes --json --non-interactive --color never --stack dev --plan');
});

test('what moved between the approval and the update is asked about anew, and nothing was applied (R4.6, R4.8)', async () => {
  const self = openPulumiBench();
  self.program('one', 'net', program(1));
  await self.bench.release(7, 'one', [pulumiLine('net')]);
  const other = openPulumiBench();
  other.program('one', 'net', program(1));
  const run = await asked(other, [pulumiLine('net')], 'one');
  other.backend().write('dev', self.backend().read('dev') ?? { resources: [], outputs: {}, pending: [] });
  const state = await answer(other.bench, run);
  expect(state).toMatchObject({ round: 2 });
  // What stands already is recorded by an update that has nothing to do.
  expect(other.backend().world()).toEqual({});
});

test('I1: nothing that is stored of a stack of Pulumi holds a value of it, nor a former secret that its plan refuses in clear', async () => {
  const self = openPulumiBench();
  const resources = { a: bucket({ password: { 'fn::secret': 'CANARY-secret' }, note: 'CANARY-plain' }) };
  self.program('one', 'net', { resources, outputs: { secret: { 'fn::secret': 'CANARY-output' } } });
  const run = await asked(self, [pulumiLine('net')], 'one');
  self.mischief({ plays: { up: { stdout: refusal, exit: 1 } } });
  await answer(self.bench, run);
  expect(self.calls.some((call) => call.startsWith('up'))).toBe(true);
  expect(JSON.stringify(self.bench.memory.items())).not.toContain('CANARY');
});

const refusal = `${JSON.stringify({
  steps: [],
  diagnostics: [
    {
      urn: 'urn:pulumi:dev::shop::a:b:C::d',
      severity: 'error',
      message: 'error: resource urn:pulumi:dev::shop::a:b:C::d violates plan: properties changed: ~~password[{&{{CANARY-rotated-1}}}!={&{{[secret]}}}]\n',
    },
  ],
  duration: 1,
  changeSummary: { same: 1 },
})}\n`;

test('a closed pull request has Pulumi destroy what is in its stack', async () => {
  const self = openPulumiBench();
  self.program('one', 'net', program(1));
  await self.bench.release(7, 'one', [pulumiLine('net')]);
  expect(Object.keys(self.backend().world())).toEqual(['a', 'b']);
  const run = await self.bench.close(7, 'one');
  expect(await self.bench.report(run.id)).toMatchObject({ status: 'complete' });
  expect(self.backend().world()).toEqual({});
  expect(self.calls.at(-1)).toMatch(/^stack export/);
});
