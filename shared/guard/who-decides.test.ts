import { describe, expect, test } from 'vitest';
import { answer, askedRun, atMachine, knowPeople, principalOf, putPolicy, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { commitOf, openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readLog } from '../run/run-log.ts';

const changes = [{ id: 'a', things: { x: '1' } }];

/** A deployed stack whose policy knows some people, and GitHub their roles. */
function deployed(production?: readonly string[]): Workbench {
  const bench = openWorkbench('deployed');
  knowPeople(bench, ['ada', 'bob', 'mona', 'kim'], production);
  bench.code.people.set('ada', 'admin').set('mona', 'maintain').set('bob', 'write').set('kim', 'admin');
  return bench;
}

const ignored = async (bench: Workbench, run: string) =>
  (await readLog(bench.memory, run)).filter(({ event }) => event === 'decision ignored').map(({ detail }) => detail);

describe('on a deployed stack', () => {
  test.each(['ada', 'mona'])('whoever may maintain the repository approves: %s', async (login) => {
    const bench = deployed();
    const run = await answer(bench, await askedRun(bench, changes), 'approve', throughAws(login));
    expect(run.outcome).toBe('complete');
    expect((await bench.report(run.id)).decisions).toMatchObject([{ person: login, standing: 'verified' }]);
  });

  test.each([
    ['somebody with write', throughAws('bob')],
    ['a principal that policy maps to nobody', throughAws('ada', principalOf('stranger'))],
    ['a principal that policy maps to somebody else', throughAws('ada', principalOf('bob'))],
    ['a name at a machine', atMachine],
    ['an admin’s name at a machine', { name: 'ada', through: 'machine' } as const],
  ])('%s approves nothing, and the run says why once', async (_, person) => {
    const bench = deployed();
    const run = await answer(bench, await askedRun(bench, changes), 'approve', person);
    expect(run.phase).toBe('awaiting');
    for (let times = 0; times < 3; times += 1) await bench.sweep();
    expect((await bench.run(run.id)).phase).toBe('awaiting');
    expect(bench.provider.writes).toEqual([]);
    expect(await ignored(bench, run.id)).toHaveLength(1);
    expect((await answer(bench, run, 'approve', throughAws('mona'))).outcome).toBe('complete');
  });

  test('nor do they reject: the question stays', async () => {
    const bench = deployed();
    const run = await askedRun(bench, changes);
    for (const person of [throughAws('bob'), atMachine]) expect((await answer(bench, run, 'reject', person)).phase).toBe('awaiting');
  });

  test('with a list, exactly those decide', async () => {
    const bench = deployed(['Bob']);
    bench.code.people.set('bob', 'read');
    const run = await askedRun(bench, changes);
    expect((await answer(bench, run, 'approve', throughAws('ada'))).phase).toBe('awaiting');
    expect((await answer(bench, run, 'approve', throughAws('bob', principalOf('Bob')))).outcome).toBe('complete');
  });

  test('nobody approves what they wrote or started, whatever their role; they may withdraw it', async () => {
    for (const own of ['author', 'trigger']) {
      const bench = deployed(['kim', 'ada']);
      if (own === 'author') bench.code.authors.set(commitOf('one'), ['web', 'Kim']);
      const run = await askedRun(bench, changes, 'one', own === 'trigger' ? { triggeredBy: 'KIM' } : {});
      expect((await answer(bench, run, 'approve', throughAws('kim'))).phase).toBe('awaiting');
      expect((await answer(bench, run, 'reject', throughAws('kim'))).outcome).toBe('rejected');
    }
  });

  test('a preview run whose line writes production asks production’s approvers', async () => {
    const bench = deployed(['bob']);
    const run = await askedRun(bench, [{ id: 'a', things: { x: '1' }, environment: 'production' }], 'one', { environment: 'preview', scope: 'branch-x' });
    expect(run).toMatchObject({ phase: 'awaiting', protects: ['production'] });
    expect((await answer(bench, run, 'approve', throughAws('ada'))).phase).toBe('awaiting');
    expect((await answer(bench, run, 'approve', throughAws('bob'))).outcome).toBe('complete');
  });

  test('while the policy is wrong nobody decides, and the question stays until it is mended', async () => {
    const bench = deployed();
    const run = await askedRun(bench, changes);
    putPolicy(bench, '{ version: 1, environments: [');
    expect((await answer(bench, run, 'approve', throughAws('ada'))).phase).toBe('awaiting');
    knowPeople(bench, ['ada']);
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  test('while the host does not answer nobody decides; afterwards the answer counts', async () => {
    const bench = deployed();
    const run = await askedRun(bench, changes);
    let failing = 3;
    bench.code.onAsk = (question) => {
      if (question === 'permission' && failing-- > 0) throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'no' });
    };
    expect(await answer(bench, run, 'approve', throughAws('ada'))).toMatchObject({ phase: 'awaiting' });
    for (let tick = 0; tick < 3; tick += 1) await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  test('one who loses the role before the guard judges has approved nothing: the same question stays open, and nothing goes round', async () => {
    const bench = deployed();
    const run = await askedRun(bench, changes);
    let asked = 0;
    bench.code.onAsk = (question) => {
      if (question === 'permission' && ++asked === 2) bench.code.people.set('ada', 'write'); // the guard asks the second time
    };
    const back = await answer(bench, run, 'approve', throughAws('ada'));
    expect(back).toMatchObject({ phase: 'awaiting', round: 1, question: { q: 1, digest: run.question?.digest } });
    expect(bench.provider.writes).toEqual([]);
    expect(bench.memory.items().find((item) => item.sk === 'LEASE')).toMatchObject({ released: true });
    expect([...bench.states.open.values()]).toEqual(['ask']);
    for (let times = 0; times < 3; times += 1) await bench.sweep();
    expect(asked).toBeLessThan(10);
    expect((await answer(bench, back, 'approve', throughAws('mona'))).outcome).toBe('complete');
    expect(bench.states.open.size).toBe(0);
  });

  test('an environment that is protected since the plan was asked about needs its approvers too, and nothing goes round', async () => {
    const bench = deployed();
    const run = await askedRun(bench, [
      { id: 'a', things: { x: '1' }, environment: 'staging' },
      { id: 'b', things: { y: '1' } },
    ]);
    const aws = principalOf('mona');
    const environments = {
      staging: { protected: true, approvers: [{ github: 'mona', aws }] },
      other: { approvers: [{ github: 'ada', aws: principalOf('ada') }] },
    };
    putPolicy(bench, JSON.stringify({ version: 1, environments }));
    const back = await answer(bench, run, 'approve', throughAws('ada'));
    expect(back).toMatchObject({ phase: 'awaiting', protects: ['production', 'staging'] });
    for (let times = 0; times < 3; times += 1) await bench.sweep();
    expect((await bench.run(run.id)).phase).toBe('awaiting');
    expect((await answer(bench, back, 'approve', throughAws('mona'))).outcome).toBe('complete');
  });
});

describe('on an embedded stack', () => {
  test('whoever sits at the machine decides, on their own run too, and nobody is looked up', async () => {
    const bench = openWorkbench();
    knowPeople(bench, ['ada'], ['ada']);
    const run = await askedRun(bench, changes, 'one', { triggeredBy: 'kim' });
    bench.code.onAsk = (question) => {
      if (question === 'permission' || question === 'authorsOf') throw new Error('nobody is to be looked up');
    };
    expect((await answer(bench, run)).outcome).toBe('complete');
    expect((await bench.report(run.id)).decisions).toMatchObject([{ person: 'kim', standing: 'unverified, self' }]);
  });

  test('a principal is judged there as anywhere', async () => {
    const bench = openWorkbench();
    knowPeople(bench, ['ada', 'bob'], ['ada']);
    const run = await askedRun(bench, changes);
    expect((await answer(bench, run, 'approve', throughAws('bob'))).phase).toBe('awaiting');
    expect((await answer(bench, run, 'approve', throughAws('ada'))).outcome).toBe('complete');
  });
});

describe('approvals and rejections that race', () => {
  test.each([
    ['an approval first', ['approve', 'reject']],
    ['a rejection first', ['reject', 'approve']],
  ] as const)('any rejection before the guard honours an approval wins: %s', async (_, verdicts) => {
    const bench = deployed();
    const run = await askedRun(bench, changes);
    const people = [throughAws('ada'), throughAws('mona')];
    for (const [at, verdict] of verdicts.entries()) await writeAnswer(bench, run, verdict, people[at]);
    await wake(bench, run);
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('rejected');
    expect(bench.provider.writes).toEqual([]);
    expect(bench.states.open.size).toBe(0);
  });

  test('two approvals apply once', async () => {
    const bench = deployed();
    const run = await askedRun(bench, changes);
    await writeAnswer(bench, run, 'approve', throughAws('ada'));
    await wake(bench, run);
    await writeAnswer(bench, run, 'approve', throughAws('mona'));
    await wake(bench, run);
    await bench.quiet();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.provider.writes).toHaveLength(1);
    expect(bench.states.open.size).toBe(0);
  });
});
