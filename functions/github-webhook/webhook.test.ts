import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { controlMessage } from '../../events/control-message.ts';
import { intake } from '../../events/intake.ts';
import { countingIds } from '../../test/ports/counting-ids.ts';
import { type ManualClock, manualClock } from '../../test/ports/manual-clock.ts';
import { type MemoryQueues, memoryQueues } from '../../test/ports/memory-queues.ts';
import { type MemoryTable, memoryTable } from '../../test/ports/memory-table.ts';
import { MAX_BODY_BYTES } from './admission.ts';
import { allowList } from './allow-list.ts';
import { intakeIdOf } from './intake-of.ts';
import { webhook } from './webhook.ts';

const secret = 'a secret of the webhook';
const delivery = '72d3162e-cc78-11e3-81ab-4c9367dc0958';
const sample = (name: string) => readFileSync(new URL(`../../events/samples/${name}.json`, import.meta.url), 'utf8');
const pullRequest = sample('github-pull-request');

let table: MemoryTable;
let queues: MemoryQueues;
let clock: ManualClock;
let lines: { level: string; message: string; fields: Record<string, unknown> }[];

beforeEach(() => {
  table = memoryTable();
  clock = manualClock();
  queues = memoryQueues(clock);
  lines = [];
});

interface Sent {
  readonly body?: string;
  readonly event?: string;
  readonly id?: string;
  readonly signature?: string | null;
  readonly base64?: boolean;
  readonly repositories?: string;
  readonly secret?: () => Promise<string>;
}

async function send({ body = pullRequest, event = 'pull_request', id = delivery, signature, base64 = false, repositories = 'acme/*', ...rest }: Sent = {}) {
  const log = Object.fromEntries(
    ['info', 'warn', 'error'].map((level) => [level, (message: string, fields: Record<string, unknown> = {}) => lines.push({ level, message, fields })]),
  ) as unknown as Parameters<typeof webhook>[0]['log'];
  const handler = webhook({
    secret: rest.secret ?? (async () => secret),
    allows: allowList(repositories),
    table: table.table,
    queues: queues.queues,
    clock,
    ids: countingIds(),
    log,
  });
  const headers: Record<string, string> = { 'x-github-event': event, 'x-github-delivery': id };
  if (signature !== null) headers['x-hub-signature-256'] = signature ?? signed(body);
  const request = { headers, body: base64 ? Buffer.from(body).toString('base64') : body, isBase64Encoded: base64 } as unknown as APIGatewayProxyEventV2;
  return handler(request, {} as Context);
}

const signed = (body: string, key = secret) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
const changed = (text: string, change: (payload: Record<string, Record<string, unknown>>) => void) => {
  const payload = JSON.parse(text);
  change(payload);
  return JSON.stringify(payload);
};
/** The sample of a comment with another text, author or place. */
const comment = (change: (comment: Record<string, unknown>) => object, more: object = {}) => {
  const payload = JSON.parse(sample('github-issue-comment'));
  return JSON.stringify({ ...payload, comment: change(payload.comment), ...more });
};
const touched = () => [table.calls.length, queues.sent.length];

describe('a delivery that starts something', () => {
  it('is recorded and queued with two calls, then answered 202 with the intake', async () => {
    const answer = await send();

    expect(answer.statusCode).toBe(202);
    expect(JSON.parse(answer.body ?? '')).toEqual({ intake: intakeIdOf(delivery) });
    expect(table.calls.map((call) => call.op)).toEqual(['write']);
    expect(queues.sent.map((one) => controlMessage.parse(one.message))).toEqual([{ format: 1, run: intakeIdOf(delivery), group: '1296269' }]);
    expect(lines).toHaveLength(1);
  });

  it('leaves an item that the controller can parse, due from now on', async () => {
    await send();

    const { pk: _pk, sk: _sk, ...item } = table.peek(`RUN#${intakeIdOf(delivery)}`, 'META') ?? { pk: '', sk: '' };
    const now = new Date(clock.now()).toISOString();
    expect(intake.parse(item)).toMatchObject({
      event: 'pull_request',
      action: 'opened',
      deliveryId: delivery,
      status: 'recorded',
      since: now,
      receivedAt: now,
    });
    expect(item['pullRequest']).toEqual({
      number: 42,
      headSha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
      headBranch: 'feat/checkout',
      fork: false,
    });
    expect(intake.parse(item).repository).toEqual({ id: '1296269', owner: 'acme', name: 'storefront', defaultBranch: 'main' });
  });

  it('keeps of a deployment what the controller needs, and no query of its address', async () => {
    await send({ body: sample('github-deployment-status'), event: 'deployment_status' });

    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item['deployment']).toEqual({
      sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
      environment: 'Preview',
      state: 'success',
      targetUrl: 'https://storefront-git-feat-checkout.vercel.app/',
    });
  });

  it('keeps that a pull request goes to another branch, in a format that older code hands back', async () => {
    expect((await send({ body: sample('github-pull-request-edited') })).statusCode).toBe(202);
    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item).toMatchObject({ format: 6, event: 'pull_request', action: 'edited', pullRequest: { number: 42 } });
  });

  it.each([
    ['another repository', { id: 7 }],
    ['a fork that is gone', null],
  ])('says that the head lies in a fork: %s', async (_, repo) => {
    await send({
      body: changed(pullRequest, (payload) => {
        (payload['pull_request']?.['head'] as Record<string, unknown>)['repo'] = repo;
      }),
    });
    expect(table.items()[0]?.['pullRequest']).toMatchObject({ fork: true });
  });

  it.each([
    ['a push', 'push', 'github-push', { push: { branch: 'main', sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' } }],
    [
      '"Re-run" on a check',
      'check_run',
      'github-check-run',
      { check: { sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e', externalId: '3f1c9a7e5b2d4860a1c3e5f708192a3b' } },
    ],
    ['"Re-run all checks"', 'check_suite', 'github-check-suite', { suite: { sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' } }],
    ['a comment that asks for a retry, without its text', 'issue_comment', 'github-issue-comment', { comment: { pullRequest: 42, id: 1 } }],
  ])('keeps of %s what the controller needs, in the newer format', async (_, event, name, kept) => {
    expect((await send({ body: sample(name), event })).statusCode).toBe(202);
    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item).toMatchObject({ format: 2, event, sender: { login: 'mona', type: 'User' }, ...kept });
    expect(JSON.stringify(item)).not.toContain('Neon was down');
  });

  it.each([
    ['an edit', (body: string) => body],
    ['an edit that emptied it', (body: string) => body.replace('"body": "<!-- lockkeeper:dashboard v=\\"1\\" -->\\r\\n**0 pending**"', '"body": ""')],
  ])('keeps of %s of the dashboard that it was, and nothing of its text', async (_, change) => {
    const body = change(sample('github-issues'));
    expect((await send({ body, event: 'issues' })).statusCode).toBe(202);
    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item).toMatchObject({ format: 7, event: 'issues', action: 'edited', issue: { number: 7 } });
    expect(JSON.stringify(item)).not.toContain('pending');
  });

  it.each(['/lockkeeper retry', '  /lockkeeper retry  ', '/lockkeeper  retry\r\nplease'])('listens to the comment %j', async (body) => {
    expect((await send({ body: comment((one) => ({ ...one, body })), event: 'issue_comment' })).statusCode).toBe(202);
  });

  it.each([
    ['/lockkeeper adopt env', { verb: 'adopt', line: 'env' }],
    ['  /lockkeeper  reconcile\tenv \r\nplease', { verb: 'reconcile', line: 'env' }],
    ['/lockkeeper accept env until 7d the vendor  asked', { verb: 'accept', line: 'env', until: '7d', reason: 'the vendor asked' }],
    ['/lockkeeper accept env for ever', { verb: 'accept', line: 'env', reason: 'for ever' }],
  ])('hears in the comment %j what is said about a line, in a format that older code hands back', async (body, said) => {
    expect((await send({ body: comment((one) => ({ ...one, body })), event: 'issue_comment' })).statusCode).toBe(202);
    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item).toMatchObject({ format: 3, comment: { pullRequest: 42, id: 1, said } });
  });

  it.each([
    ['a:3f2a9c81e4d0Vb3x_Q', { verb: 'approve', digest: '3f2a9c81e4d0', question: 'Vb3x_Q' }],
    ['r:3f2a9c81e4d0Vb3x_Q', { verb: 'reject', digest: '3f2a9c81e4d0', question: 'Vb3x_Q' }],
    ['reconcile', { verb: 'reconcile' }],
  ])('keeps of the pressed button %s what it says and on which check', async (identifier, pressed) => {
    const body = sample('github-check-run-pressed').replace('a:3f2a9c81e4d0Vb3x_Q', identifier);
    expect((await send({ body, event: 'check_run' })).statusCode).toBe(202);
    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item).toMatchObject({ format: 4, event: 'check_run', action: 'requested_action', check: { id: 4, pressed } });
  });

  it.each([
    ['/lockkeeper withdraw 3f2a9c81e4d0', { verb: 'withdraw', of: '3f2a9c81e4d0' }],
    ['/lockkeeper cancel 91c122b75469\r\nbecause', { verb: 'cancel', of: '91c122b75469' }],
    ['/lockkeeper  undo 91c122b75469', { verb: 'undo', of: '91c122b75469' }],
  ])('hears the wish in the comment %j, in a format that older code hands back', async (text, wished) => {
    const body = comment((one) => ({ ...one, body: text }), { issue: { number: 42, state: 'closed', pull_request: {} } });
    expect((await send({ body, event: 'issue_comment' })).statusCode).toBe(202);
    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item).toMatchObject({ format: 5, comment: { pullRequest: 42, wished } });
    expect(JSON.stringify(item)).not.toContain('because');
  });

  it.each([
    ['/lockkeeper approve 3f2a9c81e4d0', { verdict: 'approve', digest: '3f2a9c81e4d0' }],
    ['/lockkeeper  reject 3f2a9c81\r\nbecause', { verdict: 'reject', digest: '3f2a9c81' }],
    ['/lockkeeper approve', { verdict: 'approve', digest: '(none)' }],
  ])('hears the answer in the comment %j, on a merged pull request too', async (text, answered) => {
    const body = comment((one) => ({ ...one, body: text }), { issue: { number: 42, state: 'closed', pull_request: {} } });
    expect((await send({ body, event: 'issue_comment' })).statusCode).toBe(202);
    const [{ pk: _pk, sk: _sk, ...item } = { pk: '', sk: '' }] = table.items();
    expect(intake.safeParse(item).error).toBeUndefined();
    expect(item).toMatchObject({ format: 4, comment: { pullRequest: 42, answered } });
    expect(JSON.stringify(item)).not.toContain('because');
  });

  it('may arrive in base64: the signature is over the decoded bytes', async () => {
    expect((await send({ base64: true })).statusCode).toBe(202);
  });

  it('delivered again writes nothing new and is queued again without a look', async () => {
    await send();
    const first = table.items();
    table.calls.length = 0;
    const answer = await send();

    expect(answer.statusCode).toBe(202);
    expect(table.items()).toEqual(first);
    expect(table.calls.map((call) => call.op)).toEqual(['write']);
    expect(queues.sent).toHaveLength(2);
    expect(queues.sent[1]).toEqual(queues.sent[0]);
  });

  it('whose record got no answer is put once more, and there is one intake', async () => {
    table.faults.loseAnswer(() => true, 'done');
    expect((await send()).statusCode).toBe(202);
    expect(table.items()).toHaveLength(1);
    expect(queues.sent).toHaveLength(1);
  });

  it('is answered 503 when the table stays silent, and nothing is queued', async () => {
    table.faults.loseAnswer(() => true, 'never', 2);
    expect((await send()).statusCode).toBe(503);
    expect(queues.sent).toHaveLength(0);
    expect(lines.map((line) => line.level)).toEqual(['error']);
  });

  it('that died between record and queue stays due, and its redelivery is queued', async () => {
    queues.faults.fail(() => true, new Error('the queue is away'));
    expect((await send()).statusCode).toBe(503);
    expect(await table.table.list({ index: 'due', partition: 'recorded' })).toHaveLength(1);

    expect((await send()).statusCode).toBe(202);
    expect(queues.sent).toHaveLength(1);
    expect(table.items()).toHaveLength(1);
  });
});

describe('a delivery that starts nothing', () => {
  const tooLarge = ' '.repeat(MAX_BODY_BYTES + 1);
  const notAllowed = 'other/repository';
  const wrong = signed('something else');

  it.each<[number, string, Sent]>([
    [413, 'an oversized body, whatever else is wrong', { body: tooLarge, signature: wrong, event: 'watch', repositories: notAllowed }],
    [413, 'an oversized body in base64', { body: tooLarge, base64: true }],
    [401, 'a bad signature before broken JSON', { body: '{', signature: wrong, event: 'watch', repositories: notAllowed }],
    [401, 'a signature under another secret', { signature: signed(pullRequest, 'guessed') }],
    [401, 'a missing signature', { signature: null }],
    [401, 'an empty signature', { signature: '' }],
    [400, 'broken JSON before an event that is not handled', { body: '{', event: 'watch', repositories: notAllowed }],
    [400, 'JSON that is no object', { body: '[]' }],
    [400, 'no body at all', { body: '' }],
    [400, 'a form instead of JSON', { body: 'payload=%7B%7D' }],
    [204, 'an event that is not handled before the allow-list', { event: 'watch', repositories: notAllowed }],
    [204, 'an action that is not handled', { body: pullRequest.replace('"opened"', '"labeled"') }],
    [
      204,
      'an edited title',
      { body: sample('github-pull-request-edited').replace('"base": {\n      "ref": {\n        "from"', '"title": {\n      "ref": {\n        "from"') },
    ],
    [204, 'an event named like a property of every object', { event: 'constructor' }],
    [204, 'a push of a tag', { body: sample('github-push').replace('refs/heads/main', 'refs/tags/v1'), event: 'push' }],
    [204, 'a deleted branch', { body: sample('github-push').replace('"deleted": false', '"deleted": true'), event: 'push' }],
    [204, 'a push to another branch than the default one', { body: sample('github-push').replace('refs/heads/main', 'refs/heads/feat'), event: 'push' }],
    [
      204,
      'a check of another app’s that has no external id',
      { body: sample('github-check-run').replace('3f1c9a7e5b2d4860a1c3e5f708192a3b', ''), event: 'check_run' },
    ],
    [204, 'a check that only ended', { body: sample('github-check-run').replace('rerequested', 'completed'), event: 'check_run' }],
    [
      204,
      'a button of a check that is none of ours',
      { body: sample('github-check-run-pressed').replace('a:3f2a9c81e4d0Vb3x_Q', 'fix-lint'), event: 'check_run' },
    ],
    [
      204,
      'a comment that approves two plans',
      { body: comment((one) => ({ ...one, body: '/lockkeeper approve 3f2a9c81e4d0 4f2a9c81e4d0' })), event: 'issue_comment' },
    ],
    [204, 'a check suite that only ended', { body: sample('github-check-suite').replace('rerequested', 'completed'), event: 'check_suite' }],
    [204, 'a comment that says something else first', { body: comment((one) => ({ ...one, body: 'Try /lockkeeper retry' })), event: 'issue_comment' }],
    [204, 'a comment that says more on that line', { body: comment((one) => ({ ...one, body: '/lockkeeper retry all' })), event: 'issue_comment' }],
    [204, 'a comment that adopts no line', { body: comment((one) => ({ ...one, body: '/lockkeeper adopt' })), event: 'issue_comment' }],
    [204, 'a comment that adopts two lines', { body: comment((one) => ({ ...one, body: '/lockkeeper adopt a b' })), event: 'issue_comment' }],
    [204, 'a comment that was edited', { body: sample('github-issue-comment').replace('"created"', '"edited"'), event: 'issue_comment' }],
    [204, 'a comment on an issue', { body: comment((one) => one, { issue: { number: 42, state: 'open' } }), event: 'issue_comment' }],
    [
      204,
      'a comment on a closed pull request',
      { body: comment((one) => one, { issue: { number: 42, state: 'closed', pull_request: {} } }), event: 'issue_comment' },
    ],
    [204, 'a program’s comment', { body: comment((one) => one, { sender: { login: 'dependabot[bot]', type: 'Bot' } }), event: 'issue_comment' }],
    [204, 'an issue that a person opened', { body: sample('github-issues').replace('"type": "Bot"', '"type": "User"'), event: 'issues' }],
    [
      204,
      'an issue of an app that is no dashboard',
      { body: sample('github-issues').replaceAll('lockkeeper:dashboard', 'renovate:dashboard'), event: 'issues' },
    ],
    [
      204,
      'an edit of the dashboard by the App itself',
      { body: sample('github-issues').replace('"login": "mona"', '"login": "lockkeeper[bot]"'), event: 'issues' },
    ],
    [204, 'a dashboard that was pinned', { body: sample('github-issues').replace('"edited"', '"pinned"'), event: 'issues' }],
    [400, 'an issue of another shape', { body: '{"action":"edited"}', event: 'issues' }],
    [400, 'a push of another shape', { body: sample('github-push').replace('"after"', '"behind"'), event: 'push' }],
    [400, 'a handled event of another shape', { body: '{"action":"opened"}' }],
    [400, 'a handled event without delivery id', { id: '' }],
    [403, 'a repository off the allow-list', { repositories: notAllowed }],
    [403, 'any repository under an empty allow-list', { repositories: '' }],
    [200, 'a ping', { body: sample('github-ping'), event: 'ping', repositories: '' }],
  ])('%i for %s: one log line, nothing stored, nothing queued', async (status, _, sent) => {
    const answer = await send(sent);

    expect(answer.statusCode).toBe(status);
    expect(touched()).toEqual([0, 0]);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.fields['status']).toBe(status);
  });

  it('takes a body of exactly the limit', async () => {
    const body = pullRequest + ' '.repeat(MAX_BODY_BYTES - Buffer.byteLength(pullRequest));
    expect((await send({ body })).statusCode).toBe(202);
  });

  it('never says in its log what the secret is or what signature it expected', async () => {
    await send({ signature: wrong });
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(JSON.stringify(lines)).not.toContain(signed(pullRequest).slice(7));
  });

  it('answers 503 while its secret cannot be read, and stores nothing', async () => {
    const answer = await send({ secret: () => Promise.reject(new Error('no secret today')) });
    expect(answer.statusCode).toBe(503);
    expect(touched()).toEqual([0, 0]);
  });
});

describe('every payload that GitHub is known to have sent', () => {
  const definitions: { name: string; examples: object[] }[] = createRequire(import.meta.url)('@octokit/webhooks-examples');
  const examples = definitions.flatMap(({ name, examples }) => examples.map((payload, at) => ({ name, at, payload })));

  it('is answered below 500, and what it leaves parses', async () => {
    expect(examples.length).toBeGreaterThan(300);
    const seen = new Map<number, number>();
    for (const { name, at, payload } of examples) {
      const { statusCode = 0 } = await send({ body: JSON.stringify(payload), event: name, id: `${name}-${at}`, repositories: '*' });
      expect(statusCode, `${name} ${at}`).toBeLessThan(500);
      seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1);
    }
    for (const { pk: _pk, sk: _sk, ...item } of table.items()) expect(intake.safeParse(item).error).toBeUndefined();
    expect([...seen.keys()].sort()).toEqual([200, 202, 204]);
    expect(table.items()).toHaveLength(seen.get(202) ?? 0);
  });
});
