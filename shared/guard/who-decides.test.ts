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
    const silentUntil = bench.clock.now() + 20 * 60_000;
    bench.code.onAsk = (question) => {
      if (question === 'permission' && bench.clock.now() < silentUntil) throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'no' });
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

/** A deployed stack whose policy says more of production than who decides. */
function governed(production: object): Workbench {
  const bench = deployed();
  const people = ['ada', 'bob', 'mona', 'kim'].map((github) => ({ github, aws: principalOf(github) }));
  putPolicy(bench, JSON.stringify({ version: 1, environments: { staging: { approvers: people }, production } }));
  return bench;
}

const onGithub = (name: string) => ({ name, through: 'github' }) as const;
const check = (bench: Workbench) => [...bench.code.checks.values()].map(({ text = '', summary }) => `${summary} ${text}`).join(' ');

describe('where several people must approve', () => {
  test('one of two is shown and the run stays parked; the second lets it go on, and the receipt names both', async () => {
    const bench = governed({ required: 2 });
    const run = await askedRun(bench, changes);
    const half = await answer(bench, run, 'approve', throughAws('ada'));
    expect(half).toMatchObject({ phase: 'awaiting', approvals: { q: 1, by: ['ada'], required: 2 } });
    expect(bench.provider.writes).toEqual([]);
    expect(check(bench)).toContain('1 of 2 (ada)');
    for (let times = 0; times < 3; times += 1) await bench.sweep();
    expect((await bench.run(run.id)).phase).toBe('awaiting');
    const whole = await answer(bench, run, 'approve', throughAws('mona'));
    expect(whole.outcome).toBe('complete');
    expect((await bench.report(run.id)).decisions?.map(({ person }) => person).sort()).toEqual(['ada', 'mona']);
  });

  test('one person behind two surfaces is one', async () => {
    const bench = governed({ required: 2 });
    const run = await askedRun(bench, changes);
    await answer(bench, run, 'approve', throughAws('ada'));
    expect((await answer(bench, run, 'approve', onGithub('ADA'))).approvals?.by).toHaveLength(1);
    expect((await answer(bench, run, 'approve', onGithub('mona'))).outcome).toBe('complete');
  });

  test('one rejection ends it, whoever has approved', async () => {
    const bench = governed({ required: 2 });
    const run = await askedRun(bench, changes);
    await answer(bench, run, 'approve', throughAws('ada'));
    expect((await answer(bench, run, 'reject', throughAws('mona'))).outcome).toBe('rejected');
    expect(bench.provider.writes).toEqual([]);
  });

  test('an approval that stops counting is not counted on: the one who lost the role is one less', async () => {
    const bench = governed({ required: 2 });
    const run = await askedRun(bench, changes);
    await answer(bench, run, 'approve', throughAws('ada'));
    bench.code.people.set('ada', 'read');
    const back = await answer(bench, run, 'approve', throughAws('mona'));
    expect(back).toMatchObject({ phase: 'awaiting', approvals: { by: ['mona'], required: 2 } });
    expect((await answer(bench, run, 'approve', throughAws('kim'))).outcome).toBe('complete');
  });

  test('policy that asks for more people meanwhile is heeded', async () => {
    const bench = governed({});
    const run = await askedRun(bench, changes);
    await writeAnswer(bench, run, 'approve', throughAws('ada'));
    putPolicy(
      bench,
      JSON.stringify({ version: 1, environments: { production: { required: 2 }, x: { approvers: [{ github: 'ada', aws: principalOf('ada') }] } } }),
    );
    await wake(bench, run);
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting', approvals: { by: ['ada'], required: 2 } });
  });
});

describe('where a team decides', () => {
  const releases = { approvers: [{ team: 'acme/releases' }] };

  test('its members do, as they are at this moment; whoever has left does not', async () => {
    const bench = governed(releases);
    bench.code.teams.set('acme/releases', ['Bob']);
    const run = await askedRun(bench, changes);
    expect((await answer(bench, run, 'approve', throughAws('ada'))).phase).toBe('awaiting');
    bench.code.teams.set('acme/releases', []);
    expect((await answer(bench, run, 'approve', throughAws('bob'))).phase).toBe('awaiting');
    bench.code.teams.set('acme/releases', ['Mona']);
    expect((await answer(bench, run, 'approve', onGithub('mona'))).outcome).toBe('complete');
  });

  test('nobody does while GitHub shows no members, and the refusal says what the App lacks', async () => {
    const bench = governed(releases);
    const run = await askedRun(bench, changes);
    expect((await answer(bench, run, 'approve', throughAws('bob'))).phase).toBe('awaiting');
    expect((await ignored(bench, run.id)).join(' ')).toContain('the App needs the organization permission Members (read)');
    expect(bench.provider.writes).toEqual([]);
  });

  test('nobody does while GitHub does not answer; afterwards the same answer counts', async () => {
    const bench = governed(releases);
    bench.code.teams.set('acme/releases', ['bob']);
    const run = await askedRun(bench, changes);
    const silentUntil = bench.clock.now() + 20 * 60_000;
    bench.code.onAsk = (question) => {
      if (question === 'inTeam' && bench.clock.now() < silentUntil) throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'no' });
    };
    expect((await answer(bench, run, 'approve', throughAws('bob'))).phase).toBe('awaiting');
    for (let tick = 0; tick < 4; tick += 1) await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });
});

describe('one’s own', () => {
  test('may be approved where policy says so, by the author and by whoever started it', async () => {
    for (const own of ['author', 'trigger']) {
      const bench = governed({ allow_self: true });
      if (own === 'author') bench.code.authors.set(commitOf('one'), ['kim']);
      const run = await askedRun(bench, changes, 'one', own === 'trigger' ? { triggeredBy: 'kim' } : {});
      expect((await answer(bench, run, 'approve', throughAws('kim'))).outcome).toBe('complete');
    }
  });

  test('of a bot is whoever triggered it: they do not approve what a bot wrote for them', async () => {
    const bench = governed({});
    bench.code.authors.set(commitOf('one'), ['renovate[bot]']);
    const run = await askedRun(bench, changes, 'one', { triggeredBy: 'kim' });
    expect((await answer(bench, run, 'approve', throughAws('kim'))).phase).toBe('awaiting');
    expect((await answer(bench, run, 'approve', throughAws('ada'))).outcome).toBe('complete');
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
