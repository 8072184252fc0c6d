import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../sim/wire/log.ts';
import type { World } from '../sim/world/world.ts';
import { canaries } from './house.ts';
import { prices } from './story/prices.ts';
import type { ChapterResult } from './story/result.ts';
import { bucketOf, cloudOf, depthsOf, messagesOf, requestsOf, type StoredVersion, type TableItem, type ToldStory, tableOf, tellStory } from './told-story.ts';

const program = new URL('start.ts', import.meta.url).pathname;

let story: ToldStory;
let items: TableItem[];
let versions: StoredVersion[];
let cloud: World;
let requests: LoggedRequest[];
beforeAll(async () => {
  story = await tellStory();
  const { kept } = story.document;
  [items, versions, cloud, requests] = await Promise.all([tableOf(kept), bucketOf(kept), cloudOf(kept), requestsOf(kept)]);
}, 420_000);
afterAll(() => story?.process.kill('SIGKILL'));

const of = (prefix: string): TableItem[] => items.filter((item) => item.sk.startsWith(prefix));
const runs = (): TableItem[] => of('META').filter((item) => item['item'] === 'run');
const playground = (): number => story.document.kept.pullRequest;
/** Whether there is a tool here that the last chapter could be told with. */
const hasStack = (): boolean => story.document.untold.length === 0;
const isWrite = ({ provider, method }: LoggedRequest): boolean => provider !== 'github' && method !== 'GET';

describe('the closing table of the story', () => {
  it('is about thirteen chapters that all ended as they should, told in less than a minute and a half (R1.113)', () => {
    const { ok, chapters, untold, total } = story.document;
    expect({ ok, chapters: [...chapters.map(({ name, ok }) => [name, ok]), ...untold.map(({ name }) => [name, true])] }).toEqual({
      ok: true,
      chapters: [
        'opening',
        'again',
        'unchanged',
        'console',
        'deployment',
        'neighbour',
        'refusal',
        'takeover',
        'closing',
        'production',
        'moved',
        'drift',
        'stack',
      ].map((name) => [name, true]),
    });
    expect(untold.filter(({ name }) => name !== 'stack')).toEqual([]);
    expect(total.seconds).toBeLessThan(90);
  });

  it('counts the provider writes that the fakes have in their log', () => {
    const { chapters, total } = story.document;
    const counted = chapters.map(({ name, log: [after, last] }) => [name, requests.filter((one) => isWrite(one) && one.at > after && one.at <= last).length]);
    expect(counted).toEqual(chapters.map(({ name, providerWrites }) => [name, providerWrites]));
    expect(total.providerWrites).toBe(counted.reduce((sum, [, writes]) => sum + Number(writes), 0));
  });

  it('says of every run how it ended, as its log in the table does', () => {
    const ends = (id: string) =>
      of('LOG#')
        .filter((item) => item.pk === `RUN#${id}` && item['event'] === 'settled')
        .map((item) => item['detail']);
    for (const run of story.document.chapters.flatMap((chapter) => chapter.runs)) expect(ends(run.id), run.id).toContain(run.status);
  });

  it('writes nothing at a provider for a second delivery, a commit without a change, or an edited console', () => {
    const writes = Object.fromEntries(story.document.chapters.map((chapter) => [chapter.name, chapter.providerWrites]));
    expect([writes['again'], writes['unchanged'], writes['console']]).toEqual([0, 0, 0]);
  });

  it('adds up its AWS requests, and prices them from the list', () => {
    const { chapters, total, cost } = story.document;
    const together: Record<string, number> = {};
    for (const { aws } of chapters) for (const [operation, n] of Object.entries(aws.byOperation)) together[operation] = (together[operation] ?? 0) + n;
    expect(total.aws.byOperation).toEqual(together);
    const sumOf = (pattern: RegExp) => Object.entries(together).reduce((sum, [operation, n]) => sum + (pattern.test(operation) ? n : 0), 0);
    const { tableWrite, tableRead, objectPut, objectGet, queue, secret, event, invocation, webhook, transition } = prices;
    const dollars =
      sumOf(/^dynamodb\.(Put|Update|Delete)Item$/) * tableWrite +
      sumOf(/^dynamodb\.(GetItem|Query)$/) * tableRead +
      sumOf(/^s3\.(Put|List)/) * objectPut +
      sumOf(/^s3\.(Get|Head)/) * objectGet +
      sumOf(/^sqs\./) * queue +
      sumOf(/GetSecretValue$/) * secret +
      sumOf(/PutEvents$/) * event +
      sumOf(/^lambda\./) * invocation +
      sumOf(/^apigateway\./) * webhook +
      sumOf(/^states\./) * transition;
    expect(cost.dollars).toBeCloseTo(dollars, 12);
  });

  it('counts no less than what is left to be seen of it: objects, messages, webhooks', () => {
    const { byOperation } = story.document.total.aws;
    const own = new Set(story.document.chapters.flatMap(({ runs }) => runs.map((run) => run.id)));
    const readable = versions.filter(({ body }) => body.startsWith('{'));
    const stored = readable.filter(({ body }) => own.has((JSON.parse(body) as { run?: string }).run ?? ''));
    expect(byOperation['s3.PutObject']).toBeGreaterThanOrEqual(stored.length);
    expect(stored.length).toBeGreaterThan(12);
    const heard = requests.filter((one) => one.provider === 'github').length;
    expect(heard).toBeGreaterThan(0);
    expect(byOperation['apigateway.Request']).toBe(webhooksOf(story.document.chapters));
  });
});

/** One webhook a push, and what else each chapter delivers. */
const webhooksOf = (chapters: readonly ChapterResult[]): number => {
  const delivered: Record<string, number> = {
    opening: 1,
    again: 1,
    unchanged: 1,
    console: 1,
    deployment: 3,
    neighbour: 1,
    refusal: 1,
    takeover: 2,
    closing: 2,
    production: 3,
    moved: 2,
    drift: 2,
    stack: 3,
  };
  return chapters.reduce((sum, { name }) => sum + (delivered[name] ?? 0), 0);
};

describe('what the story leaves', () => {
  it('is no lease that anybody holds', () => {
    const leases = of('LEASE').filter((item) => item.pk.startsWith('SCOPE#'));
    expect(leases).toHaveLength(5);
    expect(leases.filter((item) => item['released'] !== true || item['sealedAt'] !== item['fence'])).toEqual([]);
  });

  it('is no run that stands still: every one is done, but for the open pull request’s, which waits', () => {
    expect(runs().map((run) => [run['scope'], run['phase']])).toEqual(
      runs().map((run) => [run['scope'], run['scope'] === `pr-${playground()}` ? 'waiting' : 'done']),
    );
  });

  it('is a chain of receipts without a gap in every scope', () => {
    const keys = [...new Set(versions.map(({ key }) => key).filter((key) => key.endsWith('/latest.json')))];
    expect(keys).toHaveLength(5);
    for (const key of keys) {
      const bodies = versions.filter((version) => version.key === key).map(({ body }) => body);
      const digests = bodies.map((body) => createHash('sha256').update(body).digest('hex'));
      expect(bodies.map((body) => (JSON.parse(body) as { previous: string | null }).previous)).toEqual([null, ...digests.slice(0, -1)]);
    }
  });

  it('is nothing in the dead-letter queues', async () => {
    const dead = Object.entries(await depthsOf(story.document.kept)).filter(([name]) => name.includes('Dead'));
    expect(dead.map(([, depth]) => depth)).toEqual([0, 0]);
  });

  it('is a ledger that holds what production and the open pull request have, and nothing of the closed ones', () => {
    const held = of('LEDGER#').flatMap((item) =>
      (item['entries'] as { key: string; createdBy: string }[]).map((entry) => ({ scope: item.pk.split('%23').at(-1)?.split('#').at(-1), ...entry })),
    );
    expect(held.map(({ scope, key, createdBy }) => [scope, key, createdBy]).sort()).toEqual(
      [
        [`pr-${playground()}`, `branch:lockkeeper/preview/pr-${playground()}`, 'lockkeeper'],
        ...['CHECKOUT_MODE', 'DATABASE_URL', 'STRIPE_KEY'].map((name) => [`pr-${playground()}`, `env:preview:playground:${name}`, 'lockkeeper']),
        [`pr-${playground()}`, 'redirect:https://storefront.acme.example/sso-callback', 'adopted'],
        ...['CHECKOUT_MODE', 'STRIPE_KEY'].map((name) => ['main', `env:production:*:${name}`, 'lockkeeper']),
        ...approvedRedirects.map((url) => ['main', `redirect:${url}`, 'lockkeeper']),
        ...(hasStack() ? ['env:production:*:ORDERS_QUEUE', 'infra'] : []).map((key) => ['main', key, 'lockkeeper']),
      ].sort(),
    );
    expect(of('CLAIM')).toHaveLength(held.length);
  });

  it('is a cloud with what was there before, what was approved for production, and what the open pull request has', () => {
    const [vercel] = cloud.vercel.projects;
    expect(cloud.neon.projects[0]?.branches.map((branch) => branch.name)).toEqual(['main', `lockkeeper/preview/pr-${playground()}`]);
    expect(vercel?.variables.map((variable) => [variable.key, variable.gitBranch]).sort()).toEqual([
      ['CHECKOUT_MODE', undefined],
      ['CHECKOUT_MODE', 'playground'],
      ['DATABASE_URL', 'playground'],
      ['NEXT_PUBLIC_SITE_NAME', undefined],
      ...(hasStack() ? [['ORDERS_QUEUE', undefined]] : []),
      ['STRIPE_KEY', undefined],
      ['STRIPE_KEY', 'playground'],
    ]);
    expect(cloud.clerk.redirects.map((redirect) => redirect.url)).toEqual(['https://storefront.acme.example/sso-callback', ...approvedRedirects]);
  });

  it('is one comment a pull request, one more where production was asked about, one on the dashboard, and one check run a commit, one more for a tick', () => {
    const [repository] = cloud.github.repositories;
    const [dashboard, ...others] = repository?.issues ?? [];
    expect(others).toEqual([]);
    expect(repository?.comments.map((comment) => comment.issue).sort()).toEqual([1, 2, 3, 3, dashboard?.number, playground()].sort());
    const commits = new Set(runs().map((run) => String(run['commit'])));
    const own = repository?.checks.filter((check) => !check.name.endsWith(' after merge'));
    const isTicked = ({ name }: { name: string }) => /(?:repair|apply)$/.test(name);
    expect(own?.filter(isTicked)).toHaveLength(hasStack() ? 2 : 1);
    expect(
      own
        ?.filter((check) => !isTicked(check))
        .map((check) => check.sha)
        .sort(),
    ).toEqual([...commits].sort());
    expect(repository?.checks.filter((check) => check.status !== 'completed')).toEqual([]);
  });

  it('is no secret value anywhere, in any encoding', () => {
    const { out, err } = story.printed();
    const sinks: Record<string, readonly string[]> = {
      table: items.map((item) => JSON.stringify(item, (_key, value: unknown) => (value instanceof Set ? [...value] : value))),
      bucket: versions.map(({ body }) => body),
      github: requests.filter((one) => one.provider === 'github').map((one) => `${one.path} ${one.query} ${one.body}`),
      messages: messagesOf(story.document.kept),
      'functions’ log': [readFileSync(story.document.kept.functionsLog, 'utf8')],
      'standard output': [out],
      'standard error': [err],
    };
    for (const [sink, texts] of Object.entries(sinks).filter(([name]) => name !== 'standard error')) expect(texts.join('').length, sink).toBeGreaterThan(100);
    const secrets = [...Object.values(canaries), ...connectionStrings()];
    expect(secrets.length).toBeGreaterThan(Object.keys(canaries).length + 3);
    const found = Object.entries(sinks).flatMap(([sink, texts]) =>
      secrets.flatMap((secret, at) =>
        spellings(secret)
          .filter((spelling) => texts.some((text) => text.includes(spelling)))
          .map((spelling) => [sink, at, spelling]),
      ),
    );
    expect(found).toEqual([]);
  });
});

const approvedRedirects = ['https://shop.acme.example/sso-callback', 'https://wallet.acme.example/sso-callback'];

/** Every connection string that Vercel was ever sent, and the password in it. */
function connectionStrings(): string[] {
  const sent = requests.filter((one) => one.provider === 'vercel').flatMap((one) => one.body.match(/postgres(?:ql)?:\/\/[^"\\]+/g) ?? []);
  return [...new Set(sent)].flatMap((url) => [url, new URL(url).password]);
}

/** As it is, in a URL, in hex, and in base64 wherever its first byte may fall. */
function spellings(secret: string): string[] {
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.from('\0'.repeat(before) + secret)
      .toString('base64url')
      .slice(Math.ceil((before * 8) / 6));
    return whole.slice(0, Math.floor((secret.length * 8) / 6) - 1);
  });
  const standard = base64.map((text) => text.replaceAll('-', '+').replaceAll('_', '/'));
  return [...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...base64, ...standard])];
}

/** A folder with a small `curl`, for machines that have none: it comes last in the path. */
function curlStandIn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'curl-'));
  const source = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const args = process.argv.slice(2);
const after = (flag) => args.flatMap((arg, at) => (args[at - 1] === flag ? [arg] : []));
const headers = after('-H').map((header) => header.split(': '));
const [file] = after('--data-binary');
const body = file ? readFileSync(file.slice(1)) : after('-d')[0];
const url = args.find((arg) => arg.startsWith('http'));
fetch(url, { method: after('-X')[0] ?? 'GET', headers, body }).then((answer) => answer.text()).then((text) => process.stdout.write(text));
`;
  writeFileSync(join(folder, 'curl'), source, { mode: 0o755 });
  return folder;
}

describe('a story that is kept', () => {
  const run = promisify(execFile);
  const PATH = [process.env['PATH'], curlStandIn(), dirname(process.execPath)].join(':');
  const paste = async (what: RegExp): Promise<string> => {
    const command = story.document.kept.tries.find((one) => what.test(one.what))?.command ?? 'false';
    return (await run('sh', ['-c', command], { env: { ...process.env, PATH } })).stdout;
  };

  it('takes its own commands: a redelivery, an edit in a console, a signed webhook, a look at the comment', async () => {
    expect(JSON.parse(await paste(/redeliver/))).toMatchObject({ status: 202 });
    expect(JSON.parse(await paste(/edit a value/))).toHaveProperty('id');
    expect(await paste(/read its comment/)).not.toContain('DRIFT_CHANGED');
    await paste(/new delivery id/);
    let comment = '';
    for (let tries = 0; tries < 200 && !comment.includes('DRIFT_CHANGED'); tries++) {
      await setTimeout(50);
      comment = await paste(/read its comment/);
    }
    expect(comment).toContain('DRIFT_CHANGED');
  });

  it('printed one JSON document and nothing else, and ends cleanly at Ctrl-C', async () => {
    const code = await story.interrupt();
    expect(code).toBe(0);
    expect(JSON.parse(story.printed().out)).toEqual(story.document);
    expect(story.printed().err).toBe('');
    await expect(fetch(story.document.kept.control)).rejects.toThrow();
  });
});

describe('the command that tells it', () => {
  const start = (...flags: string[]) => spawnSync(process.execPath, [program, ...flags], { encoding: 'utf8' });

  it('tells steps and a table in plain lines where nobody watches', () => {
    const { status, stdout, stderr } = start('--chapter', 'again');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/1\/2 {2}A pull request opens\n {4}• .+\n {4}→ .+/);
    expect(stdout).toMatch(/together .+\n/);
    expect(stdout).not.toContain('\x1b');
    expect(stdout).not.toContain('"level"');
  });

  it.each([['--jsn'], ['extra'], ['--chapter', 'nowhere']])('refuses %s with exit code 2, and says how it is used', (...flags) => {
    const { status, stdout, stderr } = start(...flags);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^USAGE: .+\n\nnpm start -- \[options\]/);
  });

  it('explains itself', () => {
    const { status, stdout } = start('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--keep');
  });
});
