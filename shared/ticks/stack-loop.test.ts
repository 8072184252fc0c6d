import { expect, test } from 'vitest';
import { openStackBench, type StackBench, stackLine } from '../../test/ports/stack-bench.ts';
import { commitOf, planOf, planPath, repository } from '../../test/ports/workbench.ts';
import { bodyNow, boxesNow, edited, onBoard, pushed, rowsNow, setPolicy, ticking, ticksNow } from '../dashboard/dashboard-bench.fixture.ts';
import { type Row, stateOf } from '../dashboard/row.ts';
import type { ReadDocument } from '../drift/read-document.ts';
import { startScan } from '../scans/start-scan.ts';
import type { ToolFailure, ToolOutcome } from '../stacks/tool-work.ts';
import { always } from '../table/condition.ts';

const watched = '{drift: {enabled: true}, stacks: {}}';
const plan = (things: object = { a: '1', b: '2' }) => [stackLine('net', things), { id: 'app', things: { x: '1' } }];

let scans = 0;

/** Looks at everything, as a schedule would. */
async function scanned({ bench }: StackBench): Promise<string> {
  bench.clock.advance(60_000);
  const commit = bench.code.tips.get('main') as string;
  const scan = { by: 'schedule', slot: `stack slot ${++scans}` } as const;
  const id = await startScan(bench.world(), { repository, plan: { name: 'main', path: 'release.plan.yaml' }, environment: 'staging', commit, scan });
  await bench.quiet();
  return String(id);
}

async function released(policy = watched): Promise<StackBench> {
  const self = openStackBench({}, 'deployed');
  onBoard(self.bench, policy);
  self.bench.code.people.set('mona', 'write').set('sam', 'read');
  await pushed(self.bench, 'one', plan());
  expect([...self.state().live]).toEqual([
    ['thing.a', '1'],
    ['thing.b', '2'],
  ]);
  return self;
}

const rows = ({ bench }: StackBench): Record<string, Row> => Object.fromEntries(rowsNow(bench).map((row) => [row.line ?? 'plan', row]));
const states = (self: StackBench): Record<string, string> => Object.fromEntries(Object.entries(rows(self)).map(([name, row]) => [name, stateOf(row)]));
const documents = ({ bench }: StackBench): ReadDocument[] =>
  bench.bucket
    .keys()
    .filter((key) => key.startsWith('drift/'))
    .map((key) => JSON.parse(bench.bucket.bodies(key).at(-1) ?? '') as ReadDocument);

test('a stack has a row of its own beside its plan’s, from the first release on (R2.25)', async () => {
  const self = await released();
  expect(states(self)).toEqual({ plan: 'in-sync', net: 'in-sync' });
  expect(bodyNow(self.bench)).toContain('**stack `net` of `main` in `staging`**');
});

test('edited by hand, found by a scan, ticked, repaired, in sync (R2.17, R2.24)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  await scanned(self);
  expect(states(self)).toEqual({ plan: 'in-sync', net: 'drift' });
  expect(rows(self)['net']?.drift).toMatchObject({ counts: { changed: 1 }, resources: [{ line: 'net', label: 'thing.a', kind: 'changed' }] });
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(self.state().live.get('thing.a')).toBe('1');
  expect(states(self)).toEqual({ plan: 'in-sync', net: 'in-sync' });
  expect(rows(self)['net']?.repaired).toMatchObject({ by: 'mona' });
  expect(ticksNow(self.bench)).toMatchObject([{ box: 'repair', line: 'net', state: 'done' }]);
  expect(boxesNow(self.bench).filter(({ ticked }) => ticked)).toEqual([]);
});

/** The default branch goes on, and no event tells of it. */
function merged({ bench }: StackBench, commit: string, changes: readonly object[], policy = watched): void {
  bench.code.history.push(commitOf(commit));
  bench.code.tips.set('main', commitOf(commit));
  bench.code.commit(commitOf(commit), planPath, planOf(changes, { environments: ['staging'] }));
  setPolicy(bench, policy);
}

test('what is pending and what drifted have one box, and one tick does both: a tool does all of its plan (R2.16, R2.18, R2.25)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  merged(self, 'two', plan({ a: '1', b: '3' }));
  await scanned(self);
  expect(states(self)['net']).toBe('pending');
  const { pending, drift } = rows(self)['net'] ?? {};
  expect(pending).toMatchObject({ counts: { update: 1 }, changes: [{ change: { label: 'thing.b' } }] });
  expect(drift).toMatchObject({ resources: [{ label: 'thing.a' }] });
  expect(drift?.digest).toBeUndefined();
  expect(boxesNow(self.bench).map(({ marker }) => [marker.box, marker.line])).toEqual([
    ['rescan', undefined],
    ['apply', 'net'],
  ]);
  expect(bodyNow(self.bench)).toContain('all that its tool would do: 1 drifted resource put back as well');
  await edited(self.bench, 'mona', ticking('apply'));
  await self.bench.quiet();
  expect([...self.state().live]).toEqual([
    ['thing.a', '1'],
    ['thing.b', '3'],
  ]);
  expect(states(self)).toEqual({ plan: 'in-sync', net: 'in-sync' });
});

test('a tick of a stack leaves the rest of its plan alone, and the other way round', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  self.bench.provider.edit('x', 'by hand');
  await scanned(self);
  expect(states(self)).toEqual({ plan: 'drift', net: 'drift' });
  await edited(self.bench, 'mona', (body) => body.replace(/- \[ \] ([^\r\n]*<!-- lockkeeper:repair [^\r\n]*line="net")/, '- [x] $1'));
  await self.bench.quiet();
  expect([self.state().live.get('thing.a'), self.bench.provider.names()]).toEqual(['1', ['x=by hand']]);
  expect(states(self)).toEqual({ plan: 'drift', net: 'in-sync' });
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(self.bench.provider.names()).toEqual(['x=1']);
  expect(states(self)).toEqual({ plan: 'in-sync', net: 'in-sync' });
});

test('what was ticked of a line that takes what a stack gives is done, and the stack beside it is asked and left as it is (R2.25)', async () => {
  const self = openStackBench({}, 'deployed');
  onBoard(self.bench, watched);
  self.bench.code.people.set('mona', 'write').set('sam', 'read');
  const taking = [stackLine('net', { a: '1', b: '2' }, { outputs: ['a'] }), { id: 'app', things: { x: { from: 'net.a' }, y: '1' } }];
  await pushed(self.bench, 'one', taking);
  self.state().live.set('thing.b', 'by hand');
  self.bench.provider.edit('y', 'by hand');
  await scanned(self);
  expect(states(self)).toEqual({ plan: 'drift', net: 'drift' });
  await edited(self.bench, 'mona', (body) => body.replace(/- \[ \] ([^\r\n]*<!-- lockkeeper:repair (?![^\r\n]*line=)[^\r\n]*)/, '- [x] $1'));
  await self.bench.quiet();
  expect([self.state().live.get('thing.b'), self.bench.provider.names().sort()]).toEqual(['by hand', ['x=1', 'y=1']]);
  expect(states(self)).toEqual({ plan: 'in-sync', net: 'drift' });
  expect(ticksNow(self.bench)).toMatchObject([{ box: 'repair', state: 'done' }]);
});

test('drift that moved: nothing is written, the row shows the fresh difference, and the person is told once (R2.21)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  await scanned(self);
  const before = rows(self)['net']?.drift?.digest;
  self.state().live.set('thing.a', 'by somebody else');
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(self.state().live.get('thing.a')).toBe('by somebody else');
  expect(rows(self)['net']?.drift?.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(rows(self)['net']?.drift?.digest).not.toBe(before);
  expect(
    [...self.bench.code.comments.values()].filter((body) => body.includes('@mona') && body.includes('TICK_STALE') && body.includes('**net**')),
  ).toHaveLength(1);
});

test('drift that was put back outside meanwhile is a success with nothing to do, and says so (R2.23)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  await scanned(self);
  self.state().live.set('thing.a', '1');
  const jobs = self.jobs().length;
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(self.jobs().slice(jobs)).toEqual(['plan']);
  expect([...self.bench.code.comments.values()].join()).toContain('DRIFT_GONE');
  expect(states(self)['net']).toBe('in-sync');
});

test('a check that fails ends the tick’s run as a failure, and nothing is written (R2.22)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  await scanned(self);
  self.instead = () => failedPlan();
  await edited(self.bench, 'mona', ticking('repair'));
  await self.bench.quiet();
  expect(self.state().live.get('thing.a')).toBe('by hand');
  expect(ticksNow(self.bench)).toMatchObject([{ state: 'refused', say: expect.stringMatching(/TOOL_FAILED.*Line net: /) }]);
});

const failedPlan = (more: Partial<ToolFailure> = {}): ToolOutcome => ({
  format: 1,
  words: 'CANARY in the words of the tool',
  did: 'failed',
  cause: 'plan-failed',
  message: 'The tool’s plan failed.',
  diagnostics: [],
  ...more,
});

test('a scan takes no lock of the tool’s and no lease, looks in one job, and a lock that somebody has keeps nobody from looking (R2.7, R2.8; drift-locked, R2.32)', async () => {
  const self = await released();
  self.lock = { who: 'somebody at a terminal' };
  self.state().live.set('thing.a', 'by hand');
  const jobs = self.bench.runner.began.length;
  await scanned(self);
  const looks = self.bench.runner.began.slice(jobs).map(({ work }) => work);
  expect(looks.map(({ do: doing, lock, drift }) => [doing, lock, drift])).toEqual([['plan', false, true]]);
  expect(states(self)['net']).toBe('drift');
});

test('a preview that failed is no check: what was found before stands, and the row says so (R2.9)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  await scanned(self);
  self.instead = () => failedPlan({ drift: [{ ...recorded, address: 'thing.a' }] });
  await scanned(self);
  expect(states(self)).toEqual({ plan: 'in-sync', net: 'preview-failed' });
  expect(rows(self)['net']?.drift).toMatchObject({ resources: [{ label: 'thing.a' }] });
  self.instead = undefined;
  await scanned(self);
  expect(states(self)['net']).toBe('drift');
  expect(JSON.stringify([...self.bench.memory.items(), documents(self)])).not.toContain('CANARY');
});

const recorded = {
  member: 'infra',
  engine: 'terraform',
  node: null,
  observedAt: '2026-01-01T00:00:00Z',
  read: 'state',
  status: 'recorded',
  fellBackFrom: 'plan',
} as const;

test('what the state records is told all the same, as that and as nothing more (R3.9, R3.23)', async () => {
  const self = await released();
  self.instead = () => failedPlan({ drift: [{ ...recorded, address: 'thing.a' }] });
  await scanned(self);
  expect(
    documents(self)
      .at(-1)
      ?.records.filter(({ member }) => member === 'net'),
  ).toEqual([
    expect.objectContaining({ engine: 'terraform', address: 'thing.a', read: 'state', status: 'recorded', fellBackFrom: 'plan', node: 'net/net/thing.a' }),
  ]);
});

test('a check that failed beside a preview that did not is counted, and the row stays as it was (R2.10)', async () => {
  const self = await released();
  self.instead = () => failedPlan({ planned: { changes: [], drift: [], outputs: {}, version: '' } });
  await scanned(self);
  await scanned(self);
  expect(states(self)['net']).toBe('in-sync');
  expect(rows(self)['net']?.check).toMatchObject({ code: 'TOOL_FAILED', times: 2 });
  expect(bodyNow(self.bench)).toContain('The last 2 checks for drift failed');
});

test('what a scan found stands in its document, as the tool’s own records, whose member is the line (R3.1, R3.17)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  self.state().live.delete('thing.b');
  await scanned(self);
  const records = documents(self).at(-1)?.records ?? [];
  expect(records.filter(({ member }) => member === 'net').map(({ engine, address, status, node }) => [engine, address, status, node])).toEqual([
    ['terraform', 'thing.a', 'drifted', 'net/net/thing.a'],
    ['terraform', 'thing.b', 'missing', 'net/net/thing.b'],
  ]);
});

test('new drift is told once, until it is another edit (R2.28)', async () => {
  const self = await released();
  const news = (): number => [...self.bench.code.comments.values()].filter((body) => body.includes('thing.a')).length;
  self.state().live.set('thing.a', 'by hand');
  await scanned(self);
  expect(news()).toBe(1);
  await scanned(self);
  expect(news()).toBe(1);
  self.state().live.set('thing.a', 'by somebody else');
  await scanned(self);
  expect(news()).toBe(2);
});

test('what policy ignores of a stack is no drift: no row, no notice, nothing to tick (R2.2)', async () => {
  const ignoring = '{drift: {enabled: true, ignore: [{line: net, resource: thing.a, reason: somebody turns it}]}, stacks: {}}';
  const self = await released(ignoring);
  self.state().live.set('thing.a', 'by hand');
  await scanned(self);
  expect(states(self)['net']).toBe('in-sync');
  expect(boxesNow(self.bench).map(({ marker }) => marker.box)).toEqual(['rescan']);
  self.state().live.set('thing.b', 'by hand');
  await scanned(self);
  expect(rows(self)['net']?.pending).toMatchObject({ changes: [{ change: { label: 'thing.a' } }] });
});

test('a look that a run came between counts for nothing (R2.8)', async () => {
  const self = await released();
  self.state().live.set('thing.a', 'by hand');
  const { runner } = self.bench;
  const { tool } = runner;
  // The tool works for several looks at its job, and another run comes and goes between two of them.
  runner.tool = async (work, at) => {
    if (at.step > 2) return tool(work, at);
    if (at.step === 1) await leased(self);
    return 'works';
  };
  await scanned(self);
  expect(states(self)['net']).toBe('in-sync');
  runner.tool = tool;
  await scanned(self);
  expect(states(self)['net']).toBe('drift');
});

/** Another run of the scope has got the lease and given it back, while a job of the tool was at work. */
async function leased({ bench }: StackBench): Promise<void> {
  const lease = bench.memory.items().find(({ sk }) => sk === 'LEASE');
  if (!lease) throw new Error('there is no lease');
  await bench.memory.table.write({ pk: lease.pk, sk: lease.sk }, { set: { fence: Number(lease['fence']) + 1 } }, always);
}

test('a row of a stack goes with its line', async () => {
  const self = await released();
  merged(self, 'two', [{ id: 'app', things: { x: '1' } }]);
  await scanned(self);
  expect(Object.keys(states(self))).toEqual(['plan']);
});

test('where no scan is on and there is no dashboard, a stack leaves no row and no word of drift (R2.30)', async () => {
  const self = openStackBench({}, 'deployed');
  setPolicy(self.bench, '{stacks: {}}', '{enabled: false}');
  await pushed(self.bench, 'one', plan());
  self.state().live.set('thing.a', 'by hand');
  await pushed(self.bench, 'two', plan({ a: '1', b: '3' }));
  expect([...self.state().live.values()]).toEqual(['1', '3']);
  expect(self.bench.memory.items().filter(({ sk }) => /^(?:ROW|DRIFT|TICK)#|^SCAN$/.test(sk))).toEqual([]);
  expect(self.jobs()).toEqual(['plan-and-apply', 'plan-and-apply']);
});
