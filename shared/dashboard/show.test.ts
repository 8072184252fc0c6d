import { describe, expect, it } from 'vitest';
import type { Queued } from '../../test/ports/memory-queues.ts';
import { commitOf, openWorkbench, repository } from '../../test/ports/workbench.ts';
import { sayFreeze } from '../freeze/say-freeze.ts';
import { policyFrom } from '../policy/read.ts';
import { Again } from '../run/again.ts';
import { startScan } from '../scans/start-scan.ts';
import {
  benchWithBoard,
  bodyNow,
  boxesNow,
  edited,
  issueNow,
  pushed,
  rowsNow,
  setPolicy,
  theIssue,
  ticking,
  ticksNow,
  told,
} from './dashboard-bench.fixture.ts';
import { markDashboard } from './mark.ts';
import { boxesIn, boxMarker } from './marker.ts';
import { mayWriteAt, written } from './pace.ts';
import { showDashboard } from './show.ts';

const changes = [{ id: 'a', things: { x: '1' } }];

describe('the dashboard issue', () => {
  it('R2.30 is not there, nor any item of it, where policy says nothing of it', async () => {
    const bench = openWorkbench('deployed');
    await bench.push('one', changes);
    await bench.quiet();
    expect(bench.code.issues.kept).toEqual([]);
    expect(bench.memory.items().filter(({ pk }) => pk.startsWith('DASH#'))).toEqual([]);
  });

  it('is made with the first push, and says that the row is in sync once it is released', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    expect(rowsNow(bench)).toMatchObject([{ plan: 'main', environment: 'staging', applied: { by: 'mona' } }]);
    expect(bodyNow(bench)).toContain('### In sync (1)\n\n**`main` in `staging`**');
    expect(issueNow(bench)).toMatchObject({ number: theIssue(bench).number });
    expect(issueNow(bench).dirty).toBeUndefined();
    expect(bench.code.issues.kept).toHaveLength(1);
  });

  it('says of a run that failed how it ended, and forgets that with the next that does not', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    await pushed(bench, 'two', [{ id: 'a', op: 'nonsense' }]);
    expect(bodyNow(bench)).toContain('### Preview failed (1)\n\n**`main` in `staging`** · `OP_UNKNOWN`');
    await pushed(bench, 'three', changes);
    expect(bodyNow(bench)).toContain('### In sync (1)');
  });

  it('shows what a gated run asks about as pending, with a box for exactly that', async () => {
    const bench = benchWithBoard('{protected: true}');
    await pushed(bench, 'one', changes);
    expect(bodyNow(bench)).toContain('### Pending (1)');
    expect(bodyNow(bench)).toMatch(/1 to create · as of commit .* · run `\w{12}` asks for a decision/);
    const [row] = rowsNow(bench);
    expect(boxesNow(bench).find(({ marker }) => marker.box === 'apply')?.marker).toMatchObject({
      digest: row?.pending?.digest,
      plan: 'main',
      environment: 'staging',
    });
  });

  it('is rebuilt when somebody empties it, cuts it off or types into it', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const body = bodyNow(bench);
    for (const change of [() => '', (now: string) => now.slice(0, 60), (now: string) => `${now}\r\nhello`, (now: string) => now.replace('In sync', 'Broken')]) {
      await edited(bench, 'kim', change);
      await bench.quiet();
      expect(bodyNow(bench)).toBe(body);
    }
  });

  it('is not written when nothing of it changed', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const { writes } = bench.code.issues;
    await markDashboard(bench.world(), repository);
    await bench.quiet();
    expect(bench.code.issues.writes).toBe(writes);
    expect(issueNow(bench).dirty).toBeUndefined();
  });

  it('says once that policy has turned it off, and since when, and is back in the same issue when that is turned on again', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const { number } = theIssue(bench);
    setPolicy(bench, '{}', '{enabled: false}');
    await pushed(bench, 'two', changes);
    expect(bodyNow(bench)).toMatch(/\*\*This dashboard is off\*\*, since 2026-\d\d-\d\d \d\d:\d\d UTC: `lockkeeper.yaml` of `main`/);
    expect(boxesNow(bench)).toEqual([]);
    const { writes } = bench.code.issues;
    await pushed(bench, 'three', changes);
    await markDashboard(bench.world(), repository);
    await bench.quiet();
    expect(bench.code.issues.writes).toBe(writes);
    setPolicy(bench, '{}');
    await pushed(bench, 'four', changes);
    expect(bodyNow(bench)).toContain('### In sync (1)');
    expect(theIssue(bench).number).toBe(number);
    expect(issueNow(bench)).not.toHaveProperty('off');
  });

  it('answers what was ticked before it was turned off, and only then says so', async () => {
    const bench = benchWithBoard();
    bench.code.people.set('mona', 'write');
    await pushed(bench, 'one', changes);
    await edited(bench, 'mona', ticking('rescan'));
    await bench.deliver(bench.queues.take() as Queued);
    bench.clock.advance(5000);
    await showDashboard(bench.world(), repository.id);
    expect(ticksNow(bench)).toMatchObject([{ box: 'rescan', state: 'asked' }]);
    setPolicy(bench, '{}', '{enabled: false}');
    await markDashboard(bench.world(), repository);
    bench.clock.advance(5000);
    await showDashboard(bench.world(), repository.id);
    expect(bodyNow(bench)).toContain('[x] Look at everything again');
    await bench.quiet();
    expect(ticksNow(bench)).toMatchObject([{ box: 'rescan', state: 'done' }]);
    bench.clock.advance(120_000);
    await bench.quiet();
    expect(bodyNow(bench)).toContain('This dashboard is off');
  });

  it('tells that a scan is at work, and that none is once it has ended, and forgets a run of which nobody told the end', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const plan = { name: 'main', path: 'release.plan.yaml' };
    const id = await startScan(bench.world(), { repository, plan, environment: 'staging', commit: commitOf('one'), scan: { by: 'person', slot: 's' } });
    await bench.memory.table.write({ pk: `RUN#${id}`, sk: 'META' }, { set: { board: true } }, { is: 'always' });
    const begun = bench.queues.take() as Queued;
    await bench.memory.table.write(
      { pk: 'DASH#7101', sk: 'ROW#main#staging' },
      { set: { open: { run: 'gone', kind: 'destroy', commit: 'c', startedAt: 's' } } },
      { is: 'always' },
    );
    await markDashboard(bench.world(), repository);
    await bench.quiet();
    expect(bodyNow(bench)).toContain('nothing is written · looking at `main` in `staging` now');
    expect(rowsNow(bench)[0]).not.toHaveProperty('open');
    bench.queues.deliver(begun);
    await bench.quiet();
    expect(bodyNow(bench)).not.toContain('looking at');
  });

  it('is opened again when somebody closes it, and made anew when somebody deletes it', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const { number } = theIssue(bench);
    bench.code.issues.close(number);
    await told(bench, 'kim', 'closed');
    await bench.quiet();
    expect(theIssue(bench)).toMatchObject({ number, open: true });
    await told(bench, 'kim', 'deleted');
    bench.code.issues.remove(number);
    await bench.quiet();
    expect(theIssue(bench).number).toBe(number + 1);
    expect(bodyNow(bench)).toContain('### In sync (1)');
  });

  it('is the open one with the lowest number of several, and the others are closed', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const { number } = theIssue(bench);
    const { issues } = bench.code.issues;
    await issues.create(repository, { title: 'Another', body: bodyNow(bench), label: 'lockkeeper', marker: /x/ });
    await bench.memory.table.write({ pk: 'DASH#7101', sk: 'ISSUE' }, { remove: ['number'] }, { is: 'always' });
    await markDashboard(bench.world(), repository);
    await bench.quiet();
    expect(bench.code.issues.kept.map(({ open }) => open)).toEqual([true, false]);
    expect(issueNow(bench).number).toBe(number);
  });

  it('of somebody else is none, whatever it says', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const other = bench.code.issues.open('mallory', 'lockkeeper', bodyNow(bench));
    await bench.happens({ format: 7, event: 'issues', action: 'edited', repository, sender: { login: 'mallory', type: 'User' }, issue: { number: other } });
    await bench.memory.table.write({ pk: 'DASH#7101', sk: 'ISSUE' }, { remove: ['number'] }, { is: 'always' });
    await markDashboard(bench.world(), repository);
    await bench.quiet();
    expect(issueNow(bench).number).toBe(theIssue(bench).number);
    expect(issueNow(bench).number).not.toBe(other);
  });

  it('of a newer version is left alone, and so it is once somebody edits that', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const newer = bodyNow(bench).replace('v="1"', 'v="2"').replace('In sync', 'Something new');
    await bench.code.issues.issues.write(repository, theIssue(bench).number, { body: newer });
    await edited(bench, 'kim', () => newer);
    await bench.quiet();
    expect(bodyNow(bench)).toBe(newer);
    await edited(bench, 'kim', () => `${newer}.`);
    await bench.quiet();
    expect(bodyNow(bench)).toBe(`${newer}.`);
  });

  it('is written on when a person raises the version in its first line (I7)', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const body = bodyNow(bench);
    await edited(bench, 'kim', (now) => now.replace('v="1"', 'v="2"'));
    await bench.quiet();
    expect(bodyNow(bench)).toBe(body);
  });

  it('stays as it is where issues are turned off, which keeps no run from ending and is said', async () => {
    const bench = benchWithBoard();
    bench.code.issues.off = true;
    await pushed(bench, 'one', changes);
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(issueNow(bench).problem).toMatchObject({ code: 'ISSUES_OFF' });
    bench.code.issues.off = false;
    await markDashboard(bench.world(), repository);
    await bench.quiet();
    expect(issueNow(bench).problem).toBeUndefined();
    expect(bodyNow(bench)).toContain('### In sync (1)');
  });

  it('is written at most once in three seconds, however much changes', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const at: number[] = [];
    bench.code.issues.onCall = (call) => void (call === 'write' && at.push(bench.clock.now()));
    for (let count = 0; count < 20; count += 1) {
      bench.code.issues.edit(theIssue(bench).number, 'kim', (body) => `${body}${count}`);
      await told(bench);
      bench.clock.advance(400);
    }
    await bench.quiet();
    expect(at.length).toBeGreaterThan(0);
    expect(at.slice(1).every((one, index) => one - (at[index] ?? 0) >= 3000)).toBe(true);
    expect(at.length).toBeLessThanOrEqual(4);
  });

  it('says that an environment is frozen, and that it is no longer', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const policy = policyFrom('version: 1\nenvironments: {staging: {}}\n');
    const word = (start: string) => ({ by: { name: 'ada', through: 'github' as const }, start, at: new Date(bench.clock.now()).toISOString() });
    await sayFreeze(bench.world(), { policy, repository, environment: 'staging' }, { until: '2h', reason: 'the fair' }, word('freeze'));
    await bench.quiet();
    expect(bodyNow(bench)).toMatch(/\n🧊 `staging` is frozen until [-0-9: ]+ UTC by `ada`: the fair\.\n/);
    await sayFreeze(bench.world(), { policy, repository, environment: 'staging' }, 'thaw', word('thaw'));
    await bench.quiet();
    expect(bodyNow(bench)).not.toContain('🧊');
  });

  it('stays as it is while there is a mistake in the policy, and nothing dies of that', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const body = bodyNow(bench);
    setPolicy(bench, '{nonsense: 1}');
    await edited(bench, 'kim', () => 'gone');
    await bench.quiet();
    expect(bodyNow(bench)).toBe('gone');
    expect(bench.logged.filter(({ message }) => / died$/.test(message))).toEqual([]);
    setPolicy(bench, '{}');
    await edited(bench, 'kim', () => 'gone again');
    await bench.quiet();
    expect(bodyNow(bench)).toBe(body);
  });

  it('has one writer at a time: another comes back later, and finds nothing to do', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    bench.code.issues.edit(theIssue(bench).number, 'kim', () => 'gone');
    bench.clock.advance(5000);
    await markDashboard(bench.world(), repository);
    const { writes } = bench.code.issues;
    const both = await Promise.allSettled([showDashboard(bench.world(), repository.id), showDashboard(bench.world(), repository.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')?.reason).toBeInstanceOf(Again);
    await bench.quiet();
    expect(bench.code.issues.writes).toBe(writes + 1);
    expect(issueNow(bench).dirty).toBeUndefined();
  });

  it('is written again for what changed while it was written (I10)', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    const body = bodyNow(bench);
    const { issues } = bench.code.issues;
    const { write } = issues;
    issues.write = async (...asked) => {
      issues.write = write;
      const written = await write(...asked);
      bench.code.issues.edit(theIssue(bench).number, 'kim', () => 'gone');
      await markDashboard(bench.world(), repository);
      return written;
    };
    await edited(bench, 'kim', () => 'edited');
    await bench.quiet();
    expect(bodyNow(bench)).toBe(body);
  });

  it('is not written within three seconds of the last time, whoever asks', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    await edited(bench, 'kim', () => 'gone');
    await bench.quiet();
    await markDashboard(bench.world(), repository);
    await expect(showDashboard(bench.world(), repository.id)).rejects.toThrow(Again);
    bench.clock.advance(3000);
    await showDashboard(bench.world(), repository.id);
    expect(issueNow(bench).dirty).toBeUndefined();
  });

  it('is written more slowly once it was written three hundred times in an hour', () => {
    const now = Date.parse('2026-01-06T09:30:00.000Z');
    const item = { repository, wroteAt: now, hour: now / 3_600_000 - 0.5 };
    expect([299, 300].map((writes) => mayWriteAt({ ...item, writes }, now) - now)).toEqual([3000, 20_000]);
    expect(mayWriteAt({ ...item, writes: 300 }, now + 3_600_000) - now).toBe(3000);
    expect(written({ ...item, writes: 300 }, now)).toMatchObject({ writes: 301 });
    expect(written({ ...item, writes: 300 }, now + 3_600_000)).toMatchObject({ writes: 1 });
  });

  it('is written by the sweep when every message of it was lost', async () => {
    const bench = benchWithBoard();
    await pushed(bench, 'one', changes);
    await markDashboard(bench.world(), repository);
    bench.code.issues.edit(theIssue(bench).number, 'kim', () => 'gone');
    bench.clock.advance(10_000);
    bench.queues.takeAt(0);
    expect(bench.queues.waiting()).toEqual([]);
    await bench.sweep();
    expect(bodyNow(bench)).toContain('### In sync (1)');
  });
});

describe('a tick', () => {
  const asking = async () => {
    const bench = benchWithBoard('{protected: true}');
    await pushed(bench, 'one', changes);
    return bench;
  };

  it('is written down once, with whose edit made it', async () => {
    const bench = await asking();
    await edited(bench, 'kim', ticking('rescan'));
    await told(bench, 'kim');
    await bench.quiet();
    expect(ticksNow(bench)).toMatchObject([{ box: 'rescan', by: { login: 'kim', type: 'User' } }]);
  });

  it('of one person is not taken for another’s whose event came first', async () => {
    const bench = await asking();
    await edited(bench, 'kim', ticking('rescan'));
    bench.code.issues.edit(theIssue(bench).number, 'lee', ticking('apply'));
    await bench.quiet();
    expect(Object.fromEntries(ticksNow(bench).map(({ box, by }) => [box, by?.login]))).toEqual({ rescan: 'kim', apply: 'lee' });
  });

  it('that lands between our read and our write is not lost', async () => {
    const bench = await asking();
    bench.code.issues.edit(theIssue(bench).number, 'lee', (body) => `${body}.`);
    await told(bench, 'lee');
    bench.code.issues.onCall = (call) => {
      if (call !== 'write') return;
      bench.code.issues.onCall = undefined;
      bench.code.issues.edit(theIssue(bench).number, 'kim', ticking('rescan'));
    };
    await bench.quiet();
    expect(boxesNow(bench).some(({ ticked }) => ticked)).toBe(false);
    await told(bench, 'kim');
    await bench.quiet();
    expect(ticksNow(bench)).toMatchObject([{ box: 'rescan', by: { login: 'kim' } }]);
  });

  it('that has everything looked at again is named beside the box', async () => {
    const bench = await asking();
    bench.code.people.set('mona', 'write');
    expect(bodyNow(bench)).not.toContain('last asked for');
    await edited(bench, 'mona', ticking('rescan'));
    await bench.quiet();
    expect(bodyNow(bench)).toMatch(/- \[ \] Look at everything again: nothing is written · last asked for on [-0-9: ]+ UTC by `mona` <!--/);
  });

  const comments = (bench: Awaited<ReturnType<typeof asking>>): string[] =>
    [...bench.code.comments.values()].filter((body) => body.includes('lockkeeper ticks:'));

  it('that came to nothing is told its person in one comment for all of ten minutes, which names them once', async () => {
    const bench = await asking();
    for (let count = 0; count < 12; count += 1) {
      await edited(bench, 'sam', ticking('rescan'));
      await bench.quiet();
      bench.clock.advance(3000);
    }
    const told = comments(bench);
    expect(told.length).toBeLessThanOrEqual(2);
    expect(told[0]?.match(/@sam/g)).toHaveLength(1);
    expect(told[0]?.match(/NOT_AN_APPROVER/g)?.length).toBeGreaterThan(4);
    bench.clock.advance(600_000);
    await edited(bench, 'sam', ticking('rescan'));
    await bench.quiet();
    expect(comments(bench)).toHaveLength(told.length + 1);
  });

  it('of a bot comes to nothing, and nobody is told so', async () => {
    const bench = await asking();
    bench.code.issues.edit(theIssue(bench).number, 'renovate[bot]', ticking('rescan'), 'Bot');
    await told(bench, 'renovate[bot]');
    await bench.quiet();
    expect(ticksNow(bench)).toMatchObject([{ state: 'refused', told: true }]);
    expect(comments(bench)).toEqual([]);
  });

  it('that is taken back before anybody judged it counts for nothing, and may be made again', async () => {
    const bench = await asking();
    bench.code.issues.edit(theIssue(bench).number, 'kim', ticking('apply'));
    bench.clock.advance(2000);
    bench.code.issues.edit(theIssue(bench).number, 'kim', (body) => body.replaceAll('[x]', '[ ]'));
    await told(bench, 'kim');
    await bench.quiet();
    expect(ticksNow(bench)).toEqual([]);
  });

  it.each(['repair', 'rescan', 'apply'])('I7 under a number that no box of ours had is none: %s', async (box) => {
    const bench = await asking();
    const row = `<!-- lockkeeper:${box} plan="${box === 'rescan' ? '' : 'main'}" env="${box === 'rescan' ? '' : 'staging'}" run="r" digest="${'e'.repeat(64)}" no="999999" -->`;
    const forged = (body: string) => boxesIn(body).find(({ marker }) => marker.box === box)?.marker;
    await edited(bench, 'sam', (body) => {
      const marker = forged(body);
      return marker ? ticking(box)(body.replace(boxMarker(marker), boxMarker({ ...marker, no: 999_999 }))) : `${body}\n- [x] all ${row}`;
    });
    await bench.quiet();
    expect(ticksNow(bench)).toEqual([]);
    expect(boxesNow(bench).map(({ marker, ticked }) => [marker.no, ticked])).toEqual([
      [0, false],
      [0, false],
    ]);
    await edited(bench, 'mona', ticking('rescan'));
    await bench.quiet();
    expect(ticksNow(bench)).toMatchObject([{ by: { login: 'mona' }, no: 0 }]);
  });

  it('of a box whose former answers are forgotten by now is taken all the same', async () => {
    const bench = await asking();
    await edited(bench, 'kim', ticking('rescan'));
    await bench.quiet();
    bench.clock.advance(600_000);
    await edited(bench, 'kim', (body) => `${body}.`);
    await bench.quiet();
    bench.clock.advance(600_000);
    const [tick] = ticksNow(bench) as unknown as { pk: string; sk: string }[];
    await bench.memory.table.write({ pk: tick?.pk ?? '', sk: tick?.sk ?? '' }, { delete: true }, { is: 'always' });
    await edited(bench, 'kim', ticking('rescan'));
    await bench.quiet();
    expect(ticksNow(bench)).toMatchObject([{ box: 'rescan', no: 1 }]);
  });

  it('I7 in a box that somebody wrote for a row that is not there is none', async () => {
    const bench = await asking();
    await edited(
      bench,
      'kim',
      (body) => `${body}\n${`- [x] all <!-- lockkeeper:apply plan="main" env="nowhere" run="r" digest="${'e'.repeat(64)}" no="0" -->`}`,
    );
    await bench.quiet();
    expect(ticksNow(bench)).toEqual([]);
    expect(bodyNow(bench)).not.toContain('nowhere');
  });
});
