import { beforeEach, describe, expect, it } from 'vitest';
import { type Decision, decide, noteIgnored } from '../../../shared/approvals/decision.ts';
import type { Run } from '../../../shared/run/items.ts';
import { runKey } from '../../../shared/table/keys.ts';
import { openWorkbench, type Workbench } from '../../../test/ports/workbench.ts';
import type { Store } from '../folder/store.ts';
import { Interrupted } from '../interrupted.ts';
import { untilHeard } from './verdict.ts';

const principal = 'arn:aws:iam::111122223333:user/ada';
const answer: Decision = { verdict: 'approve', person: { name: 'ada', through: 'aws', principal }, at: '2026-01-05T09:00:00.000Z' };

let bench: Workbench;
let run: Run;
let question: { run: string; q: number; digest: string };
beforeEach(async () => {
  bench = openWorkbench();
  bench.pull(7, 'one', [{ id: 'a', things: { x: '1' } }]);
  const id = await bench.command({ commit: 'one', environment: 'production', scope: 'main' });
  await bench.quiet();
  run = await bench.run(id);
  const { q, digest } = run.question as NonNullable<Run['question']>;
  question = { run: id, q, digest };
  await decide(bench.world(), question, answer);
});

const patience = (signal = new AbortController().signal) => ({ progress: { show: () => undefined, clear: () => undefined }, signal, everyMs: 1 });
const heard = (signal?: AbortSignal, ignored?: string) =>
  untilHeard({ name: 'Lockkeeper', store: bench.world() as unknown as Store }, question, { ...answer, ignored }, patience(signal));
const goesOn = () => bench.memory.table.write(runKey(run.id), { set: { phase: 'guarding' } }, { is: 'always' });

describe('whoever has answered through a stack', () => {
  it('waits until the run has gone on', async () => {
    const waiting = heard();
    await goesOn();
    await waiting;
  });

  it('is told by the stack why the answer does not count', async () => {
    const waiting = heard();
    await noteIgnored(bench.world(), question, answer, 'ada started the run.');
    await expect(waiting).rejects.toMatchObject({ code: 'NOT_AN_APPROVER', message: expect.stringContaining('ada started the run.') });
  });

  it('is not told what was judged before they answered again, unless it stays so', async () => {
    const why = 'ada is none of the approvers: grace.';
    await noteIgnored(bench.world(), question, answer, why);
    const waiting = heard(undefined, why);
    await goesOn();
    await waiting;
    await bench.memory.table.write(runKey(run.id), { set: { phase: 'awaiting' } }, { is: 'always' });
    const again = heard(undefined, why);
    bench.clock.advance(60_000);
    await expect(again).rejects.toMatchObject({ code: 'NOT_AN_APPROVER' });
  });

  it('may leave: the answer stands, and they learn how to look', async () => {
    const leaving = new AbortController();
    leaving.abort();
    const left = await heard(leaving.signal).catch((error: unknown) => error);
    expect(left).toBeInstanceOf(Interrupted);
    expect((left as Interrupted).hint).toContain(`lockkeeper log ${run.id.slice(0, 12)} --stack Lockkeeper`);
  });
});
