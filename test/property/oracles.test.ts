/** Each oracle sees what it is there for: a story that ended well is spoilt in one place, and the oracle of that place says so. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Sent } from './house.ts';
import { always } from './oracles/always.ts';
import { notAsPlanned } from './oracles/as-planned.ts';
import { differing, worldOf } from './oracles/world.ts';
import { tell } from './play.ts';
import { runsOf, type Stage, setStage } from './stage.ts';
import type { Move, Story } from './story.ts';

const lines: Story['lines'] = [
  { things: [{ say: 'text', n: 1 }], needs: [], busy: 0 },
  { things: [{ say: 'from', at: 0, output: 'id' }], needs: [], busy: 0 },
];
const storyOf = (where: Story['where'], moves: Move[]): Story => ({ where, strangers: 1, lines, closedAtOnce: false, moves });
const said = (stage: Stage): string => always.flatMap((oracle) => oracle(stage)).join('\n');
const spoil = (stage: Stage, change: Partial<Sent>): void => void stage.sent.push({ ...(stage.sent[0] as Sent), ...change });
const run = (stage: Stage, change: object): Sent['run'] => ({ ...(stage.sent[0] as Sent).run, ...change }) as Sent['run'];
/** Writes an item as no code of ours would. */
const plant = (stage: Stage, pk: string, sk: string, item: object): Promise<unknown> =>
  stage.bench.memory.table.write({ pk, sk }, { put: { ...item } }, { is: 'always' });

let told: Stage;
const begin =
  (where: Story['where'], moves: Move[] = []) =>
  async () => {
    told = await tell(storyOf(where, moves), setStage(storyOf(where, moves)));
  };

describe('of a pull request', () => {
  const scope = 'SCOPE#7101#main#preview#pr-7';
  beforeEach(begin('preview'));

  test('I1: a secret in a log line', () => {
    told.bench.world().log.warn('it says 864209753186');
    expect(said(told)).toMatch(/^I1: a secret is in log/m);
  });

  test('I2: a thing that a failed run made and left', async () => {
    const [made] = runsOf(told.bench).filter(({ kind }) => kind === 'apply');
    const thing = told.bench.provider.edit('left', '1');
    told.ours.add(thing.id);
    spoil(told, { run: { ...(made as Sent['run']) }, id: thing.id, method: 'POST', done: true });
    await plant(told, `RUN#${made?.id}`, 'META', { ...made, item: 'run', outcome: 'failed', report: 'spoilt' });
    told.bench.bucket.plant('spoilt', JSON.stringify({ lines: [{ status: 'rolled_back' }], notUndone: [] }));
    expect(said(told)).toMatch(/^I2: .* that it made is still there/m);
  });

  test('I4: a plan that sends something', () => {
    spoil(told, { run: run(told, { phase: 'planning' }) });
    expect(said(told)).toMatch(/^I4: planning run .* sent POST/m);
  });

  test('I5: a stranger’s thing that is deleted', () => {
    spoil(told, { method: 'DELETE', id: told.bench.provider.find('taken-0')?.id });
    expect(said(told)).toMatch(/^I5: .* sent DELETE/m);
  });

  test('R0.4: somebody’s edit that is written over', () => {
    spoil(told, { method: 'PATCH', from: 'edited', entry: { createdBy: 'lockkeeper' } as Sent['entry'] });
    expect(said(told)).toMatch(/^R0.4: .* over edited, which nobody had recorded/m);
  });

  test('I6: a receipt that does not name the one before it', () => {
    const key = told.bench.bucket.keys().find((one) => one.endsWith('/latest.json')) as string;
    told.bench.bucket.plant(key, told.bench.bucket.bodies(key)[0] as string);
    expect(said(told)).toMatch(/^I6: version \d+ of .* does not name the one before it/m);
  });

  test('I9: a write to the provider without the lease, and one to the ledger', async () => {
    spoil(told, { run: run(told, { id: 'another' }) });
    await plant(told, scope, 'LEDGER#l1', { entries: [1], lastRun: 'another', line: 'l1', fence: 0 });
    await told.bench.memory.table.write({ pk: scope, sk: 'LEDGER#l1' }, { delete: true }, { is: 'always' });
    expect(said(told)).toMatch(/^I9: run another sent POST/m);
    expect(said(told)).toMatch(/^I9: run another wrote/m);
  });

  test('I11: a run that never ends', async () => {
    await plant(told, 'RUN#stuck', 'META', { ...run(told, { id: 'stuck', phase: 'applying' }), item: 'run' });
    expect(said(told)).toMatch(/^I11: run stuck rests in applying/m);
  });

  test('agreement: an entry that nobody claims, and a thing of ours in no ledger', async () => {
    const entry = { adapter: 'example', account: {}, key: 'thing:x', createdBy: 'lockkeeper', id: 'gone' };
    await plant(told, scope, 'LEDGER#x', { entries: [entry], line: 'x', fence: 99 });
    told.ours.add(told.bench.provider.edit('lost', '1').id);
    expect(said(told)).toMatch(/^agreement: .* has thing:x, which is claimed by nobody/m);
    expect(said(told)).toMatch(/^agreement: we made lost .* no ledger has it/m);
  });

  test('as planned: a thing with another value (I3 begins from there)', () => {
    told.bench.provider.edit('n0', 'other');
    expect(notAsPlanned(told).join('\n')).toMatch(/as planned: n0 of line/);
  });

  test('I3, I10: a world that changed', () => {
    const before = worldOf(told);
    told.bench.provider.edit('more', '1');
    expect(differing(before, worldOf(told))).toEqual(['provider']);
  });
});

describe('of a protected environment', () => {
  beforeEach(begin('protected', [{ do: 'answer', verdict: 'approve' }, { do: 'quiet' }]));

  test('I7: a write that nobody approved, another value than was approved, and a delete of what the run did not make', () => {
    spoil(told, { run: run(told, { id: 'another' }) });
    spoil(told, { value: 'another value' });
    spoil(told, { method: 'DELETE', id: 'of nobody' });
    const all = said(told);
    expect(all).toMatch(/^I7: .*: nobody approved/m);
    expect(all).toMatch(/^I7: .*=another value in production: another value was approved/m);
    expect(all).toMatch(/^I7: .* sent DELETE .*made that/m);
  });

  test('I7: a rejection in time', () => {
    const [approval] = told.answers;
    told.answers.push({ ...(approval as Stage['answers'][number]), verdict: 'reject', inTime: true, at: 0 });
    expect(said(told)).toMatch(/^I7: .*: somebody rejected it in time/m);
  });

  test('I12: a question that is open although its run is done, and one question too many', async () => {
    const item = told.bench.memory.items().find((one) => one.sk.startsWith('QUESTION#')) as { pk: string; sk: string };
    await plant(told, item.pk, `${item.sk}9`, { ...item, q: 9, state: 'open' });
    const all = said(told);
    expect(all).toMatch(/^I12: .* open questions although it is done/m);
    expect(all).toMatch(/^I12: .* questions for 0 stops/m);
  });

  test('I12: a line that another run had written after the plan was made', () => {
    const [first] = told.sent;
    const before = told.bench.memory.writes.findIndex(({ key }) => key.sk.startsWith('LEDGER#'));
    const moved = { put: { entries: [1], lastRun: 'another', version: 'moved' } };
    told.bench.memory.writes.splice(before, 0, {
      op: 'write',
      key: { pk: 'SCOPE#7101#main#production#main', sk: 'LEDGER#x' },
      change: moved,
      when: { is: 'always' },
      applied: true,
    });
    expect(first?.run.honoured).toBeDefined();
    expect(said(told)).toMatch(/^I12: .* applied q1, although line x had been written/m);
  });
});
