import { beforeEach, describe, expect, test } from 'vitest';
import type { ControlMessage } from '../../events/control-message.ts';
import { askInSlack, channel, press, presses, signingSecret, take, toldTo } from '../../test/ports/in-slack.ts';
import { answer, askedRun, putPolicy, throughAws, wake, writeAnswer } from '../../test/ports/people.ts';
import { commitOf, openWorkbench, repository, type Workbench } from '../../test/ports/workbench.ts';
import { textOf } from '../../test/sim/slack/block-kit.ts';
import { buttonsOf, pressed, signed } from '../../test/sim/slack/press.ts';
import { freeze } from '../freeze/freeze.ts';
import { chatKey } from '../table/keys.ts';
import { deadStep } from './dead-letter.ts';
import { inheritCard } from './inherit-card.ts';
import type { Run } from './items.ts';

const changes = [{ id: 'a', things: { x: '1' } }];
let bench: Workbench;

beforeEach(() => {
  bench = openWorkbench('deployed');
  askInSlack(bench);
});

const asked = (commit = 'one', what: readonly object[] = changes, more: object = {}): Promise<Run> => askedRun(bench, what, commit, more);
const textOfCard = (at = 0): string => textOf(bench.slack.cards()[at]?.blocks);
const buttonsOfCard = (at = 0) => buttonsOf(bench.slack.cards()[at]?.blocks ?? []);
const now = async (run: Run): Promise<Run> => bench.run(run.id);
/** What was not logged as news: warnings and errors. */
const complaints = () => bench.logged.filter(({ level }) => level === 'warn' || level === 'error' || level === 'thrown');
const decisions = () => bench.memory.items().filter(({ sk }) => sk.startsWith('DECISION#'));

describe('a question of a protected environment', () => {
  test('is one card in the channel that policy names, with two buttons', async () => {
    await asked();
    expect(bench.slack.cards()).toHaveLength(1);
    expect(buttonsOfCard()).toHaveLength(2);
    expect(textOfCard()).toContain('⏳ *Approval wanted in production* <!subteam^S0RELEASERS>');
    expect(complaints()).toEqual([]);
  });

  test('is nowhere in Slack where policy names no channel', async () => {
    putPolicy(bench, JSON.stringify({ version: 1, environments: { production: { approvers: [{ github: 'robin', slack: 'U0000ROBIN' }] } } }));
    expect((await asked()).phase).toBe('awaiting');
    expect(bench.slack.calls).toEqual([]);
  });

  test('is posted once, however often the run is woken', async () => {
    const run = await asked();
    for (const _ of [1, 2, 3]) await wake(bench, run);
    await bench.quiet();
    expect(bench.slack.calls).toEqual(['chat.postMessage']);
  });

  test.each(['lost', 'after', 'before'] as const)('is one card though the function meets its end at the post: %s', async (fate) => {
    bench.fates.plan(0, fate, (name) => name === 'chat.post');
    const run = await asked();
    expect(bench.fates.met()).toContain('chat.post');
    await bench.sweep();
    expect(bench.slack.cards()).toHaveLength(1);
    await presses(bench, 'U0000ROBIN');
    expect((await now(run)).outcome).toBe('complete');
    expect(buttonsOfCard()).toEqual([]);
  });

  test.each([
    ['its first', 0],
    ['a later', 3],
  ])('is one card though the answer to %s post is lost and the channel is busy by the time somebody looks', async (_, hoursDown) => {
    if (hoursDown > 0) bench.slack.answer = () => ({ status: 503, body: {} });
    else bench.fates.plan(0, 'lost', (name) => name === 'chat.post');
    const run = await asked();
    if (hoursDown > 0) {
      bench.clock.advance(hoursDown * 3_600_000);
      bench.slack.answer = undefined;
      bench.fates.plan(0, 'lost', (name) => name === 'chat.post');
      await wake(bench, run);
      await bench.deliver(bench.queues.take() as NonNullable<ReturnType<typeof bench.queues.take>>);
    }
    expect([bench.fates.met()?.includes('chat.post'), bench.slack.cards().length]).toEqual([true, 1]);
    bench.clock.advance(120_000);
    for (let said = 0; said < 700; said += 1) await bench.slack.chat.post(channel, { text: `${said}` });
    await bench.sweep();
    expect(bench.slack.cards().filter(({ blocks }) => blocks.length > 0)).toHaveLength(1);
  });

  test('stays answerable everywhere else while Slack is down, and has its card once Slack is back', async () => {
    bench.slack.answer = () => ({ status: 503, body: {} });
    const run = await asked();
    expect((await now(run)).phase).toBe('awaiting');
    expect(bench.slack.cards()).toEqual([]);
    bench.slack.answer = undefined;
    await bench.sweep();
    expect(bench.slack.cards()).toHaveLength(1);
  });

  test('is decided through AWS while Slack is down to the end', async () => {
    askInSlack(bench, { approvers: [{ github: 'robin', slack: 'U0000ROBIN', aws: throughAws('robin').principal }] });
    bench.slack.answer = () => 'hang';
    const run = await asked();
    await writeAnswer(bench, run, 'approve', throughAws('robin'));
    await wake(bench, run);
    await bench.quiet();
    expect((await now(run)).outcome).toBe('complete');
  });

  test.each(['channel_not_found', 'not_in_channel', 'is_archived', 'invalid_auth', 'invalid_blocks'])(
    'costs a line in the log where Slack says %s',
    async (error) => {
      bench.slack.answer = () => ({ status: 200, body: { ok: false, error } });
      const run = await asked();
      expect((await now(run)).phase).toBe('awaiting');
      expect(complaints()).toMatchObject([{ message: 'a surface could not be written' }]);
    },
  );

  test('waits with its card as long as Slack asks for', async () => {
    bench.slack.answer = () => ({ status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '30' } });
    await asked();
    expect(bench.slack.calls).toEqual(['chat.postMessage']);
    bench.slack.answer = undefined;
    await bench.sweep();
    expect(bench.slack.cards()).toHaveLength(1);
  });
});

describe('a click', () => {
  test('of an approver lets the run go on as that GitHub user, and the card says who it was', async () => {
    const run = await asked();
    await presses(bench, 'U0000ROBIN');
    expect(await now(run)).toMatchObject({ phase: 'done', outcome: 'complete' });
    expect(bench.provider.names()).toEqual(['x=1']);
    expect(decisions()).toMatchObject([{ verdict: 'approve', person: { name: 'robin', through: 'slack', principal: 'U0000ROBIN' } }]);
    expect(textOfCard()).toContain('robin approved plan');
    expect(buttonsOfCard()).toEqual([]);
    expect(toldTo(bench, 'U0000ROBIN')).toContain('Your approval of plan');
  });

  test('of Reject ends the run', async () => {
    const run = await asked();
    await presses(bench, 'U0000ROBIN', 'Reject');
    expect((await now(run)).outcome).toBe('rejected');
    expect(bench.provider.names()).toEqual([]);
    expect(textOfCard()).toContain('Rejected, nothing written');
    expect(buttonsOfCard()).toEqual([]);
  });

  test('of one of two who are needed is counted on the card', async () => {
    askInSlack(bench, { required: 2 });
    const run = await asked();
    await presses(bench, 'U0000ROBIN');
    expect((await now(run)).phase).toBe('awaiting');
    expect(textOfCard()).toContain('*1 of 2* approved (robin)');
    await presses(bench, 'U0000ALEX');
    expect((await now(run)).outcome).toBe('complete');
  });

  test('counts once for one person, whatever else they answer through', async () => {
    askInSlack(bench, { required: 2, approvers: [{ github: 'robin', slack: 'U0000ROBIN', aws: throughAws('robin').principal }, { github: 'alex' }] });
    const run = await asked();
    await presses(bench, 'U0000ROBIN');
    await writeAnswer(bench, run, 'approve', throughAws('robin'));
    await wake(bench, run);
    await bench.quiet();
    expect((await now(run)).phase).toBe('awaiting');
    expect(textOfCard()).toContain('*1 of 2* approved (robin)');
  });

  test('made twice is one answer', async () => {
    const run = await asked();
    await press(bench, { user: 'U0000ROBIN', button: 'Approve' });
    await press(bench, { user: 'U0000ROBIN', button: 'Approve' });
    await bench.quiet();
    expect((await now(run)).outcome).toBe('complete');
    expect(decisions()).toHaveLength(1);
  });

  test('told twice by Slack changes nothing the second time (I10)', async () => {
    const run = await asked();
    const request = signed(pressed(bench.slack.state, { user: 'U0000ROBIN', button: 'Approve' }), signingSecret, bench.clock.now());
    await take(bench, request);
    await bench.quiet();
    const before = JSON.stringify([bench.memory.items(), bench.slack.state]);
    await take(bench, request);
    await bench.quiet();
    expect(JSON.stringify([bench.memory.items(), bench.slack.state])).toBe(before);
    expect((await now(run)).outcome).toBe('complete');
  });

  test('of two people at once: both are told, and the run is applied once', async () => {
    const run = await asked();
    await Promise.all(['U0000ROBIN', 'U0000ALEX'].map((user) => press(bench, { user, button: 'Approve' })));
    await bench.quiet();
    expect((await now(run)).outcome).toBe('complete');
    expect(bench.provider.names()).toEqual(['x=1']);
    expect([toldTo(bench, 'U0000ROBIN'), toldTo(bench, 'U0000ALEX')].every((text) => text !== undefined)).toBe(true);
  });

  test('whose message was lost is handled by the sweep', async () => {
    const run = await asked();
    await press(bench, { user: 'U0000ROBIN', button: 'Approve' });
    bench.queues.takeAt(0);
    await bench.sweep();
    expect((await now(run)).outcome).toBe('complete');
    expect(bench.memory.items().find(({ pk }) => pk.startsWith('DELIVERY#'))).toMatchObject({ status: 'done' });
  });

  test('waits while GitHub does not answer who it is, and is not judged without it', async () => {
    const run = await asked();
    bench.code.onAsk = (question) => {
      if (question === 'permission') throw new Error('GitHub is away');
    };
    await press(bench, { user: 'U0000ROBIN', button: 'Approve' });
    for (let tries = 0; tries < 2; tries += 1) {
      const message = bench.queues.takeAt(0);
      if (message) await bench.deliver(message);
    }
    expect((await now(run)).phase).toBe('awaiting');
    bench.code.onAsk = undefined;
    await bench.quiet();
    expect((await now(run)).outcome).toBe('complete');
  });
});

describe('a click that comes to nothing is told to whoever made it, and to nobody else', () => {
  test('an account that policy maps to nobody: what is missing is said', async () => {
    const run = await asked();
    await presses(bench, 'U0STRANGER');
    expect(toldTo(bench, 'U0STRANGER')).toContain('maps your Slack account to nobody');
    expect(toldTo(bench, 'U0STRANGER')).toContain('slack: U0STRANGER');
    expect(decisions()).toEqual([]);
    expect((await now(run)).phase).toBe('awaiting');
    expect(bench.slack.below(bench.slack.cards()[0]?.ts as string)).toEqual([]);
  });

  test('somebody whom policy knows, and does not let decide here', async () => {
    putPolicy(
      bench,
      JSON.stringify({
        version: 1,
        environments: { staging: { approvers: [{ github: 'kim', slack: 'U00000KIM' }] }, production: { approvers: [{ github: 'robin' }], slack: { channel } } },
      }),
    );
    const run = await asked();
    await presses(bench, 'U00000KIM');
    expect(toldTo(bench, 'U00000KIM')).toContain('kim is none of the approvers: robin');
    expect((await now(run)).phase).toBe('awaiting');
  });

  test('whoever started the run', async () => {
    const run = await asked('one', changes, { triggeredBy: 'robin' });
    await presses(bench, 'U0000ROBIN');
    expect(toldTo(bench, 'U0000ROBIN')).toContain('may not approve it');
    expect((await now(run)).phase).toBe('awaiting');
  });

  test('an account that is no person’s at GitHub, or is gone from the repository', async () => {
    await asked();
    bench.code.people.delete('robin');
    await presses(bench, 'U0000ROBIN');
    expect(toldTo(bench, 'U0000ROBIN')).toMatch(/does not count/);
  });

  test('somebody of another workspace', async () => {
    const run = await asked();
    await press(bench, { user: 'U0000ROBIN', button: 'Approve', team: 'T000OTHER' });
    await bench.quiet();
    expect(toldTo(bench, 'U0000ROBIN')).toContain('another Slack workspace');
    expect([decisions(), (await now(run)).phase]).toEqual([[], 'awaiting']);
  });

  test('a second answer that takes a rejection back', async () => {
    askInSlack(bench, { required: 2 });
    await asked();
    const payload = pressed(bench.slack.state, { user: 'U0000ROBIN', button: 'Approve' });
    await presses(bench, 'U0000ROBIN', 'Reject');
    await take(bench, signed(payload, signingSecret, bench.clock.now()));
    await bench.quiet();
    expect(toldTo(bench, 'U0000ROBIN')).toMatch(/rejected|not open any more/);
  });

  test('a question that has run out', async () => {
    const run = await asked();
    const payload = pressed(bench.slack.state, { user: 'U0000ROBIN', button: 'Approve' });
    bench.clock.advance(24 * 3_600_000);
    await take(bench, signed(payload, signingSecret, bench.clock.now()));
    await bench.quiet();
    expect((await now(run)).outcome).toBe('expired');
    expect(bench.provider.names()).toEqual([]);
    expect(toldTo(bench, 'U0000ROBIN')).toContain('was open until 2026-01-02 00:00 UTC');
    expect(textOfCard()).toContain('Nobody approved in time');
  });

  test('a policy with a mistake in it lets nobody decide', async () => {
    const run = await asked();
    putPolicy(bench, 'version: 2');
    await presses(bench, 'U0000ROBIN');
    expect(toldTo(bench, 'U0000ROBIN')).toContain('mistake');
    expect((await now(run)).phase).toBe('awaiting');
  });

  test('somebody who cannot be told has decided all the same', async () => {
    const run = await asked();
    bench.slack.answer = (method) => (method === 'chat.postEphemeral' ? { status: 200, body: { ok: false, error: 'user_not_in_channel' } } : undefined);
    await presses(bench, 'U0000ROBIN');
    expect((await now(run)).outcome).toBe('complete');
  });
});

describe('a question that is asked again because the world moved', () => {
  /** Approved, and moved before the guard looked: the run asks once more. */
  async function movedOnce(): Promise<Run> {
    await asked();
    await presses(bench, 'U0000ROBIN');
    bench.clock.advance(60_000);
    const run = await asked('two', [{ id: 'a', things: { x: '2' } }]);
    const [line] = bench.memory.items().filter((item) => item.sk === 'LEDGER#a');
    await bench.memory.table.write({ pk: line?.pk as string, sk: 'LEDGER#a' }, { set: { version: 'by somebody else', lastRun: 'another' } }, { is: 'always' });
    await presses(bench, 'U0000ROBIN');
    return now(run);
  }

  test('keeps its card, and those who decided before are told below it what moved (R4.8)', async () => {
    const run = await movedOnce();
    expect(run).toMatchObject({ phase: 'awaiting', question: { q: 2 } });
    expect(bench.slack.cards()).toHaveLength(2);
    expect(buttonsOfCard(1)).toHaveLength(2);
    const below = bench.slack.below(bench.slack.cards()[1]?.ts as string);
    expect(below.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^<@U0000ROBIN> Of plan `[0-9a-f]{12}`, which was approved, .* is done: .* changed since, so please decide again/),
    ]);
  });

  test('takes the answer to the new plan alone: the old card’s button approves nothing (I12)', async () => {
    await asked();
    await presses(bench, 'U0000ROBIN');
    bench.clock.advance(60_000);
    const run = await asked('two', [{ id: 'a', things: { x: '2' } }]);
    const old = pressed(bench.slack.state, { user: 'U0000ALEX', button: 'Approve' });
    const [line] = bench.memory.items().filter((item) => item.sk === 'LEDGER#a');
    await bench.memory.table.write({ pk: line?.pk as string, sk: 'LEDGER#a' }, { set: { version: 'by somebody else', lastRun: 'another' } }, { is: 'always' });
    await presses(bench, 'U0000ROBIN');
    await take(bench, signed(old, signingSecret, bench.clock.now()));
    await bench.quiet();
    expect((await now(run)).phase).toBe('awaiting');
    expect(toldTo(bench, 'U0000ALEX')).toContain('no longer held');
    await presses(bench, 'U0000ALEX');
    expect((await now(run)).outcome).toBe('complete');
  });

  test.each(['lost', 'after'] as const)('is told once, though the function meets its end at the reply: %s', async (fate) => {
    await asked();
    await presses(bench, 'U0000ROBIN');
    bench.clock.advance(60_000);
    await asked('two', [{ id: 'a', things: { x: '2' } }]);
    const [line] = bench.memory.items().filter((item) => item.sk === 'LEDGER#a');
    await bench.memory.table.write({ pk: line?.pk as string, sk: 'LEDGER#a' }, { set: { version: 'by somebody else', lastRun: 'another' } }, { is: 'always' });
    bench.fates.plan(0, fate, (name) => name === 'chat.post');
    await presses(bench, 'U0000ROBIN');
    await bench.sweep();
    expect(bench.fates.met()).toContain('chat.post');
    expect(bench.slack.below(bench.slack.cards()[1]?.ts as string)).toHaveLength(1);
  });
});

describe('while nobody answers', () => {
  test('people are reminded at half and at nine tenths of the time, each once', async () => {
    await asked();
    const counts: number[] = [];
    for (const hours of [11, 2, 8, 1, 1]) {
      await bench.sweep(hours * 60);
      await bench.sweep(0);
      counts.push(bench.slack.below(bench.slack.cards()[0]?.ts as string).length);
    }
    expect(counts).toEqual([0, 1, 1, 2, 2]);
    expect(bench.slack.below(bench.slack.cards()[0]?.ts as string)[0]?.text).toContain('<!subteam^S0RELEASERS> Still waiting for an answer');
  });

  test('nobody is reminded of what is approved and frozen: the card says until when it waits, and then applies', async () => {
    const run = await asked();
    const word = { by: { name: 'alex', through: 'github' }, start: 'a freeze', at: new Date(bench.clock.now()).toISOString() } as const;
    await freeze({ table: bench.memory.table, ids: bench.world().ids }, repository.id, 'production', word, '23h', 'year end');
    await presses(bench, 'U0000ROBIN');
    expect((await now(run)).phase).toBe('awaiting');
    expect(textOfCard()).toContain('🧊 production is frozen until 2026-01-01 23:00 UTC by alex: year end. What is approved waits until then.');
    await bench.sweep(22 * 60);
    expect(bench.slack.below(bench.slack.cards()[0]?.ts as string)).toEqual([]);
    await bench.sweep(90);
    expect((await now(run)).outcome).toBe('complete');
    expect(textOfCard()).toContain('1 line applied');
  });

  test('a reminder that both times have passed is said once', async () => {
    await asked();
    await bench.sweep(23 * 60);
    expect(bench.slack.below(bench.slack.cards()[0]?.ts as string)).toHaveLength(1);
  });

  test('the card says in the end that nobody approved', async () => {
    const run = await asked();
    await bench.sweep(25 * 60);
    expect((await now(run)).outcome).toBe('expired');
    expect(textOfCard()).toContain('Nobody approved in time, nothing written');
    expect(buttonsOfCard()).toEqual([]);
  });
});

describe('a newer commit', () => {
  test('that would do the same takes over the card', async () => {
    const first = await asked();
    bench.clock.advance(60_000);
    const second = await asked('two');
    expect((await now(first)).outcome).toBe('superseded');
    expect(bench.slack.cards()).toHaveLength(1);
    expect(textOfCard()).toContain(commitOf('two').slice(0, 7));
    await wake(bench, first);
    await bench.quiet();
    expect(buttonsOfCard()).toHaveLength(2);
    await presses(bench, 'U0000ROBIN');
    expect((await now(second)).outcome).toBe('complete');
  });

  test('that asks first keeps its card: a step of the older one that comes late does not take it', async () => {
    const first = await asked();
    bench.clock.advance(60_000);
    const second = await asked('two');
    await inheritCard(bench.world(), { ...first, slack: second.slack as NonNullable<Run['slack']>, id: 'an older run without a card' });
    expect((await bench.memory.table.get(chatKey(second.id, 'card')))?.['passedTo']).toBeUndefined();
    expect(buttonsOfCard()).toHaveLength(2);
  });

  test('that dies before it has taken the card over leaves it to the older one, which shows its own end there', async () => {
    const first = await asked();
    bench.clock.advance(60_000);
    await bench.memory.table.write(chatKey(first.id, 'card'), { set: { passedTo: 'a run that never came' } }, { is: 'always' });
    expect((await answer(bench, first, 'reject', { name: 'robin', through: 'github' })).outcome).toBe('rejected');
    expect(buttonsOfCard()).toHaveLength(0);
  });

  test('that would do something else has a card of its own, and the older one says that it is over', async () => {
    await asked();
    bench.clock.advance(60_000);
    await asked('two', [{ id: 'a', things: { x: '2' } }]);
    expect(bench.slack.cards()).toHaveLength(2);
    expect([buttonsOfCard(0).length, buttonsOfCard(1).length]).toEqual([0, 2]);
    expect(textOfCard(0)).toContain('Superseded, nothing written');
  });
});

test('of two cards the one that its run does not know loses its buttons when it is clicked', async () => {
  const run = await asked();
  const [known] = bench.slack.cards();
  const [place] = bench.slack.state.channels;
  place?.messages.push({ ts: '1.000001', text: '', blocks: structuredClone(known?.blocks ?? []), edits: 0 });
  await presses(bench, 'U0000ROBIN');
  expect((await now(run)).outcome).toBe('complete');
  const stray = place?.messages.find(({ ts }) => ts === '1.000001');
  await take(bench, signed(pressed(bench.slack.state, { user: 'U0000ALEX', button: 'Approve', ts: '1.000001' }), signingSecret, bench.clock.now()));
  await bench.quiet();
  expect(textOf(stray?.blocks)).toContain('not kept up to date');
});

test('a click whose message died is out of the sweep’s list, and the question stays', async () => {
  const run = await asked();
  await press(bench, { user: 'U0000ROBIN', button: 'Approve' });
  await deadStep(bench.world(), bench.queues.takeAt(0)?.message as ControlMessage);
  await bench.sweep();
  const delivery = bench.memory.items().find(({ pk }) => pk.startsWith('DELIVERY#'));
  expect(delivery).toMatchObject({ status: 'died' });
  expect(delivery).not.toHaveProperty('since');
  expect(await now(run)).toMatchObject({ phase: 'awaiting' });
  expect(buttonsOfCard()).toHaveLength(2);
});

describe('a card whose end did not get through', () => {
  test('shows it as soon as Slack is back', async () => {
    const run = await asked();
    bench.slack.answer = (method) => (method === 'chat.update' ? { status: 503, body: {} } : undefined);
    await press(bench, { user: 'U0000ROBIN', button: 'Approve' });
    for (let next = bench.queues.take(); next && next.at <= bench.clock.now(); next = bench.queues.take()) await bench.deliver(next);
    expect(buttonsOfCard()).toHaveLength(2);
    bench.slack.answer = undefined;
    await bench.sweep(1);
    expect((await now(run)).outcome).toBe('complete');
    expect(textOfCard()).toContain('1 line applied');
    expect(buttonsOfCard()).toEqual([]);
  });

  test('is tried a few times, and no more', async () => {
    await asked();
    bench.slack.answer = (method) => (method === 'chat.update' ? 'hang' : undefined);
    await presses(bench, 'U0000ROBIN');
    const edits = bench.slack.calls.filter((method) => method === 'chat.update').length;
    expect(edits).toBeLessThan(12);
    await bench.sweep();
    expect(bench.slack.calls.filter((method) => method === 'chat.update')).toHaveLength(edits);
  });
});

describe('wherever a fault falls between the question and its end in Slack (I10, I11)', () => {
  const speaks = (name: string): boolean => name.startsWith('chat.');
  const story = async (at: Workbench): Promise<Run> => {
    bench = at;
    askInSlack(bench);
    const run = await asked();
    await bench.sweep();
    await presses(bench, 'U0000ROBIN');
    for (const _ of [1, 2]) await bench.sweep();
    return now(run);
  };

  test.each(['before', 'after', 'lost', 'unsent'] as const)('%s: one card, one decision, one apply, and the end is shown', async (fate) => {
    const untouched = openWorkbench('deployed');
    await story(untouched);
    const count = untouched.fates.calls.filter(({ name }) => speaks(name)).length;
    expect(count).toBeGreaterThan(4);
    for (let at = 0; at < count; at += 1) {
      const faulty = openWorkbench('deployed');
      faulty.fates.plan(at, fate, speaks);
      expect([fate, at, (await story(faulty)).outcome]).toEqual([fate, at, 'complete']);
      expect([fate, at, faulty.slack.cards().length, buttonsOfCard().length, decisions().length]).toEqual([fate, at, 1, 0, 1]);
      expect(textOfCard()).toContain('1 line applied');
    }
  });
});
