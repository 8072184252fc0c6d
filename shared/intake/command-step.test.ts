import { beforeEach, describe, expect, it, test } from 'vitest';
import type { CommandIntake } from '../../events/command-intake.ts';
import { commitOf, openWorkbench, planOf, repository, type Workbench } from '../../test/ports/workbench.ts';
import { knownRepository } from '../run/known-repository.ts';
import { commandIdOf, commandKey } from '../table/keys.ts';

const ada = 'arn:aws:sts::111122223333:assumed-role/operators/ada';
const policy = {
  version: 1,
  plans: [
    { name: 'main', path: 'release.plan.yaml' },
    { name: 'billing', path: 'billing/release.plan.yaml' },
  ],
  environments: { production: { approvers: [{ github: 'ada', aws: ada }] } },
};

let bench: Workbench;
beforeEach(() => {
  bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  bench.code.repository = { id: repository.id, defaultBranch: 'main' };
  bench.code.tips.set('feat-7', commitOf('one'));
  bench.code.tips.set('main', commitOf('main'));
  bench.code.commit(commitOf('main'), 'lockkeeper.yaml', JSON.stringify(policy));
});

/** Records a command as the terminal does and queues it; `id` is new each time. */
async function record(change: Partial<CommandIntake> = {}): Promise<string> {
  const world = bench.world();
  const now = new Date(bench.clock.now()).toISOString();
  const command: CommandIntake = {
    format: 1,
    kind: 'command',
    id: commandIdOf(world.ids.fresh().padStart(26, '0')),
    intent: 'apply',
    repository: { id: 'acme/storefront', owner: 'acme', name: 'storefront' },
    path: 'release.plan.yaml',
    environment: 'preview',
    branch: 'feat-7',
    commit: commitOf('one'),
    reconcile: false,
    person: { principal: ada, name: 'ada' },
    receivedAt: now,
    status: 'recorded',
    since: now,
    writeId: 'written by the terminal',
    ttl: 2_000_000_000,
    ...change,
  };
  await bench.memory.table.write(commandKey(command.id), { put: { ...command } }, { is: 'absent' });
  await world.queues.control({ format: 1, run: command.id, group: command.repository.id });
  return command.id;
}

const answerOf = async (id: string) => (await bench.memory.table.get(commandKey(id))) as unknown as CommandIntake;

async function answered(change: Partial<CommandIntake> = {}): Promise<CommandIntake> {
  const id = await record(change);
  await bench.quiet();
  return answerOf(id);
}

describe('a command through the stack', () => {
  it('becomes a run under the repository’s number, in the name of the person behind the principal, and is answered with it', async () => {
    const { run, status, since } = await answered();
    expect({ status, since }).toEqual({ status: 'done', since: undefined });
    expect(await bench.run(String(run))).toMatchObject({
      repository,
      scope: 'branch-feat-7',
      environment: 'preview',
      intent: 'apply',
      triggeredBy: 'ada',
      outcome: 'complete',
    });
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  it('told twice, and with the answer lost, starts one run (I10)', async () => {
    const id = await record();
    await bench.world().queues.control({ format: 1, run: id, group: repository.id });
    bench.memory.faults.loseAnswer((call) => call.op === 'write' && call.key.pk === `COMMAND#${id}`, 'done', 2);
    await bench.quiet();
    await bench.world().queues.control({ format: 1, run: id, group: repository.id });
    await bench.quiet();
    expect(bench.memory.items().filter((item) => item['item'] === 'run')).toHaveLength(1);
  });

  it('is found by the sweep when it was recorded and never queued', async () => {
    const id = await record();
    bench.queues.take('control');
    await bench.sweep();
    expect((await answerOf(id)).run).toBeDefined();
  });

  it('uses the name that policy gives the plan file', async () => {
    bench.code.commit(commitOf('one'), 'billing/release.plan.yaml', JSON.stringify({ version: 1, changes: [] }));
    const { run } = await answered({ path: 'billing/release.plan.yaml' });
    expect((await bench.run(String(run))).plan).toMatchObject({ name: 'billing', path: 'billing/release.plan.yaml' });
  });

  it('takes an older commit of the branch, and no commit that is not on it', async () => {
    bench.code.tips.set('feat-7', commitOf('two'));
    bench.code.history.push(commitOf('one'), commitOf('two'));
    expect((await answered()).problem).toBeUndefined();
    expect((await answered({ commit: commitOf('of a fork') })).problem).toMatchObject({ code: 'COMMIT_NOT_PUSHED' });
    bench.code.tips.delete('feat-7');
    expect((await answered()).problem).toMatchObject({ code: 'COMMIT_NOT_PUSHED' });
  });

  it('says with the next event which repository goes by a name', async () => {
    expect(await knownRepository(bench.memory.table, 'Acme', 'Storefront')).toBeUndefined();
    await answered();
    expect(await knownRepository(bench.memory.table, 'Acme', 'Storefront')).toEqual(repository);
  });
});

describe('a command is answered with why there is no run, and nothing is done', () => {
  it.each<[string, string, Partial<CommandIntake>]>([
    ['APPROVER_NOT_A_PERSON', 'the principal is mapped to nobody', { person: { principal: 'arn:aws:sts::111122223333:assumed-role/guests/eve', name: 'ada' } }],
    ['APPROVER_NOT_A_PERSON', 'the principal is somebody else', { person: { principal: ada, name: 'grace' } }],
    ['PLAN_MISSING', 'policy names no such plan', { path: 'other.plan.yaml' }],
    ['POLICY_DENIED', 'the stack serves others', { repository: { id: 'other/thing', owner: 'other', name: 'thing' } }],
    ['NOT_FOUND', 'there is no such pull request', { pullRequest: 99 }],
    ['NOT_FOUND', 'there is no such run to be run again', { intent: 'retry', again: 'nothing' }],
  ])('%s: %s', async (code, _why, change) => {
    const { problem, run } = await answered(change);
    expect(problem?.code).toBe(code);
    expect(run).toBeUndefined();
    expect(bench.memory.items().filter((item) => item['item'] === 'run')).toEqual([]);
  });

  it('POLICY_INVALID: a mistake in the policy of the default branch stops commands too', async () => {
    bench.code.commit(commitOf('main'), 'lockkeeper.yaml', 'version: 2');
    expect((await answered()).problem?.code).toBe('POLICY_INVALID');
  });
});

test('a plan needs no person: it writes nothing', async () => {
  const { run } = await answered({ intent: 'plan', person: { principal: 'arn:aws:sts::111122223333:assumed-role/guests/eve' } });
  expect(await bench.run(String(run))).toMatchObject({ kind: 'plan', outcome: 'complete' });
  expect(bench.provider.names()).toEqual([]);
});

describe('a drift read', () => {
  beforeEach(() => bench.code.commit(commitOf('main'), 'release.plan.yaml', planOf([{ id: 'a', things: { x: '1' } }])));
  const eve = { principal: 'arn:aws:sts::111122223333:assumed-role/guests/eve', name: 'ada' };

  it('is a scan of what the default branch releases, whatever is checked out, by nobody who is not that person (R2.3, I4)', async () => {
    const { run } = await answered({ intent: 'drift', branch: 'feat-7', commit: commitOf('one'), person: eve, only: 'a' });
    const scan = await bench.run(String(run));
    expect(scan).toMatchObject({ kind: 'drift', outcome: 'complete', scope: 'main', branch: 'main', commit: commitOf('main') });
    expect(scan.options.scan).toMatchObject({ by: 'person', lines: ['a'] });
    expect([scan.options.scan?.person, scan.triggeredBy]).toEqual([undefined, undefined]);
    expect(bench.provider.names()).toEqual([]);
  });

  it('starts one scan, however often its message comes (P6, I10)', async () => {
    const first = await answered({ intent: 'drift' });
    // The answer was lost: the message comes again to a command that nobody has answered.
    await bench.memory.table.write(commandKey(first.id), { set: { status: 'recorded' }, remove: ['run'] }, { is: 'present' });
    await bench.world().queues.control({ format: 1, run: first.id, group: first.repository.id });
    await bench.quiet();
    expect((await answerOf(first.id)).run).toBe(first.run);
    expect(bench.memory.items().filter((item) => item['item'] === 'run')).toHaveLength(1);
    expect((await answered({ intent: 'drift' })).run).not.toBe(first.run);
  });

  it('of a file that is no plan of the policy, or without a default branch, is answered with why', async () => {
    expect((await answered({ intent: 'drift', path: 'other.plan.yaml' })).problem).toMatchObject({ code: 'PLAN_MISSING' });
    bench.code.tips.delete('main');
    expect((await answered({ intent: 'drift' })).problem?.code).toBe('NOT_FOUND');
  });
});

describe('a command on a pull request', () => {
  it('planned, leaves the pull request’s comment and check as they are', async () => {
    const { run } = await answered({ intent: 'plan', pullRequest: 7 });
    expect(await bench.run(String(run))).toMatchObject({ kind: 'plan', outcome: 'complete' });
    expect([bench.code.comments.size, bench.code.checks.size]).toEqual([0, 0]);
    await answered({ pullRequest: 7 });
    expect([bench.code.comments.size, bench.code.checks.size]).toEqual([1, 1]);
  });

  it('follows it: its head is applied, in its own scope, on its own branch', async () => {
    const { run } = await answered({ pullRequest: 7, branch: 'what the terminal believes' });
    expect(await bench.run(String(run))).toMatchObject({ scope: 'pr-7', branch: 'feat-7', intent: 'follow', outcome: 'complete' });
  });

  it('is refused when it comes from a fork, or is closed', async () => {
    const pull = { number: 7, open: true, head: { sha: commitOf('one'), branch: 'feat-7', fork: true } };
    bench.code.pulls.set(7, pull);
    expect((await answered({ pullRequest: 7 })).problem?.code).toBe('POLICY_DENIED');
    bench.code.pulls.set(7, { ...pull, open: false, head: { ...pull.head, fork: false } });
    expect((await answered({ pullRequest: 7 })).problem?.code).toBe('USAGE');
    expect((await answered({ pullRequest: 7, intent: 'destroy' })).run).toBeDefined();
  });
});

test('a retry through the stack is a new run in the name of whoever asks', async () => {
  const first = await answered();
  const { run } = await answered({ intent: 'retry', again: String(first.run) });
  expect(run).not.toBe(first.run);
  expect(await bench.run(String(run))).toMatchObject({ outcome: 'complete', triggeredBy: 'ada' });
});

test('a host that cannot be asked is asked again; a command that dies is answered', async () => {
  const id = await record();
  bench.code.onAsk = () => {
    throw new Error('the host is down');
  };
  await bench.quiet();
  expect(await answerOf(id)).toMatchObject({ status: 'died', problem: { code: 'INTERRUPTED' } });
});
