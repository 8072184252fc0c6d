import { expect, test } from 'vitest';
import { things } from '../../test/ports/example-op.ts';
import { written } from '../../test/ports/memory-table.ts';
import { commitOf, openWorkbench, planOf, planPath, scopeOf, type Workbench } from '../../test/ports/workbench.ts';
import { step } from '../adapters/manual/step.ts';
import { createRegistry } from '../adapters/registry.ts';
import { LockkeeperError } from '../errors/error.ts';
import { readLedgerLine } from '../ledger/ledger-line.ts';
import { confirmStep, findStep } from '../rulings/confirm-line.ts';
import { rule } from '../rulings/ruling.ts';
import { Again } from '../run/again.ts';
import { resumeById } from '../run/resume.ts';
import type { Op } from './op.ts';

const registry = createRegistry([things as Op, step as Op]);
const bench = (): Workbench => openWorkbench('embedded', { registry });

const manual = { id: 'invite', adapter: 'manual', op: 'step', title: 'Invite the bot', instructions: 'Open **settings** and press Invite.' };
const needing = { id: 'b', things: { y: '2' }, depends_on: ['invite'] };
const changes = [{ id: 'a', things: { x: '1' } }, manual, needing];

/** What a confirmation does, without who may give one. */
async function confirmed(on: Workbench, line = 'invite', by = 'kim'): Promise<void> {
  const found = await findStep(on.world(), scopeOf(7), line);
  if ('done' in found) throw new Error('it was done before');
  await confirmStep(on.world(), scopeOf(7), found, word(on, by));
  await on.quiet();
}

const word = (on: Workbench, name: string) => ({
  by: { name, through: 'machine' as const },
  start: on.world().ids.fresh(),
  at: new Date(on.clock.now()).toISOString(),
});

test('a step nobody has done waits for its confirmation: others are applied, what needs it waits, nothing is rolled back (R1.55)', async () => {
  const on = bench();
  const run = await on.release(7, 'one', changes);
  expect(run).toMatchObject({ phase: 'waiting', outcome: 'partial' });
  expect(await on.statuses(run.id)).toEqual({ a: 'applied', invite: 'waiting', b: 'waiting' });
  expect(on.provider.names()).toEqual(['x=1']);
  const report = await on.report(run.id);
  expect(report.lines.find((line) => line.id === 'invite')).toMatchObject({
    waitingFor: 'confirmation',
    problem: { code: 'MANUAL_STEP_PENDING' },
    manual: { title: 'Invite the bot', action: 'do', instructions: 'Open **settings** and press Invite.', observable: false },
  });
  expect(report.lines.find((line) => line.id === 'b')).toMatchObject({ waitingFor: 'confirmation', waitingOn: 'invite' });
});

test('confirmed, the run goes on: the step is applied, recorded with who said so, and unchanged ever after (R1.55)', async () => {
  const on = bench();
  const run = await on.release(7, 'one', changes);
  await confirmed(on);
  expect(await on.run(run.id)).toMatchObject({ phase: 'done', outcome: 'complete' });
  expect(await on.statuses(run.id)).toEqual({ a: 'unchanged', invite: 'applied', b: 'applied' });
  const ledger = await readLedgerLine(on.memory.table, scopeOf(7), 'invite');
  expect(ledger?.entries).toMatchObject([{ key: 'step:Invite the bot', manual: { title: 'Invite the bot', how: 'confirmed', by: 'kim' } }]);
  const again = await on.release(7, 'two', changes);
  expect(await on.statuses(again.id)).toEqual({ a: 'unchanged', invite: 'unchanged', b: 'unchanged' });
});

test('changed instructions are a step nobody has done: a word about the old ones does not count', async () => {
  const on = bench();
  await on.release(7, 'one', changes);
  await confirmed(on);
  const other = await on.release(7, 'two', [changes[0] as object, { ...manual, instructions: 'Do something else.' }, needing]);
  expect(await on.statuses(other.id)).toEqual({ a: 'unchanged', invite: 'waiting', b: 'waiting' });
  const { by, at, start } = word(on, 'kim');
  await rule(on.world(), scopeOf(7), `${start} again`, { kind: 'confirm', line: 'invite', by, at, shown: { key: 'x', mac: 'of something else' } });
  await resumeById(on.world(), other.id);
  await on.quiet();
  expect(await on.statuses(other.id)).toMatchObject({ invite: 'waiting' });
  expect((await on.report(other.id)).lines.find(({ id }) => id === 'invite')?.notes?.['unused']).toContain('kim');
});

test('a failure after a step was done rolls back what the run made, and leaves the step done (R1.55)', async () => {
  const on = bench();
  const run = await on.release(7, 'one', changes);
  on.provider.faults.fail((call) => call.name === 'y', new LockkeeperError({ code: 'PROVIDER_INVALID', message: 'no' }), 10);
  await confirmed(on);
  expect(await on.run(run.id)).toMatchObject({ outcome: 'failed' });
  expect(await on.statuses(run.id)).toEqual({ a: 'unchanged', invite: 'applied', b: 'failed' });
  expect(on.provider.names()).toEqual([]);
  expect((await readLedgerLine(on.memory.table, scopeOf(7), 'invite'))?.entries).toMatchObject([{ manual: { by: 'kim' } }]);
});

test('a renamed line keeps what was done under its old name', async () => {
  const on = bench();
  await on.release(7, 'one', changes);
  await confirmed(on);
  const renamed = await on.release(7, 'two', [changes[0] as object, { ...manual, id: 'invited' }]);
  expect(await on.statuses(renamed.id)).toEqual({ a: 'unchanged', invited: 'unchanged' });
  expect((await readLedgerLine(on.memory.table, scopeOf(7), 'invite'))?.entries ?? []).toEqual([]);
});

test('destroy forgets a step that has no undo', async () => {
  const on = bench();
  await on.release(7, 'one', changes);
  await confirmed(on);
  const destroyed = await on.close(7, 'one');
  expect(destroyed).toMatchObject({ outcome: 'complete', kind: 'destroy' });
  expect(on.provider.names()).toEqual([]);
});

test('destroy waits until the undo is confirmed; what the step stands on stays until then (R1.71)', async () => {
  const on = bench();
  const withUndo = [changes[0] as object, { ...manual, undo: 'Remove the bot.', depends_on: ['a'] }, needing];
  await on.release(7, 'one', withUndo);
  await confirmed(on);
  const destroyed = await on.close(7, 'one');
  expect(destroyed).toMatchObject({ phase: 'waiting', outcome: 'partial', kind: 'destroy' });
  expect(await on.statuses(destroyed.id)).toEqual({ a: 'waiting', b: 'destroyed', invite: 'waiting' });
  expect(on.provider.names()).toEqual(['x=1']);
  expect((await on.report(destroyed.id)).lines.find(({ id }) => id === 'invite')?.manual).toEqual({
    title: 'Invite the bot',
    action: 'undo',
    instructions: 'Remove the bot.',
    observable: false,
    confirm: 'lockkeeper confirm invite --pr 7',
  });
  await confirmed(on);
  expect(await on.run(destroyed.id)).toMatchObject({ phase: 'done', outcome: 'complete' });
  expect(on.provider.names()).toEqual([]);
  expect(on.memory.items().filter(({ sk }) => sk.startsWith('CONFIRM#'))).toMatchObject([{ usedBy: destroyed.id }]);
});

test('a pull request takes over what was done in its branch’s scope: nobody is asked again (R1.30, R1.97)', async () => {
  const on = bench();
  on.code.tips.set('feat-7', commitOf('zero'));
  on.code.commit(commitOf('zero'), planPath, planOf([manual]));
  await on.command({ commit: 'zero', branch: 'feat-7', scope: 'branch-feat-7' });
  await on.quiet();
  const found = await findStep(on.world(), scopeOf('branch-feat-7'), 'invite');
  if ('done' in found) throw new Error('it was done before');
  await confirmStep(on.world(), scopeOf('branch-feat-7'), found, word(on, 'kim'));
  await on.quiet();
  const run = await on.release(7, 'one', [manual]);
  expect(await on.statuses(run.id)).toEqual({ invite: 'unchanged' });
  expect((await readLedgerLine(on.memory.table, scopeOf('branch-feat-7'), 'invite'))?.entries ?? []).toEqual([]);
  expect((await readLedgerLine(on.memory.table, scopeOf(7), 'invite'))?.entries).toMatchObject([{ manual: { by: 'kim' } }]);
});

test('confirmed while its run is still at work on other lines, the run goes on as soon as it waits (P5)', async () => {
  const on = bench();
  let phase: string | undefined;
  on.provider.faults.before(
    (call) => call.method === 'POST',
    async () => {
      const found = await findStep(on.world(), scopeOf(7), 'invite');
      if ('done' in found) throw new Error('it was done before');
      phase = found.run.phase;
      await confirmStep(on.world(), scopeOf(7), found, word(on, 'kim'));
    },
  );
  const run = await on.release(7, 'one', [manual, { id: 'z', things: { x: '1' } }]);
  expect(phase).toBe('applying');
  expect(run).toMatchObject({ phase: 'done', outcome: 'complete', round: 2 });
});

test('a renamed step that a death left in both lines is taken out of the old one by the next attempt, and asked about once by a destroy (R1.71, P4)', async () => {
  const on = bench();
  const undone = { ...manual, undo: 'Remove the bot.' };
  await on.release(7, 'one', [undone]);
  await confirmed(on);
  const isTaken = written('SCOPE#', 'LEDGER#invite');
  on.memory.faults.fail((call) => isTaken(call) && hasNewName(on), new Again('died in between', 1));
  const run = await on.release(7, 'two', [{ ...undone, id: 'bot' }]);
  expect(await on.statuses(run.id)).toEqual({ bot: 'unchanged' });
  expect((await on.report(run.id)).drift).toEqual([]);
  expect((await readLedgerLine(on.memory.table, scopeOf(7), 'invite'))?.entries ?? []).toEqual([]);
  const closed = await on.close(7, 'two');
  expect(await on.statuses(closed.id)).toEqual({ bot: 'waiting' });
});

const hasNewName = (on: Workbench): boolean => on.memory.items().some(({ sk, entries }) => sk === 'LEDGER#bot' && (entries as unknown[]).length > 0);
