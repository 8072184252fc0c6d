import { expect, test } from 'vitest';
import { openWorkbench, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { step } from '../adapters/manual/step.ts';
import { createRegistry } from '../adapters/registry.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { confirmStep, findStep } from '../rulings/confirm-line.ts';
import type { Op, ProviderHttp } from './op.ts';

/** An API that shows whether the bot was invited. */
function api() {
  const shown = { state: 'absent' as string, asked: [] as string[] };
  const http: ProviderHttp = {
    async send(request) {
      shown.asked.push(`${request.method} ${request.path}`);
      if (shown.state === 'absent') throw new LockkeeperError({ code: 'PROVIDER_NOT_FOUND', message: 'no such member', details: { status: 404 } });
      if (shown.state === 'broken') throw new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' });
      return request.answer.parse({ member: { state: shown.state } });
    },
  };
  return { shown, bench: openWorkbench('embedded', { registry: createRegistry([step as Op]), provider: http }) };
}

const providers = { manual: { chat: { base_url: 'https://chat.example' } } };
const policy = 'version: 1\nenvironments: { preview: { http_hosts: [chat.example] } }\n';
const invite = {
  id: 'invite',
  adapter: 'manual',
  op: 'step',
  title: 'Invite {who}',
  instructions: 'Invite {who}.',
  vars: { who: 'the bot' },
  verify: { api: 'chat', path: '/members/{who}', match: { '/member/state': 'joined' } },
};

async function release(bench: Workbench, commit: string, line: object = invite) {
  bench.code.tips.set('main', commit.padEnd(40, '0'));
  bench.code.commit(commit.padEnd(40, '0'), 'lockkeeper.yaml', policy);
  return bench.release(7, commit, [line], { providers });
}

const entriesOf = async (bench: Workbench) => (await readLedgerLine(bench.memory.table, scopeOf(7), 'invite'))?.entries ?? [];

test('a step that the API shows as done needs nobody’s word; it is looked at again with every run (R1.55)', async () => {
  const { shown, bench } = api();
  shown.state = 'joined';
  const run = await release(bench, 'a1');
  expect(await bench.statuses(run.id)).toEqual({ invite: 'applied' });
  expect(shown.asked).toEqual(['GET /members/the%20bot']);
  expect(await entriesOf(bench)).toMatchObject([{ key: 'step:Invite the bot', manual: { how: 'verified' } }]);
  const again = await release(bench, 'a2');
  expect(await bench.statuses(again.id)).toEqual({ invite: 'unchanged' });
  expect(shown.asked).toHaveLength(2);
});

test.each(['absent', 'invited'])('one that is %s is not done yet, and says that it can be seen', async (state) => {
  const { shown, bench } = api();
  shown.state = state;
  const run = await release(bench, 'b1');
  expect((await bench.report(run.id)).lines).toMatchObject([{ status: 'waiting', manual: { observable: true } }]);
});

test('seen earlier and not any more, it is missing and has to be done again (R0.5, R1.55)', async () => {
  const { shown, bench } = api();
  shown.state = 'joined';
  await release(bench, 'c1');
  shown.state = 'absent';
  const run = await release(bench, 'c2');
  const report = await bench.report(run.id);
  expect(report.lines).toMatchObject([{ status: 'waiting', problem: { code: 'MANUAL_STEP_PENDING' } }]);
  expect(report.drift).toMatchObject([{ kind: 'missing', line: 'invite' }]);
});

test('a person’s word stands against a look that disagrees (R1.55)', async () => {
  const { shown, bench } = api();
  const run = await release(bench, 'd1');
  const found = await findStep(bench.world(), scopeOf(7), 'invite');
  if ('done' in found) throw new Error('it was done before');
  await confirmStep(bench.world(), scopeOf(7), found, { by: { name: 'kim', through: 'machine' }, start: 'one', at: '2026-01-01T00:00:00.000Z' });
  await bench.quiet();
  expect(await bench.statuses(run.id)).toEqual({ invite: 'applied' });
  const asked = shown.asked.length;
  expect(await bench.statuses((await release(bench, 'd2')).id)).toEqual({ invite: 'unchanged' });
  expect(shown.asked).toHaveLength(asked);
});

test('a host that policy does not list is not asked (R1.55)', async () => {
  const { shown, bench } = api();
  const run = await bench.release(7, 'e1', [invite], { providers });
  expect((await bench.report(run.id)).problem?.code).toBe('POLICY_DENIED');
  expect(shown.asked).toEqual([]);
});

test('an API that cannot be asked fails the line: nothing is taken for done, and nobody is asked instead', async () => {
  const { shown, bench } = api();
  shown.state = 'broken';
  const run = await release(bench, 'f1');
  expect(run.outcome).toBe('failed');
  expect((await bench.report(run.id)).lines).toMatchObject([{ status: 'failed', problem: { code: 'PROVIDER_INVALID' } }]);
  expect(await entriesOf(bench)).toEqual([]);
});
