import { describe, expect, test } from 'vitest';
import { answer, askedRun, atMachine, writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import type { LockkeeperError } from '../errors/error.ts';
import { present } from '../table/condition.ts';
import { freezeKey } from '../table/keys.ts';
import { freeze, readFreeze, unfreeze } from './freeze.ts';

const changes = [{ id: 'a', things: { x: '1' } }];
const at = (bench: Workbench, minutes = 0) => new Date(bench.clock.now() + minutes * 60_000).toISOString();
const by = { name: 'ada', through: 'github' } as const;
let words = 0;

/** A person's own hand: no function that could die. */
const writer = (bench: Workbench) => ({ table: bench.memory.table, ids: bench.world().ids });

const freezes = (bench: Workbench, environment: string, until = '2h', reason = 'year end', start = `word-${++words}`) =>
  freeze(writer(bench), repository.id, environment, { by, start, at: at(bench) }, until, reason);
const thaws = (bench: Workbench, environment: string) => unfreeze(writer(bench), repository.id, environment, { by, start: `word-${++words}`, at: at(bench) });

async function refusal(said: Promise<unknown>): Promise<string> {
  return said.then(
    () => 'taken',
    (error: LockkeeperError) => `${error.code}: ${error.message}`,
  );
}

async function previewRun(bench: Workbench, more: object = {}) {
  bench.pull(7, 'one', changes);
  const id = await bench.command({ commit: 'one', environment: 'preview', scope: 'pr-7', ...more });
  await bench.quiet();
  return bench.run(id);
}

describe('a freeze', () => {
  test('holds until its end and not a moment longer, in its environment alone', async () => {
    const bench = openWorkbench();
    const { id } = repository;
    const { until } = await freezes(bench, 'production', '2h');
    expect(await readFreeze(bench.world(), id, 'production')).toEqual({ environment: 'production', reason: 'year end', until, by: 'ada' });
    expect(await readFreeze(bench.world(), id, 'staging')).toBeUndefined();
    expect(await readFreeze(bench.world(), 'another', 'production')).toBeUndefined();
    bench.clock.advance(2 * 3_600_000 - 1);
    expect(await readFreeze(bench.world(), id, 'production')).toBeDefined();
    bench.clock.advance(1);
    expect(await readFreeze(bench.world(), id, 'production')).toBeUndefined();
  });

  test('needs a reason and an end, thirty days away at most', async () => {
    const bench = openWorkbench();
    expect(await refusal(freezes(bench, 'production', '31d'))).toContain('more than 30 days away');
    expect(await refusal(freezes(bench, 'production', '2020-01-01'))).toContain('is past');
    expect(await refusal(freezes(bench, 'production', 'friday'))).toContain('is no date');
    expect(await refusal(freezes(bench, 'production', '2h', '  '))).toContain('It is not said why');
    expect(await readFreeze(bench.world(), repository.id, 'production')).toBeUndefined();
  });

  test('is what was said last: a word that comes twice brings back nothing', async () => {
    const bench = openWorkbench();
    const { id } = repository;
    const said = { by, start: 'first', at: at(bench) };
    await freeze(writer(bench), id, 'production', said, '2h', 'year end');
    bench.clock.advance(1000);
    await thaws(bench, 'production');
    await freeze(writer(bench), id, 'production', said, '2h', 'year end');
    expect(await readFreeze(bench.world(), id, 'production')).toBeUndefined();
    bench.clock.advance(1000);
    await freezes(bench, 'production', '1h', 'again');
    expect(await readFreeze(bench.world(), id, 'production')).toMatchObject({ reason: 'again' });
  });

  test('is ended by whoever says so later, though their clock is behind', async () => {
    const bench = openWorkbench();
    const { id } = repository;
    await freezes(bench, 'production');
    await unfreeze(writer(bench), id, 'production', { by, start: 'a clock that is behind', at: at(bench, -1) });
    expect(await readFreeze(bench.world(), id, 'production')).toBeUndefined();
    await freeze(writer(bench), id, 'production', { by, start: 'another', at: at(bench, -2) }, '3h', 'again');
    expect(await readFreeze(bench.world(), id, 'production')).toMatchObject({ reason: 'again' });
  });

  test('whose answer is lost, or that another word overtakes, is written once', async () => {
    const bench = openWorkbench();
    const { id } = repository;
    await freezes(bench, 'production', '2h', 'first');
    const meanwhile = { ...writer(bench) };
    let once = true;
    const table = {
      ...meanwhile.table,
      write: async (...given: Parameters<typeof meanwhile.table.write>) => {
        if (once) {
          once = false;
          await freezes(bench, 'production', '1h', 'second');
        }
        return meanwhile.table.write(...given);
      },
    };
    await unfreeze({ ...meanwhile, table }, id, 'production', { by, start: 'over the second', at: at(bench) });
    expect(await readFreeze(bench.world(), id, 'production')).toBeUndefined();
  });

  test('that cannot be read is no thaw, whatever its end was, until somebody says something else', async () => {
    const bench = openWorkbench();
    const { id } = repository;
    const damages = [{ set: { until: 'soon' } }, { set: { format: 2 } }, { set: {}, remove: ['reason', 'writeId', 'start', 'until'] }];
    for (const damage of damages) {
      await freezes(bench, 'preview');
      await bench.memory.table.write(freezeKey(id, 'preview'), damage, present);
      bench.clock.advance(30 * 24 * 3_600_000);
      expect(await readFreeze(bench.world(), id, 'preview')).toMatchObject({ environment: 'preview', unreadable: true });
      await thaws(bench, 'preview');
      expect(await readFreeze(bench.world(), id, 'preview')).toBeUndefined();
    }
    await freezes(bench, 'preview', '2h', 'anew');
    expect(await readFreeze(bench.world(), id, 'preview')).toMatchObject({ reason: 'anew' });
  });

  test('is taken back by whoever says so last, and there is nothing to take back where nothing is frozen', async () => {
    const bench = openWorkbench();
    await thaws(bench, 'staging');
    expect(bench.memory.items()).toEqual([]);
  });
});

describe('while an environment is frozen', () => {
  test('nothing new is applied where nobody is asked, and the run says until when, why, by whom and what to do', async () => {
    const bench = openWorkbench();
    await freezes(bench, 'preview');
    const run = await previewRun(bench);
    expect(run).toMatchObject({ phase: 'done', outcome: 'failed', problem: { code: 'FROZEN' } });
    expect(run.problem?.message).toMatch(/^preview is frozen until .* by ada: year end\.$/);
    expect(bench.provider.writes).toEqual([]);
    expect(bench.memory.items().find((item) => item.sk === 'LEASE')).toMatchObject({ released: true });
    bench.clock.advance(2 * 3_600_000);
    expect((await previewRun(bench)).outcome).toBe('complete');
  });

  test('plans go on and say that it is', async () => {
    const bench = openWorkbench();
    await freezes(bench, 'preview');
    const run = await previewRun(bench, { intent: 'plan' });
    expect(run.outcome).toBe('complete');
    expect((await bench.report(run.id)).warnings.map(({ code }) => code)).toContain('FROZEN');
  });

  test('questions go on: what is approved waits, is shown to wait, and goes on by itself when the freeze ends', async () => {
    const bench = openWorkbench();
    await freezes(bench, 'production');
    const run = await answer(bench, await askedRun(bench, changes));
    expect(run).toMatchObject({ phase: 'awaiting', frozen: { environment: 'production', reason: 'year end' } });
    expect([...bench.code.checks.values()].map(({ text = '', summary }) => `${summary} ${text}`).join(' ')).toContain('is frozen until');
    for (let times = 0; times < 3; times += 1) await bench.sweep();
    expect(bench.provider.writes).toEqual([]);
    bench.clock.advance(2 * 3_600_000);
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
    expect(bench.states.open.size).toBe(0);
  });

  test('an approval that runs out meanwhile applies nothing', async () => {
    const bench = openWorkbench();
    await freezes(bench, 'production', '9d');
    const run = await answer(bench, await askedRun(bench, changes));
    bench.clock.advance(3 * 86_400_000);
    await bench.sweep();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'expired' });
    expect(bench.provider.writes).toEqual([]);
  });

  test('it is shown once, and once more when it ends', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, changes);
    await freezes(bench, 'production');
    await bench.sweep();
    expect(await bench.run(run.id)).toMatchObject({ frozen: { q: 1, reason: 'year end' } });
    const check = () => [...bench.code.checks.values()].map(({ text = '', summary }) => `${summary} ${text}`).join(' ');
    expect(check()).toContain('is frozen until');
    bench.code.checks.clear();
    await bench.sweep();
    expect(check()).toBe('');
    bench.clock.advance(2 * 3_600_000);
    await bench.sweep();
    expect(await bench.run(run.id)).not.toHaveProperty('frozen');
    expect(check()).not.toContain('is frozen until');
  });

  test('by a word that is damaged, what was approved stays at its question, says why, and goes on when it is mended (R1.83, P7)', async () => {
    const bench = openWorkbench();
    await freezes(bench, 'production');
    const run = await askedRun(bench, changes);
    await bench.memory.table.write(freezeKey(repository.id, 'production'), { set: { until: 'soon' } }, present);
    await answer(bench, run);
    for (let times = 0; times < 3; times += 1) await bench.sweep();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting', frozen: { unreadable: true } });
    expect(bench.provider.writes).toEqual([]);
    expect(JSON.stringify([...bench.code.checks.values()])).toContain('production is frozen, and what was said of it cannot be read (it is damaged)');
    await thaws(bench, 'production');
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  test('by a word that is damaged in the moment before the guard looks, the run goes back to its question', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, changes);
    let said = false;
    bench.code.onAsk = (question) => {
      if (question !== 'file' || said) return; // the guard reads the plan
      said = true;
      void bench.memory.table.write(freezeKey(repository.id, 'production'), { put: { until: 'soon' } }, { is: 'always' });
    };
    const parked = await answer(bench, run);
    bench.code.onAsk = undefined;
    expect(parked).toMatchObject({ phase: 'awaiting', question: run.question });
    expect(bench.provider.writes).toEqual([]);
    await thaws(bench, 'production');
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  test('a rejection ends its run', async () => {
    const bench = openWorkbench();
    await freezes(bench, 'production');
    expect((await answer(bench, await askedRun(bench, changes), 'reject')).outcome).toBe('rejected');
  });

  test('a freeze that comes between the decision and the guard is heeded, and nothing goes round', async () => {
    const bench = openWorkbench();
    const run = await askedRun(bench, changes);
    let said = false;
    bench.code.onAsk = (question) => {
      if (question !== 'file' || said) return; // the guard reads the plan
      said = true;
      void freezes(bench, 'production');
    };
    const parked = await answer(bench, run);
    bench.code.onAsk = undefined;
    expect(parked).toMatchObject({ phase: 'awaiting' });
    for (let times = 0; times < 3; times += 1) await bench.sweep();
    expect(bench.provider.writes).toEqual([]);
    expect(bench.memory.items().find((item) => item.sk === 'LEASE')).toMatchObject({ released: true });
    bench.clock.advance(1000);
    await thaws(bench, 'production');
    await bench.sweep();
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  test('a preview whose line writes a frozen environment waits, too', async () => {
    const bench = openWorkbench();
    await freezes(bench, 'production');
    const elsewhere = [{ id: 'a', things: { x: '1' }, environment: 'production' }];
    const run = await askedRun(bench, elsewhere, 'one', { environment: 'preview', scope: 'branch-x' });
    await writeAnswer(bench, run, 'approve', atMachine);
    await bench.sweep();
    expect(await bench.run(run.id)).toMatchObject({ phase: 'awaiting' });
    expect(bench.provider.writes).toEqual([]);
  });

  test('a destroy that somebody types is not carried out; a closed pull request is cleaned up all the same', async () => {
    const bench = openWorkbench();
    const run = await bench.release(7, 'one', changes);
    expect(run.outcome).toBe('complete');
    await freezes(bench, 'preview');
    const typed = await bench.command({ commit: 'one', environment: 'preview', scope: 'pr-7', intent: 'destroy' });
    await bench.quiet();
    expect(await bench.run(typed)).toMatchObject({ outcome: 'failed', problem: { code: 'FROZEN' } });
    expect(await bench.close(7, 'one')).toMatchObject({ kind: 'destroy', outcome: 'complete' });
    expect(bench.provider.writes.at(-1)).toMatchObject({ method: 'DELETE' });
  });
});
