import { describe, expect, test } from 'vitest';
import { disagreements } from '../../test/ports/agreement.ts';
import { stillSealed } from '../../test/ports/still-sealed.ts';
import { openWorkbench, type Workbench } from '../../test/ports/workbench.ts';
import { LockkeeperError } from '../errors/error.ts';

const value = 'hunter2-and-more';
const lines = [
  { id: 'a', things: { a: { secret: 'env://DATABASE_URL' } } },
  { id: 'b', things: { b: { from: 'a.token' } } },
];

function bench(): Workbench {
  const made = openWorkbench();
  made.secrets.set('DATABASE_URL', value);
  return made;
}

/** Everything that is stored, sent or shown, but for what the provider itself holds. */
function everywhere(made: Workbench): string {
  const items = made.memory.writes.map((one) => JSON.stringify(one, (_key, field: unknown) => (field instanceof Set ? [...field] : field)));
  const objects = made.bucket.keys().flatMap((key) => made.bucket.bodies(key));
  const shown = [...made.code.comments.values(), JSON.stringify([...made.code.checks.values()])];
  return [...items, ...objects, JSON.stringify(made.queues.sent), JSON.stringify(made.logged), ...shown].join('\n');
}

describe('a secret of the plan', () => {
  test('reaches its provider and nothing else: no item, object, message, comment, check or log line (I1, R1.31)', async () => {
    const made = bench();
    const run = await made.release(7, 'one', lines);
    expect(run.outcome).toBe('complete');
    expect(made.provider.find('a')?.value).toBe(value);
    expect(everywhere(made)).not.toContain(value);
    expect(everywhere(made)).not.toContain('token-of-');
  });

  test('is not told by a provider that answers with it (I1, R1.72)', async () => {
    const made = bench();
    const echo = new LockkeeperError({ code: 'PROVIDER_INVALID', message: `bad value ${value}`, details: { sent: value } });
    made.provider.faults.fail((call) => call.method === 'POST', echo);
    const run = await made.release(7, 'one', lines);
    expect((await made.report(run.id)).lines[0]?.problem?.message).toContain('bad value');
    expect(everywhere(made)).not.toContain(value);
  });

  test('that is too short to be masked is told as a warning, by name (R1.108)', async () => {
    const made = openWorkbench();
    made.secrets.set('DATABASE_URL', 'abc');
    const run = await made.release(7, 'one', lines);
    expect((await made.report(run.id)).warnings).toMatchObject([{ code: 'SECRET_SHORT', message: expect.stringContaining('DATABASE_URL') }]);
  });

  test('is shown by its reference, never by its value (R1.34, R1.106, R1.107)', async () => {
    const made = bench();
    const run = await made.release(7, 'one', lines);
    const [a, b] = (await made.report(run.id)).lines;
    expect(a?.changes[0]?.fields).toMatchObject([{ after: { state: 'secret', ref: 'env://DATABASE_URL' } }]);
    expect(b?.changes[0]?.fields).toMatchObject([{ after: { state: 'sensitive', ref: 'a.token' } }]);
    expect(a?.outputs['token']).toBeNull();
  });

  test('that cannot be resolved blocks its line, saying why, and the run undoes the rest (R1.32)', async () => {
    const made = openWorkbench();
    const run = await made.release(7, 'one', [{ id: 'z', things: { z: '1' } }, { ...lines[0], depends_on: ['z'] }, ...lines.slice(1)]);
    const report = await made.report(run.id);
    expect(report.lines.map((line) => line.status)).toEqual(['rolled_back', 'blocked', 'skipped']);
    expect(report.lines[1]?.problem).toMatchObject({ code: 'SECRET_UNRESOLVED', message: expect.stringContaining('DATABASE_URL') });
    expect(disagreements(made)).toEqual([]);
  });

  test('in the name of a resource is refused before the create (I1)', async () => {
    const made = bench();
    const run = await made.release(7, 'one', [{ id: 'a', prefix: { secret: 'env://DATABASE_URL' }, things: { x: '1' } }]);
    expect((await made.report(run.id)).lines[0]?.problem?.code).toBe('SECRET_IN_IDENTITY');
    expect(made.provider.writes).toEqual([]);
    expect(everywhere(made)).not.toContain(value);
  });
});

describe('a secret that comes back where nothing marks it', () => {
  test('in an output is sealed like a sensitive one, reaches who needs it, and a note says so (R1.102, I1)', async () => {
    const made = bench();
    const run = await made.release(7, 'one', [lines[0] as object, { id: 'b', things: { b: { from: 'a.value' } } }]);
    const [a, b] = (await made.report(run.id)).lines;
    expect(a).toMatchObject({ outputs: { value: null }, notes: { withheld_outputs: expect.stringContaining('value') } });
    expect(b?.changes[0]?.fields).toMatchObject([{ after: { state: 'sensitive', ref: 'a.value' } }]);
    expect(made.provider.find('b')?.value).toBe(value);
    expect(everywhere(made)).not.toContain(value);
  });

  test('in the id of what was created is not stored: the resource is found by its key, kept, changed and destroyed (I1, I8)', async () => {
    const made = bench();
    made.secrets.set('DATABASE_URL', 'id-1');
    const [a] = lines as object[];
    const run = await made.release(7, 'one', [a as object]);
    expect((await made.report(run.id)).lines[0]).toMatchObject({ status: 'applied', notes: { withheld_ids: expect.stringContaining('the id of thing:a') } });
    expect(made.memory.items().some((item) => JSON.stringify(item['entries'] ?? '').includes('id-1'))).toBe(false);

    expect(await made.statuses((await made.release(7, 'two', [a as object])).id)).toEqual({ a: 'unchanged' });
    expect(await made.statuses((await made.release(7, 'three', [{ id: 'a', things: { a: 'another value' } }])).id)).toEqual({ a: 'applied' });
    await made.close(7, 'three');
    expect(made.provider.names()).toEqual([]);
  });
});

test('a secret that is asked for again has its fingerprint in the entry, and its value nowhere (I1)', async () => {
  const made = bench();
  await made.release(7, 'one', lines);
  const [entry] = made.memory.items().flatMap((item) => (item.sk === 'LEDGER#a' ? (item['entries'] as { secretFingerprints?: object }[]) : []));
  expect(entry?.secretFingerprints).toEqual({ 'env://DATABASE_URL': { key: expect.any(String), mac: expect.stringMatching(/^[0-9a-f]{64}$/) } });
});

describe('what is sealed beside a run', () => {
  test('is gone when the run is final: the set, and the outputs of its lines', async () => {
    const made = bench();
    await made.release(7, 'one', lines);
    expect(made.memory.writes.some((one) => one.key.sk === 'SEALED')).toBe(true);
    expect(stillSealed(made.memory.items())).toEqual([]);
  });

  test.each([
    ['fails', { id: 'x', things: { x: '1' } }],
    ['is refused', { id: 'p', things: { p: '1' }, environment: 'production' }],
  ])('is gone when the run %s', async (_how, line) => {
    const made = bench();
    made.provider.edit('x', 'in the way');
    await made.release(7, 'one', [...lines, line]);
    expect(stillSealed(made.memory.items())).toEqual([]);
  });

  test('is resolved once a run, and anew for a round that a deployment starts', async () => {
    const made = bench();
    const run = await made.release(7, 'one', [...lines, { id: 'c', things: { c: { from: 'a.url' } } }]);
    expect(run.phase).toBe('waiting');
    made.secrets.set('DATABASE_URL', 'rotated-since-then');
    await made.deployed('one', 'success');
    await made.quiet();
    expect((await made.run(run.id)).outcome).toBe('complete');
    expect(made.provider.find('a')?.value).toBe('rotated-since-then');
    expect(everywhere(made)).not.toContain('rotated-since-then');
  });
});
