import { describe, expect, test } from 'vitest';
import { openWorkbench, repository, scopeOf } from '../../test/ports/workbench.ts';
import { policyOf } from '../policy/policy.ts';
import { rulingKey } from '../table/keys.ts';
import { lets, sayBefore } from './lift.ts';
import { holds, isUnused, type NewRuling, type Ruling, readRuling, rule, useUp } from './ruling.ts';
import { judgeLine, rulingOfSaid } from './said.ts';
import { untilOf } from './until.ts';
import { judgeRuler } from './who-may-rule.ts';

const scope = scopeOf(7);
const at = '2026-01-01T00:00:00.000Z';
const kim = { name: 'kim', through: 'machine' } as const;
const lift: NewRuling = { kind: 'lift', line: 'a', by: kim, at };

describe('a ruling', () => {
  test('stands once it is said, and also when the answer to its write is lost', async () => {
    const bench = openWorkbench();
    bench.memory.faults.loseAnswer((call) => call.op === 'write' && call.key.sk === 'LIFT#a', 'done', 1);
    await rule(bench.world(), scope, 'start-1', lift);
    expect(await readRuling(bench.memory.table, scope, 'lift', 'a')).toMatchObject(lift);
  });

  test('gives way to what is said later, and not to what was said earlier and comes late', async () => {
    const bench = openWorkbench();
    const later: NewRuling = { ...lift, at: '2026-01-02T00:00:00.000Z', by: { name: 'ada', through: 'github' } };
    await rule(bench.world(), scope, 'start-2', later);
    await rule(bench.world(), scope, 'start-1', lift);
    expect(await readRuling(bench.memory.table, scope, 'lift', 'a')).toMatchObject(later);
  });

  test('told twice does not bring back what a run has used up (I10)', async () => {
    const bench = openWorkbench();
    await rule(bench.world(), scope, 'start-1', lift);
    const found = (await readRuling(bench.memory.table, scope, 'lift', 'a')) as Ruling;
    await useUp(bench.world(), scope, 'run-1', found);
    await rule(bench.world(), scope, 'start-1', lift);
    const again = (await readRuling(bench.memory.table, scope, 'lift', 'a')) as Ruling;
    expect([isUnused(again, 'run-1'), isUnused(again, 'run-2')]).toEqual([true, false]);
  });

  test('that was said anew is not used up by a run that acts on the one before', async () => {
    const bench = openWorkbench();
    await rule(bench.world(), scope, 'start-1', lift);
    const found = (await readRuling(bench.memory.table, scope, 'lift', 'a')) as Ruling;
    await rule(bench.world(), scope, 'start-2', { ...lift, at: '2026-01-02T00:00:00.000Z' });
    await useUp(bench.world(), scope, 'run-1', found);
    expect(isUnused((await readRuling(bench.memory.table, scope, 'lift', 'a')) as Ruling, 'run-2')).toBe(true);
  });

  test('of a newer format is not guessed at', async () => {
    const bench = openWorkbench();
    await bench.memory.table.write(rulingKey(scope, 'accept', 'a'), { put: { format: 2 } }, { is: 'absent' });
    await expect(readRuling(bench.memory.table, scope, 'accept', 'a')).rejects.toMatchObject({ code: 'RECEIPT_VERSION' });
  });

  test('ends by our clock, on the safe side of one that is off', () => {
    const until = { until: '2026-01-01T00:01:00.000Z' } as Ruling;
    const world = (now: string) => ({ clock: { now: () => Date.parse(now) }, timing: { skew: 30_000 } });
    expect(holds(until, world('2026-01-01T00:00:29.999Z'))).toBe(true);
    expect(holds(until, world('2026-01-01T00:00:30.000Z'))).toBe(false);
  });
});

describe('a lift', () => {
  const held = { key: 'k1', mac: 'aa' };
  const shown = { ...lift, for: 'run-1', found: [{ identity: 'x', held }] } as Ruling;
  const run = { id: 'run-1', round: 1, options: { adopt: 'a' } };

  test('lets the run that was made for it take over what was shown, and nothing else (R1.77)', () => {
    expect(lets(shown, run, 'x', held)).toBe(true);
    expect(lets(shown, run, 'y', held)).toBe(false);
    expect(lets(shown, run, 'x', { ...held, mac: 'bb' })).toBe(false);
    expect(lets(shown, run, 'x', { ...held, key: 'k2' })).toBe(false);
    expect(lets(shown, run, 'x', undefined)).toBe(false);
    expect(lets(shown, { ...run, id: 'run-2' }, 'x', held)).toBe(false);
  });

  test('from before anything was shown leaves it to the first round of its run (R1.77)', () => {
    const { found: _none, ...blind } = shown;
    expect(lets(blind as Ruling, run, 'y', held)).toBe(true);
    expect(lets(blind as Ruling, { ...run, round: 2 }, 'y', held)).toBe(false);
  });

  test('that an earlier version wrote down lets nothing be taken over (R1.77)', () => {
    expect(lets(lift as Ruling, run, 'x', held)).toBe(false);
  });

  test('said later by somebody whose clock is behind is the newer word', async () => {
    const bench = openWorkbench();
    await sayBefore(bench.world(), scope, 'start-1', 'run-1', { ...lift, at: '2026-01-02T00:00:00.000Z' });
    await sayBefore(bench.world(), scope, 'start-2', 'run-2', lift);
    expect(await readRuling(bench.memory.table, scope, 'lift', 'a')).toMatchObject({ for: 'run-2' });
  });

  test('said again once its run is there leaves the newer word (I10)', async () => {
    const bench = openWorkbench();
    bench.pull(7, 'one', []);
    const first = await bench.command({ commit: 'one', start: 'start-1', options: { busy: 'fail', adopt: 'a' } });
    await sayBefore(bench.world(), scope, 'start-2', 'run-2', lift);
    await sayBefore(bench.world(), scope, 'start-1', first, { ...lift, at: '2026-01-02T00:00:00.000Z' });
    expect(await readRuling(bench.memory.table, scope, 'lift', 'a')).toMatchObject({ for: 'run-2' });
  });
});

describe('what is said about a line', () => {
  const now = Date.parse(at);

  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T18:00:00+02:00', '2026-01-31T16:00:00.000Z'],
    ['7d', '2026-01-08T00:00:00.000Z'],
    ['90m', '2026-01-01T01:30:00.000Z'],
  ])('until %s', (written, until) => {
    expect(untilOf(written, now)).toBe(until);
  });

  test.each(['2025-12-31', '2026-01-01', '2026-02-31', 'tomorrow', '0d', '', '-7d'])('not until %j', (written) => {
    expect(() => untilOf(written, now)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('an acceptance has an end and a reason', () => {
    const accept = { verb: 'accept', line: 'a', until: '7d', reason: 'the vendor asked for it' } as const;
    expect(rulingOfSaid(accept, kim, at)).toMatchObject({ kind: 'accept', until: '2026-01-08T00:00:00.000Z', reason: 'the vendor asked for it' });
    for (const said of [{ ...accept, reason: ' ' }, { verb: 'accept', line: 'a', until: '7d' } as const, { verb: 'accept', line: 'a', reason: 'x' } as const])
      expect(() => rulingOfSaid(said, kim, at)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('names a line that is there, or is told which there are', () => {
    expect(() => judgeLine('a', ['a', 'b'])).not.toThrow();
    expect(() => judgeLine('c', ['a', 'b'])).toThrow('There is no line `c`: there are `a` and `b`.');
  });
});

describe('who may rule on a line', () => {
  const principal = 'arn:aws:sts::111122223333:assumed-role/operators/ada';
  const policy = policyOf({
    version: 1,
    environments: { production: { approvers: [{ github: 'ada', aws: principal }, { github: 'robot' }] }, live: { protected: true } },
  });
  const judged = (by: Parameters<typeof judgeRuler>[1], environments: readonly string[], stack: 'embedded' | 'deployed' = 'deployed') => {
    const bench = openWorkbench(stack);
    for (const [login, permission] of [
      ['ada', 'read'],
      ['bob', 'write'],
      ['cyd', 'maintain'],
      ['eve', 'triage'],
      ['robot', 'admin'],
    ] as const)
      bench.code.people.set(login, permission);
    bench.code.bots.add('robot');
    return judgeRuler(bench.world(), by, { repository, policy, environments });
  };
  const through = (name: string) => ({ name, through: 'github' }) as const;

  test.each([
    ['whoever sits at a machine of their own', kim, ['production'], 'embedded'],
    ['whoever may push, where nothing is protected', through('bob'), ['preview'], 'deployed'],
    ['an approver, where policy names them', through('ada'), ['production'], 'deployed'],
    ['an approver by their principal', { name: 'ada', through: 'aws', principal }, ['production'], 'deployed'],
    ['a maintainer, where policy names nobody', through('cyd'), ['live'], 'deployed'],
  ] as const)('%s', async (_, by, environments, stack) => {
    await expect(judged(by, environments, stack)).resolves.toBeUndefined();
  });

  test.each([
    ['NOT_AN_APPROVER', 'who may not push', through('eve'), ['preview']],
    ['NOT_AN_APPROVER', 'who may push, where an approver decides', through('bob'), ['preview', 'production']],
    ['NOT_AN_APPROVER', 'who approves in one of two protected environments', through('ada'), ['production', 'live']],
    ['APPROVER_NOT_A_PERSON', 'who sits at some machine, on a deployed stack', kim, ['preview']],
    ['APPROVER_NOT_A_PERSON', 'whose account is an app’s, whatever it may do', through('robot'), ['preview']],
    ['APPROVER_NOT_A_PERSON', 'whose account is an app’s, where policy names it', through('robot'), ['production']],
    ['NOT_AN_APPROVER', 'whom the host does not know', through('zoe'), ['preview']],
    ['APPROVER_NOT_A_PERSON', 'with somebody else’s principal', { name: 'bob', through: 'aws', principal }, ['preview']],
  ] as const)('%s for somebody %s', async (code, _, by, environments) => {
    await expect(judged(by, environments)).rejects.toMatchObject({ code });
  });
});
