import { expect, test } from 'vitest';
import { openPulumiBench, type PulumiBench, pulumiLine } from '../../test/ports/pulumi-bench.ts';
import { commitOf, planOf, planPath, repository } from '../../test/ports/workbench.ts';
import { bodyNow, edited, onBoard, pushed, rowsNow, setPolicy, ticking, ticksNow } from '../dashboard/dashboard-bench.fixture.ts';
import { type Row, stateOf } from '../dashboard/row.ts';
import { startScan } from '../scans/start-scan.ts';

/** The row of a stack of Pulumi, with the driver of the tool job and a Pulumi that is none. */

const bucket = (properties: object) => ({ type: 'aws:s3/bucket:Bucket', properties });
const program = { resources: { a: bucket({ size: 1 }), b: bucket({ size: 1, password: { 'fn::secret': 'CANARY-secret' } }) } };

const policyOf = (environment: object): string => `{drift: {enabled: true}, stacks: {env: ${JSON.stringify(environment)}}}`;

let scans = 0;

async function scanned({ bench }: PulumiBench): Promise<void> {
  bench.clock.advance(60_000);
  const commit = bench.code.tips.get('main') as string;
  const scan = { by: 'schedule', slot: `pulumi slot ${++scans}` } as const;
  await startScan(bench.world(), { repository, plan: { name: 'main', path: 'release.plan.yaml' }, environment: 'staging', commit, scan });
  await bench.quiet();
}

async function released(): Promise<PulumiBench> {
  const self = openPulumiBench({}, 'deployed');
  onBoard(self.bench, policyOf(self.environment));
  self.bench.code.people.set('mona', 'write');
  self.program('one', 'net', program);
  await pushed(self.bench, 'one', [pulumiLine('net')]);
  expect(Object.keys(self.backend().world())).toEqual(['a', 'b']);
  return self;
}

const row = ({ bench }: PulumiBench): Row | undefined => rowsNow(bench).find(({ line }) => line === 'net');
const state = (self: PulumiBench): string | undefined => {
  const found = row(self);
  return found && stateOf(found);
};

test('edited by hand and removed, found by a scan, ticked, put back, in sync; a clean check refreshes nothing (R2.11, R2.17, R2.24)', async () => {
  const self = await released();
  await scanned(self);
  expect(state(self)).toBe('in-sync');
  expect(self.calls.some((call) => call.includes('--refresh'))).toBe(false);
  self.edit('a', { size: 7 });
  self.edit('b', undefined);
  await scanned(self);
  expect(state(self)).toBe('drift');
  expect(row(self)?.drift).toMatchObject({ counts: { changed: 1, gone: 1 } });
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(ticksNow(self.bench)).toMatchObject([{ box: 'repair', line: 'net', state: 'done' }]);
  expect(self.backend().world()).toMatchObject({ a: { size: 1 }, b: { size: 1 } });
  expect(self.calls.findLast((call) => call.startsWith('up'))).toContain('--refresh');
  expect(state(self)).toBe('in-sync');
  await scanned(self);
  expect(state(self)).toBe('in-sync');
});

test('what moved once more after the scan is not put back: the row shows what is there now (R2.21)', async () => {
  const self = await released();
  self.edit('a', { size: 7 });
  await scanned(self);
  const before = row(self)?.drift?.digest;
  self.edit('a', { size: 9 });
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(self.backend().world()).toMatchObject({ a: { size: 9 } });
  expect(state(self)).toBe('drift');
  expect(row(self)?.drift?.digest).not.toBe(before);
});

test('what the commit changes as well is pending and no repair, though it is the very attribute that was edited; one tick does both (R2.18, R2.25)', async () => {
  const self = await released();
  self.edit('a', { size: 7 });
  self.edit('b', undefined);
  merged(self, 'two', { resources: { ...program.resources, a: bucket({ size: 2 }) } });
  await scanned(self);
  expect(state(self)).toBe('pending');
  const { pending, drift } = row(self) ?? {};
  expect(pending?.changes.map(({ change }) => change.label)).toEqual(['urn:pulumi:dev::shop::aws:s3/bucket:Bucket::a']);
  expect(drift).toMatchObject({ counts: { gone: 1 } });
  await edited(self.bench, 'mona', ticking('apply'));
  await self.bench.quiet();
  expect(self.backend().world()).toMatchObject({ a: { size: 2 }, b: { size: 1 } });
  expect(state(self)).toBe('in-sync');
});

/** The default branch goes on, and no event tells of it. */
function merged({ bench, environment, program: writes }: PulumiBench, commit: string, written: object): void {
  bench.code.history.push(commitOf(commit));
  bench.code.tips.set('main', commitOf(commit));
  bench.code.commit(commitOf(commit), planPath, planOf([pulumiLine('net')], { environments: ['staging'] }));
  writes(commit, 'net', written);
  setPolicy(bench, policyOf(environment));
}

test('a drifted secret is seen, though both of its states look the same, and nothing of it is told (R2.15)', async () => {
  const self = await released();
  const { b } = self.backend().world();
  self.edit('b', { ...b, password: { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', ciphertext: 'v1:22434e4152592d6f7468657222' } });
  await scanned(self);
  expect(state(self)).toBe('drift');
  expect(row(self)?.drift).toMatchObject({ counts: { changed: 1 } });
  expect(bodyNow(self.bench)).not.toContain('CANARY');
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(state(self)).toBe('in-sync');
  expect(self.backend().world()['b']).toEqual(b);
});

test('a read that says nothing of what is live leaves the row as it was (R2.10, R2.13)', async () => {
  const self = await released();
  self.edit('a', { size: 7 });
  await scanned(self);
  expect(state(self)).toBe('drift');
  self.mischief({ plays: { refresh: { stdout: '', exit: 0 } } });
  await scanned(self);
  expect(state(self)).toBe('drift');
});
