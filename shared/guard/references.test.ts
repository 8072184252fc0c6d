import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { answer } from '../../test/ports/people.ts';
import { approvedRun, deployedTo, nextRun, plannedIn } from '../../test/ports/rounds.ts';
import { openWorkbench } from '../../test/ports/workbench.ts';
import type { PlanDocument } from '../approvals/plan-document.ts';
import { hashOfValue } from '../engine/value.ts';

const effectsOf = ({ lines }: PlanDocument, id: string) => lines.find((line) => line.id === id)?.effects;

describe('a line whose names wait for an output', () => {
  const named = (secret: string) => [
    { id: 'a', things: { x: '1' } },
    { id: 'b', prefix: { from: 'a.id' }, things: { k: { secret }, l: '2', m: { from: 'a.token' } } },
  ];

  test('is asked about by what is known of it, and applied as that: one question', async () => {
    const bench = openWorkbench();
    bench.secrets.set('S', 'first-secret-value');
    const run = await nextRun(bench, 'one', named('env://S'));
    expect(effectsOf(plannedIn(bench, run), 'b')).toMatchObject([
      {
        address: '["example",[["place","here"]],"thing:{a.id}-k"]',
        action: 'create',
        paths: [{ path: 'value', after: { mac: expect.any(String) } }],
        waitsFor: ['a.id'],
      },
      { address: '["example",[["place","here"]],"thing:{a.id}-l"]', waitsFor: ['a.id'] },
      { address: '["example",[["place","here"]],"thing:{a.id}-m"]', paths: [{ path: 'value', waitsFor: 'a.token' }], waitsFor: ['a.id', 'a.token'] },
    ]);
    expect((await bench.report(run.id)).lines[1]?.changes.map(({ label }) => label)).toEqual(['thing {a.id}-k', 'thing {a.id}-l', 'thing {a.id}-m']);
    const ended = await answer(bench, run);
    expect(ended).toMatchObject({ outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.names()).toEqual(['id-1-k=first-secret-value', 'id-1-l=2', 'id-1-m=token-of-id-1', 'x=1']);
    expect(disagreements(bench)).toEqual([]);
  });

  test('whose secret is rotated while the question is open is not written under the old decision (I7)', async () => {
    const bench = openWorkbench();
    bench.secrets.set('S', 'first-secret-value');
    const run = await nextRun(bench, 'one', named('env://S'));
    bench.secrets.set('S', 'rotated-secret-value');
    const again = await answer(bench, run);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.names()).toEqual(['x=1']);
    expect((await answer(bench, again)).outcome).toBe('complete');
    expect(bench.provider.find('id-1-k')?.value).toBe('rotated-secret-value');
  });

  test('is asked about again when something is there under the name it comes to (I7)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'b', things: { 'id-2-k': '1' } }]);
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', prefix: { from: 'a.id' }, things: { k: '2' } },
    ]);
    const again = await answer(bench, run);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.names()).toEqual(['id-2-k=1', 'x=1']);
    expect((await answer(bench, again)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['id-2-k=2', 'x=1']);
  });

  test('asks nobody when a name would carry a secret', async () => {
    const bench = openWorkbench();
    bench.secrets.set('S', 'first-secret-value');
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', prefix: { from: 'a.id' }, things: { 'first-secret-value': { secret: 'env://S' } } },
    ]);
    expect(run).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect((await bench.report(run.id)).lines[1]?.problem?.code).toBe('SECRET_IN_IDENTITY');
    expect(bench.bucket.keys().filter((key) => key.startsWith('plans/'))).toEqual([]);
  });

  test('stores no name that carries a secret, nor what was refused with it (I1)', async () => {
    const bench = openWorkbench();
    bench.secrets.set('S', 'first-secret-value');
    const run = await nextRun(bench, 'one', [{ id: 'a', prefix: { secret: 'env://S' }, things: { x: '1' } }]);
    expect(run).toMatchObject({ phase: 'done', outcome: 'failed' });
    expect((await bench.report(run.id)).lines[0]?.problem?.code).toBe('SECRET_IN_IDENTITY');
    const written = bench.memory.writes.map((one) => JSON.stringify(one, (_key, field: unknown) => (field instanceof Set ? [...field] : field)));
    expect(written.filter((one) => one.includes('first-secret-value'))).toEqual([]);
  });
});

describe('a value that waits for an output', () => {
  test('is approved as that reference: a chain over a deployment asks once', async () => {
    const bench = openWorkbench();
    const chain = [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: { from: 'a.url' } } },
      { id: 'c', things: { z: { from: 'b.id' } } },
    ];
    const waiting = await approvedRun(bench, 'one', chain);
    expect(waiting.phase).toBe('waiting');
    const run = await deployedTo(bench, waiting, 'one');
    expect(run).toMatchObject({ outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.find('z')?.value).toBe(bench.provider.find('y')?.id);
  });

  test('does not let the value beside it move: a secret rotated while the question is open is asked about (I7)', async () => {
    const bench = openWorkbench();
    bench.secrets.set('S', 'first-secret-value');
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { k: { secret: 'env://S' }, y: { from: 'a.id' } } },
    ]);
    bench.secrets.set('S', 'rotated-secret-value');
    expect(await answer(bench, run)).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.names()).toEqual(['x=1']);
  });

  test('is not approved for a resource that was edited meanwhile (I7)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'b', things: { y: '1' } }]);
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: { from: 'a.id' } } },
    ]);
    bench.provider.edit('y', 'by hand');
    expect(await answer(bench, run)).toMatchObject({ phase: 'done', outcome: 'failed', question: { q: 1 } });
    expect(bench.provider.find('y')?.value).toBe('by hand');
  });
});

describe('a text with outputs in it', () => {
  const chain = (literal: string) => [
    { id: 'a', things: { x: '1' } },
    { id: 'b', things: { y: literal } },
    { id: 'c', prefix: 'of-${lines.a.id}', things: { z: 'https://${lines.b.id}/${lines.a.value}' } },
  ];

  test('is approved as that text, with the names of what it waits for, and applied as what comes of it: one question', async () => {
    const bench = openWorkbench();
    const run = await nextRun(bench, 'one', chain('2'));
    expect(effectsOf(plannedIn(bench, run), 'c')).toMatchObject([
      {
        address: '["example",[["place","here"]],"thing:of-{a.id}-z"]',
        action: 'create',
        paths: [{ path: 'value', waitsFor: 'https://${lines.b.id}/${lines.a.value}' }],
        waitsFor: ['a.id', 'a.value', 'b.id'],
      },
    ]);
    expect(await answer(bench, run)).toMatchObject({ outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.find('of-id-1-z')?.value).toMatch(/^https:\/\/id-[12]\/1$/);
    expect(disagreements(bench)).toEqual([]);
  });

  test('does not let a part move that was known when it was asked about (I7)', async () => {
    const bench = openWorkbench();
    const lines = [
      { id: 'a', things: { x: { keep: true } } },
      { id: 'b', things: { y: '2' } },
      { id: 'c', things: { z: '${lines.b.id} of ${lines.a.value}' } },
    ];
    bench.provider.edit('x', 'first');
    const run = await nextRun(bench, 'one', lines);
    expect(effectsOf(plannedIn(bench, run), 'c')).toMatchObject([
      { paths: [{ waitsFor: '${lines.b.id} of ${lines.a.value}', known: { 'a.value': { mac: expect.any(String) } } }], waitsFor: ['b.id'] },
    ]);
    bench.provider.edit('x', 'by hand');
    const again = await answer(bench, run);
    expect(again).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.provider.find('z')).toBeUndefined();
    expect((await answer(bench, again)).outcome).toBe('complete');
    expect(bench.provider.find('z')?.value).toBe(`${bench.provider.find('y')?.id} of by hand`);
  });

  test('whose sensitive part is known is bound by its fingerprint, and stored nowhere (I1, I7)', async () => {
    const bench = openWorkbench();
    await approvedRun(bench, 'zero', [{ id: 'a', things: { x: '1' } }]);
    const run = await nextRun(bench, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '2' } },
      { id: 'c', things: { z: 'https://u:${lines.a.token}@${lines.b.id}' } },
    ]);
    expect(await answer(bench, run)).toMatchObject({ outcome: 'complete', question: { q: 1 } });
    expect(bench.provider.find('z')?.value).toBe('https://u:token-of-id-1@id-2');
    const stored = JSON.stringify([bench.memory.items(), ...bench.bucket.keys().flatMap((key) => bench.bucket.bodies(key)), bench.logged]);
    expect(stored).not.toContain('token-of-id-1');
  });

  test('waits for the event that gives a part of it, and goes on with it (R1.49)', async () => {
    const bench = openWorkbench();
    const waiting = await bench.release(7, 'one', [
      { id: 'a', things: { x: '1' } },
      { id: 'b', things: { y: '${lines.a.url}/callback' } },
    ]);
    expect(waiting).toMatchObject({ phase: 'waiting', outcome: 'partial' });
    expect((await bench.report(waiting.id)).lines[1]).toMatchObject({ status: 'waiting', waitingOn: 'a', waitingFor: 'deploy' });
    await bench.deployed('one', 'success');
    await bench.quiet();
    expect((await bench.run(waiting.id)).outcome).toBe('complete');
    expect(bench.provider.find('y')?.value).toMatch(/^https:\/\/.*\.example\.test\/callback$/);
  });
});

test.each(['create', 'value', 'example', 'a.id'])('a secret that reads `%s` does not make approved effects look moved', async (secret) => {
  const bench = openWorkbench();
  bench.secrets.set('S', secret);
  const lines = [
    { id: 'a', things: { x: '1' } },
    { id: 'b', things: { y: { secret: 'env://S' }, z: { from: 'a.id' } } },
  ];
  expect(await approvedRun(bench, 'one', lines)).toMatchObject({ outcome: 'complete', question: { q: 1 } });
});

test('no plain hash of a value is stored, from which a short one could be guessed (I1)', async () => {
  const bench = openWorkbench();
  bench.secrets.set('S', 'first-secret-value');
  await approvedRun(bench, 'zero', [{ id: 'a', things: { x: '1' } }]);
  const run = await nextRun(bench, 'one', [
    { id: 'a', things: { x: { secret: 'env://S' }, v: '2' } },
    { id: 'b', prefix: { from: 'c.id' }, things: { k: { secret: 'env://S' } } },
    { id: 'c', things: { w: '1' } },
  ]);
  await answer(bench, run);
  const stored = JSON.stringify([bench.memory.items(), ...bench.bucket.keys().flatMap((key) => bench.bucket.bodies(key))]);
  for (const value of ['first-secret-value', '1', '2']) expect(stored).not.toContain(hashOfValue(value));
});

test('two runs over the same world ask about the same bytes', async () => {
  const bench = openWorkbench();
  const lines = [
    { id: 'a', things: { x: '1', w: '2' } },
    { id: 'b', prefix: { from: 'a.id' }, things: { k: '1', j: { from: 'a.url' } } },
  ];
  const one = await nextRun(bench, 'one', lines);
  await answer(bench, one, 'reject');
  const other = await nextRun(bench, 'one', lines);
  expect(other.question?.digest).toBe(one.question?.digest);
  expect(bench.bucket.bodies(`plans/${one.question?.digest}.json`)).toHaveLength(1);
});
