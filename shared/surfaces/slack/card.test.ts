import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { hostile } from '../../../test/reports/hostile.ts';
import { changeOf, lineOf, reportOf } from '../../../test/reports/report.ts';
import { blockComplaints, textOf } from '../../../test/sim/slack/block-kit.ts';
import { buttonsOf } from '../../../test/sim/slack/press.ts';
import type { ChatMessage } from '../../ports/chat.ts';
import type { PlanStale, RunReport } from '../../run/report.ts';
import { openCard } from './card.ts';
import { approvedCard, endedCard, strayCard } from './closed-card.ts';
import { link } from './mrkdwn.ts';
import { movedReply, refusalText, reminder, takenText } from './sentences.ts';

const digest = '3f2a9c81e4d0'.padEnd(64, '7');
const asked = { repository: '1296269', run: '5d41402abc4b2a76b9719d911017c592', q: 1, digest };
const facts = { id: `lockkeeper:${asked.run}:card`, asker: 'mona', checkUrl: 'https://github.com/acme/storefront/runs/77' };
const expiresAt = '2026-03-02T09:30:00.000Z';
const question = { digest, expiresAt, approvers: ['robin', 'alex'] };
const literal = (value: string) => ({ state: 'literal', value }) as const;

const plan = (changes: Partial<RunReport> = {}): RunReport => reportOf({ status: 'awaiting', environment: 'production', question, ...changes });

const mixed = plan({
  lines: [
    lineOf('site', {
      status: 'update',
      changes: [changeOf('NAME', { kind: 'update', fields: [{ path: 'value', before: literal('old'), after: literal('new') }] })],
    }),
    lineOf('db', { status: 'update', changes: [changeOf('branch:main', { kind: 'create', replaces: true })] }),
    lineOf('flags', { status: 'unchanged', changes: [changeOf('FLAG', { kind: 'unchanged' })] }),
    lineOf('key', {
      status: 'create',
      changes: [changeOf('STRIPE', { fields: [{ path: 'value', before: { state: 'absent' }, after: { state: 'secret', ref: 'env://STRIPE' } }] })],
    }),
  ],
});

const open = (report: RunReport, more: object = {}): ChatMessage => openCard(report, { ...facts, asked, ...more });
const rows = (message: ChatMessage): string => textOf(message.blocks);

describe('the card of a question', () => {
  it('reads from top to bottom: where, whose, what is lost, what else, until when, and what happens without an answer', () => {
    expect(rows(open(mixed, { mention: 'S0RELEASERS' }))).toBe(
      [
        '⏳ *Approval wanted in production* <!subteam^S0RELEASERS>',
        'acme/storefront, pull request #42, commit `6dcb09b`, asked for by mona',
        '*delete and create 1*, update 1, create 1',
        '♻️ *delete and create* `branch:main`',
        '✏️ update `NAME`',
        '      `value`: `old` → `new`',
        '➕ create `STRIPE`',
        '      `value`: _(none)_ → _(secret)_',
        '*0 of 1* approved. Open until <!date^1772443800^{date_short_pretty} {time}|2026-03-02 09:30 UTC>; without an answer the run ends then, and nothing is applied. May decide: robin, alex; not the author of the commit, nor whoever started the run.',
        'Plan `3f2a9c81e4d0` · run `5d41402abc4b` · <https://github.com/acme/storefront/runs/77|check run>',
        'Approve',
        'Delete 1 resource?',
        'Deletes, and makes anew, empty: branch:main. This cannot be taken back.',
        'Approve',
        'Back',
        'Reject',
      ].join('\n'),
    );
  });

  it('tells both values of a literal that is another one than when the question before was asked, and no more than fit', () => {
    const moved = (n: number) => ({ line: 'site', label: `NAME ${n}`, path: 'value', before: literal('old'), after: literal('new') });
    const since = (n: number) =>
      plan({ question: { ...question, earlier: { digest: 'e'.repeat(64), literals: Array.from({ length: n }, (_, at) => moved(at)) } } });
    expect(rows(open(since(1)))).toContain('Otherwise than before: site, NAME 0, value: "old", now "new"');
    expect(rows(open(since(1)))).not.toContain('more values');
    expect(rows(open(since(20)))).toContain('…and 15 more values are others than before.');
    expect(blockComplaints(open(since(20)).blocks)).toEqual([]);
    expect(rows(open(mixed))).not.toContain('Otherwise');
  });

  it('holds in its buttons exactly what was seen: the digest, the run and the number of its question', () => {
    const buttons = buttonsOf(open(mixed).blocks ?? []);
    expect(buttons.map((button) => JSON.parse(String(button['value'])))).toEqual([asked, asked]);
    expect(buttons.map((button) => button['action_id'])).toEqual(['lockkeeper-approve', 'lockkeeper-reject']);
  });

  it('asks again before an approval that deletes, and before no other', () => {
    const confirms = (report: RunReport) => buttonsOf(open(report).blocks ?? []).map((button) => button['confirm'] !== undefined);
    expect(confirms(mixed)).toEqual([true, false]);
    expect(confirms({ ...mixed, lines: mixed.lines.filter(({ id }) => id !== 'db') })).toEqual([false, false]);
  });

  it('of a removal names everything as deleted', () => {
    const removal = plan({ kind: 'destroy', lines: [lineOf('db', { status: 'delete', changes: [{ ...changeOf('branch:main'), kind: 'delete' }] })] });
    expect(rows(open(removal))).toMatch(/^🗑️ \*Approval wanted to destroy in production\*\n[\s\S]*\n🗑️ \*delete\* `branch:main`\n[\s\S]*nothing is deleted/);
  });

  it('shows ten rows, the dangerous ones among them wherever they stand, and where to read the rest', () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      lineOf(`line-${at}`, { status: 'create', changes: [changeOf(`key-${at}`, { ...(at === 29 ? { replaces: true } : {}) })] }),
    );
    const text = rows(open(plan({ lines: many })));
    expect(text.match(/ `key-\d+`/g)).toHaveLength(10);
    expect(text.indexOf('key-29')).toBeLessThan(text.indexOf('key-0'));
    expect(text).toContain('…and 20 more: read all of it in <https://github.com/acme/storefront/runs/77|the check run>.');
  });

  it('says until when its environment is frozen, and that an approval waits', () => {
    const frozen = { environment: 'production', reason: 'year <end>', until: '2026-03-02T08:00:00.000Z', by: 'ada' };
    const text = rows(open(plan({ question, frozen })));
    expect(text).toContain('production is frozen until 2026-03-02 08:00 UTC by ada: year &lt;end&gt;. What is approved waits until then.');
    expect(rows(open(plan({ question })))).not.toContain('frozen');
    const longer = rows(open(plan({ question, frozen: { ...frozen, until: '2026-03-09T08:00:00.000Z' } })));
    expect(longer).toContain('The question runs out before that');
    expect(longer).not.toContain('waits until then');
  });

  it('says who has approved of how many, and that what is applied stays after a stop', () => {
    const stop: PlanStale = { round: 1, step: 'guard', cause: 'state', approved: 'a'.repeat(64), replanned: digest, differs: false };
    const text = rows(open(plan({ question: { ...question, required: 2, approvedBy: ['robin'] }, stops: [stop] })));
    expect(text).toContain('*1 of 2* approved (robin)');
    expect(text).toContain('what is applied stays');
    expect(text).toContain('⚠️ Of plan `aaaaaaaaaaaa`, which was approved, nothing is done: what is managed there has changed since. This asks again.');
  });

  it('has no buttons once it is answered or over', () => {
    const cards = [
      approvedCard(mixed, { ...facts, approvedBy: ['robin'] }),
      ...(['complete', 'failed', 'rejected', 'expired', 'superseded'] as const).map((status) => endedCard(plan({ status }), facts)),
      strayCard('stray'),
    ];
    for (const card of cards) expect(buttonsOf(card.blocks ?? [])).toEqual([]);
    expect(cards.slice(0, 3).map(rows).join('\n')).toContain('✅ *production: Approved by robin, being applied*');
  });
});

describe('the card of a question that is over', () => {
  it('keeps what was approved, with its values', () => {
    const text = rows(approvedCard(mixed, { ...facts, approvedBy: ['robin'] }));
    for (const part of ['♻️ *delete and create* `branch:main`', '✏️ update `NAME`\n      `value`: `old` → `new`', '➕ create `STRIPE`'])
      expect(text).toContain(part);
  });

  it('says why it ended, what to do next, who decided, and what became of each resource', () => {
    const problem = { code: 'PROVIDER_INVALID', message: 'refused', hint: 'Mend it, then `lockkeeper retry abc`.' } as const;
    const report = plan({
      kind: 'destroy',
      status: 'failed',
      lines: [
        lineOf('vars', { status: 'destroyed', notes: { destroyed: 'A, B' } }),
        lineOf('db', { status: 'destroy_failed', problem }),
        lineOf('site', { status: 'delete', changes: [changeOf('HOST', { kind: 'delete' })] }),
        lineOf('key', { status: 'unchanged', earlier: ['STRIPE'] }),
      ],
      decisions: [{ verdict: 'approve', person: 'robin', standing: 'verified', at: expiresAt }],
    });
    const text = rows(endedCard({ ...report, stack: 'releases' }, facts));
    for (const part of [
      '❌ *production: Removal failed at db (PROVIDER_INVALID)',
      '`db` `PROVIDER_INVALID` refused',
      '*Next:* Mend it, then `lockkeeper retry abc --stack releases`, or the comment `/lockkeeper retry`.',
      '🗑️ removed: `A, B`',
      '▫️ not done: *delete* `HOST`',
      '✅ applied before: `STRIPE`',
      'robin approved plan 3f2a9c81e4d0 at 2026-03-02 09:30 UTC',
    ])
      expect(text).toContain(part);
  });

  it('of a destroy that was rejected says that it was one', () => {
    expect(rows(endedCard(plan({ kind: 'destroy', status: 'rejected' }), facts))).toContain('*production: Destroy rejected, nothing written*');
  });
});

it('links pull request and commit where the repository is known', () => {
  const text = rows(open(mixed, { repositoryUrl: 'https://github.com/acme/storefront' }));
  expect(text).toContain('<https://github.com/acme/storefront/pull/42|pull request #42>, commit <https://github.com/acme/storefront/commit/6dcb09b5');
});

it('asks again with whole names, as many as fit, and says how many there are beside them', () => {
  const label = (at: number) => `Vercel variable NUMBER_${at} (production)`;
  const changes = Array.from({ length: 12 }, (_, at) => changeOf(`k${at}`, { kind: 'delete', label: label(at) }));
  const [approve] = buttonsOf(open(plan({ kind: 'destroy', lines: [lineOf('vars', { status: 'delete', changes })] })).blocks ?? []);
  const [title, text = ''] = textOf([approve?.['confirm']]).split('\n');
  expect(title).toBe('Delete 12 resources?');
  const named = text.match(/NUMBER_\d+ \(production\)/g)?.length ?? 0;
  expect(text).toMatch(new RegExp(` and ${12 - named} more \\(the check run names them\\)\\. This cannot be taken back\\.$`));
  expect([named > 2, text.includes('…')]).toEqual([true, false]);
});

/** Everything that is ever sent, of one report and one foreign text. */
const messagesOf = (report: RunReport, text: string, stop: PlanStale): ChatMessage[] => [
  open(report, { mention: text, asker: text }),
  approvedCard(report, { ...facts, approvedBy: [text, text] }),
  endedCard({ ...report, status: 'failed', problem: { code: 'PROVIDER_INVALID', message: text } }, facts),
  movedReply('moved', stop, report, [text]),
  reminder('half', Date.parse(expiresAt), text),
];

describe('whatever somebody else wrote', () => {
  const line = fc.tuple(hostile, hostile, hostile, fc.constantFrom('create', 'update'), fc.boolean()).map(([id, key, value, kind, replaces]) =>
    lineOf(id, {
      status: 'update',
      changes: [
        changeOf(key, {
          kind: kind as 'create',
          ...(replaces ? { replaces: true } : {}),
          fields: [{ path: value, before: literal(value), after: { state: 'pending', ref: value } }],
        }),
      ],
    }),
  );
  const reports = fc.tuple(fc.array(line, { maxLength: 14 }), hostile).map(([lines, name]) =>
    plan({
      lines,
      environment: name,
      plan: { name, path: name },
      question: { ...question, approvers: [name, name], required: 3, approvedBy: [name] },
      decisions: [{ verdict: 'approve', person: name, standing: 'verified', at: expiresAt }],
    }),
  );
  const stops = hostile.map(
    (text): PlanStale => ({
      round: 1,
      step: text,
      cause: 'drift',
      approved: digest,
      replanned: digest,
      differs: true,
      different: [{ line: text, resource: text, what: 'new' }],
    }),
  );

  test('mentions nobody, links nowhere, and stays within the limits of Block Kit', () => {
    fc.assert(
      fc.property(reports, hostile, stops, (report, text, stop) => {
        for (const message of messagesOf(report, text, stop)) {
          expect(blockComplaints(message.blocks)).toEqual([]);
          expect(message.text.length).toBeLessThan(4000);
          const own = /<!date\^\d+\^\{date_short_pretty\} \{time\}\|[\d: -]+UTC>|<https:\/\/github\.com\/acme\/storefront\/runs\/77\|(the )?check run>/g;
          const foreign = [message.text, JSON.stringify(verbatims(message.blocks))].join('\n').replace(own, '');
          expect(foreign).not.toMatch(/<(?=[@!#a-z])/i);
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Every mrkdwn text of a message; what is plain text holds no markup. */
const verbatims = (blocks: unknown): unknown[] => {
  if (Array.isArray(blocks)) return blocks.flatMap(verbatims);
  if (typeof blocks !== 'object' || blocks === null) return [];
  if ('type' in blocks && blocks.type === 'mrkdwn')
    return 'verbatim' in blocks && blocks.verbatim === true && 'text' in blocks ? [blocks.text] : ['<!not verbatim'];
  return Object.values(blocks).flatMap(verbatims);
};

test('the longest plan there is stays within the limits, and keeps its buttons', () => {
  const worst = '&'.repeat(5_000);
  const fields = Array.from({ length: 50 }, () => ({ path: worst, before: literal(worst), after: literal(worst) }));
  const lines = Array.from({ length: 1_000 }, () => lineOf(worst, { status: 'update', changes: [changeOf(worst, { label: worst, replaces: true, fields })] }));
  const names = Array.from({ length: 500 }, () => worst);
  const report = plan({
    lines,
    environment: worst,
    plan: { name: worst, path: worst },
    question: { ...question, approvers: names, required: 500, approvedBy: names },
  });
  const message = open(report, { asker: worst, mention: worst });
  expect(blockComplaints(message.blocks)).toEqual([]);
  expect(buttonsOf(message.blocks ?? [])).toHaveLength(2);
  const decisions = names.map((person) => ({ verdict: 'approve' as const, person, standing: 'verified' as const, at: expiresAt }));
  expect(
    blockComplaints(endedCard({ ...report, status: 'failed', decisions, problem: { code: 'INTERNAL', message: worst } }, { ...facts, asker: worst }).blocks),
  ).toEqual([]);
  expect(blockComplaints(approvedCard(report, { ...facts, approvedBy: names }).blocks)).toEqual([]);
});

test('those who decided before are mentioned, and told in one sentence what moved', () => {
  const stop: PlanStale = {
    round: 1,
    step: 'db',
    cause: 'drift',
    approved: 'a'.repeat(64),
    replanned: digest,
    differs: true,
    different: [{ line: 'db', resource: 'branch:main', what: 'new' }],
  };
  const report = { lines: [lineOf('db', { changes: [changeOf('branch:main', { label: 'Neon branch main' })] })], drift: [] };
  expect(movedReply('id', stop, report, ['U0000ROBIN', 'kim']).text).toBe(
    '<@U0000ROBIN> kim Of plan `aaaaaaaaaaaa`, which was approved, nothing is done: `Neon branch main` has changed since, so please decide again on the card above (plan `3f2a9c81e4d0`).',
  );
  const partly = movedReply(
    'id',
    { ...stop, different: [...(stop.different ?? []), { line: 'db', resource: 'role', what: 'gone' }] },
    { ...report, done: ['role'] },
    [],
  );
  expect(partly.text).toMatch(/^Of plan `a{12}`, which was approved, only `role` is done: `Neon branch main` has changed since, /);
});

test('only a web address is a link', () => {
  expect(link('https://github.com/acme/storefront/runs/77?a=1&b=2', 'check <run>')).toBe(
    '<https://github.com/acme/storefront/runs/77?a=1&amp;b=2|check &lt;run&gt;>',
  );
  for (const url of ['', 'javascript:alert(1)', 'https://a.example|x', 'https://a.example> <!channel']) expect(link(url, 'check run')).toBe('check run');
});

test('whoever clicked is told what came of it', () => {
  expect(takenText('approve', digest)).toBe('✅ Your approval of plan `3f2a9c81e4d0` is recorded.');
  expect(refusalText('<!channel> is nobody')).toBe('⛔ &lt;!channel&gt; is nobody');
});
