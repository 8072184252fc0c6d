import { describe, expect, test } from 'vitest';
import { answer, askedRun, knowPeople, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import type { Person } from '../approvals/decision.ts';
import { LockkeeperError } from '../errors/error.ts';
import { silence } from '../run/host-away.ts';
import type { Run } from '../run/items.ts';

const changes = [{ id: 'a', things: { x: '1' } }];
const minute = 60_000;

/** A deployed stack whose production ada and bob may decide on, each through AWS. */
async function asked(required = 1): Promise<{ bench: Workbench; run: Run }> {
  const bench = openWorkbench('deployed');
  knowPeople(bench, ['ada', 'bob'], ['ada', 'bob'], required);
  bench.code.people.set('ada', 'write').set('bob', 'write').set('cleo', 'admin');
  return { bench, run: await askedRun(bench, changes) };
}

/** The host answers nothing until then. Queues empty only when something goes on: it must end, or a run that waits would wait for ever. */
function silent(bench: Workbench, minutes: number, code: 'PROVIDER_TRANSIENT' | 'PROVIDER_AUTH' = 'PROVIDER_TRANSIENT'): void {
  const until = bench.clock.now() + minutes * minute;
  bench.code.onAsk = () => {
    if (bench.clock.now() < until) throw new LockkeeperError({ code, message: 'the host is silent' });
  };
}

/** An answer, and what comes of it once the schedule has looked a few times. */
async function answered(bench: Workbench, run: Run, person: Person = throughAws('ada')): Promise<Run> {
  await answer(bench, run, 'approve', person);
  for (let look = 0; look < 8; look += 1) await bench.sweep(15);
  return bench.run(run.id);
}

const stopsOf = (bench: Workbench) => bench.memory.items().filter(({ sk }) => sk.startsWith('STALE#'));
const questionsOf = (bench: Workbench) => bench.memory.items().filter(({ sk }) => sk.startsWith('QUESTION#'));
const broken = (bench: Workbench) => bench.logged.filter(({ message }) => message === 'the glass was broken');

describe('while the host is silent', () => {
  test('an approval through AWS goes on after five minutes, by what was stored, and receipt, comment and log say so (I7)', async () => {
    const { bench, run } = await asked();
    const since = bench.clock.now();
    silent(bench, 60);
    const over = await answered(bench, run);
    expect(over).toMatchObject({ outcome: 'complete', honoured: { head: 'unverified', decisions: [{ person: { name: 'ada' } }] } });
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(bench.clock.now() - since).toBeGreaterThanOrEqual(silence);
    expect(await bench.report(run.id)).toMatchObject({ head: 'unverified', warnings: [{ code: 'HEAD_UNVERIFIED' }] });
    expect(broken(bench)).toMatchObject([{ level: 'error', fields: { run: run.id, environment: 'production' } }]);
  });

  test('the alarm is told before the run goes on, so that no death keeps it quiet', async () => {
    let told = 0;
    for (let nth = 0; nth < 200; nth += 1) {
      const { bench, run } = await asked();
      silent(bench, 90);
      bench.fates.plan(nth, 'after', (name) => name === 'table.write');
      const over = await answered(bench, run);
      if (bench.fates.met() === undefined) break;
      if (over.honoured?.head !== 'unverified') continue;
      told += 1;
      expect([nth, bench.fates.met(), broken(bench).length > 0]).toEqual([nth, bench.fates.met(), true]);
    }
    expect(told).toBeGreaterThan(10);
  });

  test('its end is shown as soon as the host answers again, once', async () => {
    const { bench, run } = await asked();
    silent(bench, 25);
    await answer(bench, run, 'approve', throughAws('ada'));
    await bench.sweep(15);
    expect((await bench.run(run.id)).outcome).toBe('complete');
    const shown = () => [...bench.code.checks.values()].map(({ conclusion }) => conclusion);
    expect(shown()).not.toContain('success');
    await bench.sweep(15);
    expect(shown()).toContain('success');
    bench.code.checks.clear();
    await bench.sweep(30);
    expect(shown()).toEqual([]);
  });

  test('an approval that was judged before the silence is guarded by what was stored (I7)', async () => {
    const { bench, run } = await asked();
    await writeAnswer(bench, run, 'approve', throughAws('ada'));
    // The host falls silent right after the answers were judged: between approval and guard.
    let judged = 0;
    bench.code.onAsk = (question) => {
      if (question === 'authorsOf') judged += 1;
      else if (judged > 0) throw new LockkeeperError({ code: 'PROVIDER_TIMEOUT', message: 'the host is silent' });
    };
    await wake(bench, run);
    await bench.quiet();
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete', honoured: { head: 'unverified' } });
  });

  test('a host that answers within five minutes is asked, and nothing is unverified', async () => {
    const { bench, run } = await asked();
    silent(bench, 4);
    const over = await answered(bench, run);
    expect(over.outcome).toBe('complete');
    expect(over.honoured?.head).toBeUndefined();
    expect(broken(bench)).toEqual([]);
  });

  test('two hiccups with an answer between them are no silence (I7)', async () => {
    const { bench, run } = await asked(2);
    await answer(bench, run, 'approve', throughAws('ada'));
    silent(bench, 0.5);
    await wake(bench, run);
    await bench.quiet();
    await bench.sweep(4);
    silent(bench, 0.5);
    await answer(bench, run, 'approve', throughAws('bob'));
    await bench.sweep(4);
    expect(broken(bench)).toEqual([]);
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete', honoured: { decisions: [{}, {}] } });
    expect((await bench.run(run.id)).honoured?.head).toBeUndefined();
    expect((await bench.run(run.id)).away).toBeUndefined();
  });

  test('two hiccups that nobody looked between are none either: the first brings a look each minute (I7)', async () => {
    const { bench, run } = await asked(2);
    silent(bench, 0.5);
    await answer(bench, run, 'approve', throughAws('ada'));
    expect((await bench.run(run.id)).away).toBeUndefined();
    silent(bench, 15.5);
    bench.clock.advance(15 * minute);
    await answer(bench, run, 'approve', throughAws('bob'));
    expect(broken(bench)).toEqual([]);
    expect((await bench.run(run.id)).outcome).toBe('complete');
  });

  test('looks do not multiply, however often a run is woken, and end when the silence is long and not enough people have answered', async () => {
    const { bench, run } = await asked(2);
    await writeAnswer(bench, run, 'approve', throughAws('ada'));
    silent(bench, 24 * 60);
    let looks = 0;
    const [isSilent, since] = [bench.code.onAsk, bench.clock.now()];
    bench.code.onAsk = (question) => {
      if (question === 'defaultTip') looks += 1;
      isSilent?.(question);
    };
    for (let at = 0; at < 10; at += 1) await wake(bench, run);
    await bench.quiet();
    expect(looks).toBeLessThanOrEqual(10 + 6);
    expect(bench.clock.now() - since).toBeLessThan(10 * minute);
    expect((await bench.run(run.id)).phase).toBe('awaiting');
  });

  test('whoever a policy that was read before the silence has taken out does not count in it (I7)', async () => {
    const { bench, run } = await asked(2);
    await answer(bench, run, 'approve', throughAws('ada'));
    expect((await bench.run(run.id)).approvals?.by).toEqual(['ada']);
    knowPeople(bench, ['ada', 'bob', 'cleo'], ['bob', 'cleo'], 2);
    await bench.sweep(15);
    expect((await bench.run(run.id)).approvals?.by).toEqual([]);
    silent(bench, 240);
    await answer(bench, run, 'approve', throughAws('bob'));
    for (let look = 0; look < 3; look += 1) await bench.sweep(15);
    expect(broken(bench)).toEqual([]);
    expect(bench.provider.names()).toEqual([]);
    // It is the policy that counts, and nothing else: whom it names by now decides.
    await answer(bench, run, 'approve', throughAws('cleo'));
    expect(await bench.run(run.id)).toMatchObject({ outcome: 'complete', honoured: { head: 'unverified' } });
  });

  test('a policy that was read in the very look that fell silent is what counts (I7)', async () => {
    const { bench, run } = await asked();
    await writeAnswer(bench, run, 'approve', throughAws('ada'));
    knowPeople(bench, ['ada', 'bob'], ['bob']);
    const until = bench.clock.now() + 60 * minute;
    let read = false;
    bench.code.onAsk = (question) => {
      if (bench.clock.now() > until || (!read && ['defaultTip', 'file'].includes(question))) return;
      read = true;
      throw new LockkeeperError({ code: 'PROVIDER_TRANSIENT', message: 'the host is silent' });
    };
    for (let look = 0; look < 8; look += 1) await bench.sweep(15);
    expect(broken(bench)).toEqual([]);
    expect(bench.provider.names()).toEqual([]);
  });

  test.each([
    ['an approval on GitHub', { name: 'ada', through: 'github' as const }],
    ['an approval in Slack', { name: 'ada', through: 'slack' as const }],
    ['an approval of somebody whom policy does not list', throughAws('cleo')],
    ['an approval at some machine', { name: 'ada', through: 'machine' as const }],
  ])('%s opens nothing (I7)', async (_, person) => {
    const { bench, run } = await asked();
    silent(bench, 60);
    await answered(bench, run, person);
    expect(bench.provider.names().length === 0 || (await bench.run(run.id)).honoured?.head === undefined).toBe(true);
    expect(broken(bench)).toEqual([]);
  });

  test('a rejection that cannot be judged yet holds every approval back (I7)', async () => {
    const { bench, run } = await asked();
    silent(bench, 60);
    await writeAnswer(bench, run, 'reject', { name: 'bob', through: 'github' });
    const over = await answered(bench, run);
    expect(over.outcome).toBe('rejected');
    expect(bench.provider.names()).toEqual([]);
  });

  test('whoever wrote the commit approves nothing then either (I7)', async () => {
    const bench = openWorkbench('deployed');
    knowPeople(bench, ['ada'], ['ada']);
    const run = await askedRun(bench, changes, 'one', { triggeredBy: 'ada' });
    silent(bench, 60);
    await answered(bench, run);
    expect(broken(bench)).toEqual([]);
    expect(bench.provider.names()).toEqual([]);
  });

  test('stored files that are not what was stored open nothing (I7)', async () => {
    const { bench, run } = await asked();
    const object = run.seen?.object as string;
    const found = await bench.bucket.objects.get(object);
    const stored = JSON.parse(found?.body ?? '');
    await bench.bucket.objects.put(object, JSON.stringify({ ...stored, authors: [], policy: `${stored.policy} ` }), { ifMatch: found?.etag ?? '' });
    silent(bench, 60);
    const over = await answered(bench, run);
    expect(broken(bench)).toEqual([]);
    expect(over.honoured?.head).toBeUndefined();
  });

  test('a state that has moved lets nothing through that was not seen: the run stops, and ends failed, for who is silent cannot be asked for a plan (I7, I12, R4.20)', async () => {
    const { bench, run } = await asked();
    bench.provider.edit('x', 'theirs');
    silent(bench, 60);
    await answered(bench, run);
    expect(bench.provider.find('x')?.value).toBe('theirs');
    expect(await bench.run(run.id)).toMatchObject({ phase: 'done', outcome: 'failed', question: { q: 1 } });
    expect(stopsOf(bench)).toMatchObject([{ cause: 'drift', approved: run.question?.digest, replanned: null, differs: null }]);
    expect(questionsOf(bench)).toMatchObject([{ q: 1, state: 'closed' }]);
  });
});

test('a host that refuses is not silent: nothing goes on, however long', async () => {
  const { bench, run } = await asked();
  silent(bench, 30, 'PROVIDER_AUTH');
  await answered(bench, run);
  expect(broken(bench)).toEqual([]);
});

test('nothing new is asked while the host is silent: the glass decides what is asked already', async () => {
  const { bench, run } = await asked();
  silent(bench, 30);
  const other = await bench.command({ commit: 'two', environment: 'production', scope: 'main' });
  await bench.quiet();
  expect((await bench.run(other)).outcome).toBe('failed');
  expect(questionsOf(bench)).toMatchObject([{ run: run.id, q: 1, state: 'open' }]);
  expect((await answered(bench, run)).outcome).toBe('complete');
  expect(bench.provider.names()).toEqual(['x=1']);
});
