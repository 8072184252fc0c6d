import { describe, expect, test } from 'vitest';
import type { CommandIntake } from '../../events/command-intake.ts';
import type { Said } from '../../events/said.ts';
import { answer, principalOf, throughAws } from '../../test/ports/people.ts';
import { commitOf, openWorkbench, planOf, planPath, repository, type Workbench } from '../../test/ports/workbench.ts';
import { commandIdOf, commandKey } from '../table/keys.ts';

const stranger = 'arn:aws:iam::123456789012:user/nobody';
const lines = (prefix: string) => [
  { id: 'a', things: { [`${prefix}-x`]: '1' } },
  { id: 'left', things: { [`${prefix}-y`]: '1' } },
];

/** Production and a preview that hold something, on a deployed stack. kim and ada approve production; bob is known from staging and may push. */
async function stage(): Promise<Workbench> {
  const bench = openWorkbench('deployed');
  const listed = (...logins: string[]) => logins.map((github) => ({ github, aws: principalOf(github) }));
  const policy = { version: 1, environments: { production: { approvers: listed('kim', 'ada') }, staging: { approvers: listed('bob') } } };
  bench.code.repository = { id: repository.id, defaultBranch: 'main' };
  bench.code.commit(commitOf('tip'), 'lockkeeper.yaml', JSON.stringify(policy));
  for (const login of ['kim', 'ada', 'bob']) bench.code.people.set(login, 'write');
  bench.code.commit(commitOf('tip'), planPath, planOf(lines('live')));
  bench.code.tips.set('main', commitOf('tip'));
  bench.code.tips.set('feat-7', commitOf('feat'));
  expect((await bench.release(7, 'feat', lines('feat'))).outcome).toBe('complete');
  const id = await bench.command({ commit: 'tip', environment: 'production', scope: 'main', branch: 'main' });
  await bench.quiet();
  expect((await answer(bench, await bench.run(id), 'approve', throughAws('kim'))).outcome).toBe('complete');
  bench.clock.advance(1000);
  return bench;
}

const word = (verb: Said['verb']) => ({
  intent: 'apply' as const,
  format: 2 as const,
  said: { verb, line: 'a', ...(verb === 'accept' ? { until: '7d', reason: 'the vendor asked' } : {}) },
});

/** Every word by which somebody has something done to what is there. */
const words = {
  reconcile: word('reconcile'),
  adopt: word('adopt'),
  accept: word('accept'),
  recreate: word('recreate'),
  destroy: { intent: 'destroy' as const },
  prune: { intent: 'prune' as const, format: 2 as const, confirmed: true as const },
};

async function say(bench: Workbench, change: Partial<CommandIntake>, login: string, environment: string): Promise<CommandIntake> {
  const world = bench.world();
  const now = new Date(bench.clock.now()).toISOString();
  const person = login === 'nobody' ? { principal: stranger } : { principal: principalOf(login), name: login };
  const where = environment === 'production' ? { environment, branch: 'main' } : { environment, branch: 'feat-7', pullRequest: 7 };
  const command: CommandIntake = {
    format: 1,
    kind: 'command',
    id: commandIdOf(world.ids.fresh().padStart(26, '0')),
    intent: 'apply',
    repository: { id: 'acme/storefront', owner: 'acme', name: 'storefront' },
    path: 'release.plan.yaml',
    commit: commitOf(environment === 'production' ? 'tip' : 'feat'),
    reconcile: false,
    person,
    receivedAt: now,
    status: 'recorded',
    since: now,
    writeId: 'written by the terminal',
    ttl: 2_000_000_000,
    ...where,
    ...change,
  };
  await bench.memory.table.write(commandKey(command.id), { put: { ...command } }, { is: 'absent' });
  await world.queues.control({ format: 1, run: command.id, group: command.repository.id });
  await bench.quiet();
  return (await bench.memory.table.get(commandKey(command.id))) as unknown as CommandIntake;
}

describe('cancel and undo: the same judgement of whoever says it (I7)', () => {
  const undone = async (bench: Workbench, login: string) => {
    const run = bench.memory.items().find((item) => item['environment'] === 'production' && item.sk === 'META');
    return say(bench, { intent: 'undo', format: 2, again: String(run?.['id']) }, login, 'production');
  };
  const cancelled = async (bench: Workbench, login: string) => {
    const id = await bench.command({ commit: 'tip', environment: 'production', scope: 'main', branch: 'main', intent: 'destroy', options: { busy: 'wait' } });
    await bench.quiet();
    return say(bench, { intent: 'cancel', format: 2, again: id }, login, 'production');
  };

  test.each([
    ['undo', undone, 'kim', undefined],
    ['undo', undone, 'bob', 'NOT_AN_APPROVER'],
    ['undo', undone, 'nobody', 'APPROVER_NOT_A_PERSON'],
    ['cancel', cancelled, 'kim', undefined],
    ['cancel', cancelled, 'bob', 'NOT_AN_APPROVER'],
    ['cancel', cancelled, 'nobody', 'APPROVER_NOT_A_PERSON'],
  ] as const)('%s in production, by %s', async (_word, saying, login, code) => {
    const bench = await stage();
    const before = bench.provider.writes.length;
    const { problem } = await saying(bench, login);
    expect(problem?.code).toBe(code);
    expect(bench.provider.writes.length).toBe(before);
  });
});

describe.each(Object.entries(words))('%s: who may say it is judged one way, at that moment (R1.77, I7)', (_verb, change) => {
  test.each([
    ['production', 'kim', undefined],
    ['production', 'bob', 'NOT_AN_APPROVER'],
    ['production', 'nobody', 'APPROVER_NOT_A_PERSON'],
    ['preview', 'kim', undefined],
    ['preview', 'bob', undefined],
    ['preview', 'nobody', 'APPROVER_NOT_A_PERSON'],
  ])('in %s, by %s: %s', async (environment, login, code) => {
    const bench = await stage();
    // An orphan, so that there is something to prune.
    for (const item of bench.memory.items().filter(({ sk }) => sk === 'LEDGER#left')) {
      const entries = (item['entries'] as object[]).map((entry) => ({ ...entry, orphan: true }));
      await bench.memory.table.write({ pk: item.pk, sk: item.sk }, { set: { entries } }, { is: 'always' });
    }
    const before = bench.provider.writes.length;
    const { run, problem } = await say(bench, change, login, environment);
    expect(problem?.code).toBe(code);
    if (code !== undefined) expect(run).toBeUndefined();
    // Whoever says it, in a protected environment nothing is written before somebody has answered the question of the run.
    if (environment === 'production') expect(bench.provider.writes.length).toBe(before);
  });
});
