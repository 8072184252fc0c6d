import { expect, test, vi } from 'vitest';
import { announced, fire, hour, itemsOf, policyAt, quarter, released, scanItem, scanned, scans } from '../../test/ports/scan-bench.ts';
import { commitOf, openWorkbench, planPath, repository, scopeOf } from '../../test/ports/workbench.ts';
import type { Row } from '../dashboard/row.ts';
import { ledgerPrefix, scopePartition } from '../table/keys.ts';
import { ticks } from '../ticks/on-a-dashboard.fixture.ts';
import { askForScans } from './ask-for-scans.ts';
import type { Findings } from './findings.ts';
import { startScan } from './start-scan.ts';

const found = (bench: ReturnType<typeof openWorkbench>, run: string | undefined): Findings =>
  JSON.parse(bench.bucket.bodies(`runs/${run}/findings.json`).at(-1) as string) as Findings;

test('where policy turns no scan on, nothing is kept, sent, asked or said of them (R2.1, R2.30)', async () => {
  const bench = openWorkbench('deployed');
  const off = { version: 1, events: { push: ['preview'] }, environments: { preview: { http_hosts: [] } } };
  await released(bench, 'c1', off);
  const before = JSON.stringify(bench.memory.items());
  expect(await askForScans(bench.world(), bench.clock.now())).toBeUndefined();
  await bench.quiet();
  expect(JSON.stringify(bench.memory.items())).toBe(before);
  expect([...itemsOf(bench, 'SCAN'), ...itemsOf(bench, 'DRIFT#'), ...scans(bench)]).toEqual([]);
  expect(bench.queues.sent.filter(({ message }) => message.format === 6)).toEqual([]);
  expect(bench.memory.items().filter((item) => item['watched'] !== undefined)).toEqual([]);
  expect(bench.bucket.keys().filter((key) => key.startsWith('drift/') || key.endsWith('findings.json'))).toEqual([]);
});

test('turned on, the first scan is due at the next look, and each after it when its interval has passed (R2.3)', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  await fire(bench);
  expect(scans(bench)).toMatchObject([{ outcome: 'complete', kind: 'drift', scope: 'main', environment: 'preview', options: { scan: { by: 'schedule' } } }]);
  for (let look = 1; look <= 8; look += 1) {
    bench.clock.advance(quarter);
    await fire(bench);
  }
  expect(scans(bench)).toHaveLength(3);
});

test('of what was missed while the schedule stood still nothing is made up for: one scan, of the newest time (R2.3)', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  await fire(bench);
  const { next } = scanItem(bench) as unknown as { next: string };
  bench.clock.advance(50 * hour + quarter);
  await fire(bench);
  const [, second, ...more] = scans(bench);
  expect(more).toEqual([]);
  expect(second?.options.scan?.slot).toBe(new Date(Date.parse(next) + 49 * hour).toISOString());
});

test('an event that comes twice, and messages in any number, start one scan (I10, P6)', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  const at = bench.clock.now();
  await Promise.all([askForScans(bench.world(), at), askForScans(bench.world(), at)]);
  const messages = bench.queues.waiting();
  await bench.quiet();
  for (const message of messages) bench.queues.deliver(message);
  await bench.quiet();
  expect(messages.length).toBeGreaterThan(1);
  expect(scans(bench)).toHaveLength(1);
  bench.clock.advance(hour);
  await fire(bench);
  const next = scanItem(bench)?.['next'];
  for (const message of messages) bench.queues.deliver(message);
  await bench.quiet();
  expect([scans(bench).length, scanItem(bench)?.['next']]).toEqual([2, next]);
});

test('a message that comes later than a whole interval is worth nothing, and the schedule goes on from now', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  await askForScans(bench.world(), bench.clock.now());
  bench.clock.advance(3 * hour);
  await bench.quiet();
  expect(scans(bench)).toEqual([]);
  expect(Date.parse(String(scanItem(bench)?.['next']))).toBeGreaterThan(bench.clock.now());
  bench.clock.advance(hour);
  await fire(bench);
  expect(scans(bench)).toHaveLength(1);
});

test('a scan that is in nobody’s way: no lease, nothing in the ledger, nothing at a provider (I4)', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  bench.provider.edit('a', 'by hand');
  const kept = () =>
    JSON.stringify(
      bench.memory.items().filter(({ pk, sk }) => pk === scopePartition(scopeOf('main')) && (sk.startsWith(ledgerPrefix) || sk === 'LEASE' || sk === 'HEAD')),
    );
  const [before, wrote] = [kept(), bench.provider.writes.length];
  await fire(bench);
  expect(kept()).toBe(before);
  expect(bench.provider.writes).toHaveLength(wrote);
  expect(found(bench, scans(bench)[0]?.id).repair?.lines.map(({ id }) => id)).toEqual(['a']);
});

test('with credentials that can only read, a scan uses those and no others', async () => {
  const bench = openWorkbench('deployed');
  const reading = { enabled: true, schedule: '1h' };
  await released(bench, 'c1', {
    version: 1,
    events: { push: ['preview'] },
    environments: { preview: { drift: reading, read_credentials: { EXAMPLE_TOKEN: 'EXAMPLE_READ_TOKEN' } } },
  });
  bench.secrets.set('EXAMPLE_READ_TOKEN', 'token-that-can-only-read');
  const asked = vi.spyOn(bench.secrets, 'get');
  await fire(bench);
  expect(asked.mock.calls).toEqual([['EXAMPLE_READ_TOKEN']]);
  expect(scans(bench)).toMatchObject([{ outcome: 'complete' }]);
  expect(bench.memory.items().filter(({ sk }) => sk === 'SEALED')).toEqual([]);
});

test('a person’s scan reads everything, and where scans are off nothing of it is kept but the run (R2.3, R2.4)', async () => {
  const bench = openWorkbench('deployed');
  await released(bench, 'c1', { version: 1, events: { push: ['preview'] } });
  bench.provider.edit('b', 'by hand');
  const asked = {
    repository,
    plan: { name: 'main', path: planPath },
    environment: 'preview',
    commit: commitOf('c1'),
    scan: { by: 'person', slot: 'once', person: 'mona' },
  } as const;
  const id = await startScan(bench.world(), asked);
  expect(await startScan(bench.world(), asked)).toBe(id);
  await bench.quiet();
  expect(found(bench, id)).toMatchObject({
    by: 'person',
    lines: [
      { id: 'a', looked: 'yes' },
      { id: 'b', looked: 'yes' },
    ],
    repair: { lines: [{ id: 'b' }] },
  });
  expect([...itemsOf(bench, 'DRIFT#'), ...itemsOf(bench, 'SCAN')]).toEqual([]);
  expect(announced(bench)).toEqual([]);
});

test('a bus that takes nothing leaves the drift untold, and the next scan tells it', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  bench.provider.edit('a', 'by hand');
  bench.bus.refuses = 100;
  await fire(bench);
  expect(announced(bench)).toEqual([]);
  bench.bus.refuses = 0;
  bench.clock.advance(hour);
  await fire(bench);
  bench.clock.advance(hour);
  await fire(bench);
  expect(announced(bench)).toEqual([scans(bench)[1]?.id]);
});

test.each([
  ['repair', [], true],
  ['apply', ['thing:x'], false],
] as const)('after a tick of the box %s a line has drifted in %j, whatever else its run left', async (box, left, isClean) => {
  const bench = openWorkbench('deployed');
  bench.code.people.set('kim', 'write');
  const things = (y: string) => [{ id: 'a', things: { x: 'one', y } }];
  const push = async (commit: string, y: string) => {
    bench.code.history.push(commitOf(commit));
    policyAt(bench, commit, { ...scanned, dashboard: { enabled: true } });
    await bench.push(commit, things(y));
  };
  await push('c1', 'one');
  await bench.quiet();
  bench.provider.edit('x', 'by hand');
  await push('c2', 'two');
  await bench.quiet();
  await fire(bench);
  expect(itemsOf(bench, 'DRIFT#a')).toMatchObject([{ drifted: [{ key: 'thing:x' }] }]);
  const row = bench.memory.peek(`DASH#${repository.id}`, 'ROW#main#preview') as unknown as Row;
  const shown = box === 'repair' ? row.drift : row.pending;
  await ticks(bench, { box, digest: String(shown?.digest), run: String(shown?.run), environment: 'preview' });
  await bench.quiet();
  expect(bench.provider.names()).toEqual(box === 'repair' ? ['x=one', 'y=one'] : ['x=by hand', 'y=two']);
  const [item] = itemsOf(bench, 'DRIFT#a');
  expect((item?.['drifted'] as { key: string }[] | undefined)?.map(({ key }) => key) ?? []).toEqual(left);
  expect(item?.['cleanAt'] !== undefined).toBe(isClean);
});

test('without a channel in Slack new drift is told below the dashboard, in one comment of names and paths, and never a value (I1)', async () => {
  const bench = openWorkbench('deployed');
  await released(bench, 'c1', { ...scanned, dashboard: { enabled: true } });
  await fire(bench);
  bench.provider.edit('a', 'a-value-by-hand');
  bench.provider.edit('b', 'another-by-hand');
  for (let interval = 0; interval < 3; interval += 1) {
    bench.clock.advance(hour);
    await fire(bench);
  }
  const notices = [...bench.code.comments].filter(([place]) => place.includes('lockkeeper drift:'));
  expect(notices).toHaveLength(1);
  const [[, body = ''] = []] = notices;
  for (const part of [
    'New drift in `preview`: 2 resources',
    'Put it back: tick **Repair** on the dashboard.',
    'lockkeeper absorb &lt;line&gt; --env preview --branch main',
    'thing a',
    'line `a`',
    '`value`',
    'thing b',
  ])
    expect(body).toContain(part);
  expect(body).not.toContain('by-hand');
});

test('in Slack it is one message in the channel that policy names (I1)', async () => {
  const bench = openWorkbench('deployed');
  const preview = { ...scanned.environments.preview, slack: { channel: bench.slack.state.channels[0]?.id } };
  await released(bench, 'c1', { ...scanned, environments: { preview } });
  bench.provider.edit('a', 'a-value-by-hand');
  await fire(bench);
  bench.clock.advance(hour);
  await fire(bench);
  const posted = bench.slack.cards();
  expect(posted).toHaveLength(1);
  expect(JSON.stringify(posted)).toContain('thing a');
  expect(JSON.stringify(posted)).not.toContain('by-hand');
});

test('where policy wants no notice, nobody is told, and nothing is left to tell', async () => {
  const bench = openWorkbench('deployed');
  await released(bench, 'c1', { ...scanned, environments: { preview: { drift: { enabled: true, schedule: '1h', notify: false } } } });
  bench.provider.edit('a', 'by hand');
  await fire(bench);
  expect(announced(bench)).toEqual([]);
  expect(itemsOf(bench, 'DRIFT#a')).toMatchObject([{ told: [expect.any(String)] }]);
});

test('an older scan that ends after a newer one says nothing more, and takes nothing back', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  const asked = (slot: string) =>
    ({ repository, plan: { name: 'main', path: planPath }, environment: 'preview', commit: commitOf('c1'), scan: { by: 'person', slot } }) as const;
  await startScan(bench.world(), asked('older'));
  bench.clock.advance(1_000);
  const waiting = bench.queues.waiting().map(() => bench.queues.takeAt(0));
  bench.provider.edit('a', 'by hand');
  await startScan(bench.world(), asked('newer'));
  await bench.quiet();
  bench.provider.edit('a', 'one');
  for (const message of waiting) if (message) bench.queues.deliver(message);
  await bench.quiet();
  expect(itemsOf(bench, 'DRIFT#a')).toMatchObject([{ run: scans(bench)[1]?.id, drifted: [{ key: 'thing:a' }] }]);
  expect(found(bench, scans(bench)[0]?.id).lines[0]).toMatchObject({ looked: 'busy', resources: [{ key: 'thing:a', drifted: 'changed' }] });
});

test('what the plan does not have any more is forgotten, and a scan of some lines forgets nothing', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  await fire(bench);
  expect(itemsOf(bench, 'DRIFT#').map(({ sk }) => sk)).toEqual(['DRIFT#a', 'DRIFT#b']);
  policyAt(bench, 'c2');
  bench.code.history.push(commitOf('c2'));
  await bench.push('c2', [{ id: 'a', things: { a: 'one' } }]);
  await bench.quiet();
  await startScan(bench.world(), {
    repository,
    plan: { name: 'main', path: planPath },
    environment: 'preview',
    commit: commitOf('c2'),
    scan: { by: 'push', slot: 'c2', lines: ['a'] },
  });
  await bench.quiet();
  expect(itemsOf(bench, 'DRIFT#')).toHaveLength(2);
  bench.clock.advance(hour);
  await fire(bench);
  expect(itemsOf(bench, 'DRIFT#').map(({ sk }) => sk)).toEqual(['DRIFT#a']);
});

test('scans that do not end are counted for the alarm, after three intervals and not before', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  await fire(bench);
  bench.clock.advance(3 * hour - 60_000);
  expect(await askForScans({ ...bench.world(), queues: { ...bench.world().queues, control: async () => undefined } }, bench.clock.now())).toEqual({
    scans: 1,
    scansOverdue: 0,
  });
  bench.clock.advance(quarter);
  expect(await askForScans({ ...bench.world(), queues: { ...bench.world().queues, control: async () => undefined } }, bench.clock.now())).toEqual({
    scans: 1,
    scansOverdue: 1,
  });
});

test('a mistake in the policy starts no scan and takes no schedule away (R2.9)', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  bench.code.commit(commitOf('c1'), 'lockkeeper.yaml', 'version: one');
  await fire(bench);
  expect(scans(bench)).toEqual([]);
  policyAt(bench, 'c1');
  bench.clock.advance(hour);
  await fire(bench);
  expect(scans(bench)).toHaveLength(1);
});

test('a host that does not answer costs a scan no more than a look: its slot is still due', async () => {
  const bench = openWorkbench('deployed');
  await released(bench);
  bench.code.onAsk = () => {
    throw new Error('the host is away');
  };
  await fire(bench);
  expect(scans(bench)).toEqual([]);
  bench.code.onAsk = undefined;
  bench.clock.advance(quarter);
  await fire(bench);
  expect(scans(bench)).toHaveLength(1);
});
