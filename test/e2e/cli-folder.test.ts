/** Against providers: what happens to a state folder when commands meet in it, are stopped, or die. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shortTiming } from '../../infra/timing.ts';
import { demo } from '../sim/seed.ts';
import { type Sim, startSim } from '../sim/sim.ts';
import { type Caller, caller } from './cli-caller.ts';
import { type CliPackage, packCli } from './cli-package.ts';

const plan = `version: 1
providers: { neon: { project: ${demo.neonProject} } }
changes:
  - { id: db, adapter: neon, op: branch }
  - { id: callback, adapter: clerk, op: redirect_allow, depends_on: [db], url: "https://\${ctx.scope}.example.test/callback" }
`;

let cli: CliPackage;
let sim: Sim;
let me: Caller;
beforeAll(async () => {
  cli = await packCli(shortTiming);
});
beforeEach(async () => {
  sim = await startSim();
  me = caller(cli.main);
  me.plan(plan);
  const { neon, vercel, clerk } = sim.urls;
  const credentials = { NEON_API_KEY: 'canary-neon-key', VERCEL_TOKEN: 'canary-vercel-token', CLERK_SECRET_KEY: 'canary-clerk-key' };
  Object.assign(me.environment, { NEON_API_URL: neon, VERCEL_API_URL: vercel, CLERK_API_URL: clerk, ...credentials });
});
afterEach(async () => {
  me.remove();
  await sim.stop();
});

const state = (): string => join(me.folder, '.lockkeeper');
const branches = (): string[] => sim.state().neon.projects.flatMap((project) => project.branches.map(({ name }) => name));
const redirects = (): string[] => sim.state().clerk.redirects.map(({ url }) => url);
const slow = (provider: 'neon' | 'clerk', on: string, latencyMs: number) => sim.control.rule({ provider, on, latencyMs, times: 1000 });

/** Every file below a folder, as one text. */
function everything(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('two commands in one folder', () => {
  it('run on one stack: the second is told whose, and the first stays until it is done', async () => {
    slow('neon', 'GET /projects/*/branches', 400);
    const first = me.start('apply', '--pr', '1');
    await first.says(/Applying/);
    const second = await me.json('apply', '--pr', '2');
    expect(second).toMatchObject({ exit: 0, document: { ok: true, receipt: { scope: 'pr-2', status: 'complete' } } });
    expect(second.stderr).toMatch(/`lockkeeper apply` \(process \d+\) runs the stack of this folder: .*with the credentials of that process/);
    expect(await first.ended).toMatchObject({ exit: 0, signal: null });
    expect(branches()).toEqual(['main', 'lockkeeper/preview/pr-1', 'lockkeeper/preview/pr-2']);
  });

  it('the second in the same scope is refused with who holds it until when, exit 3', async () => {
    sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', latencyMs: 1_200 });
    const first = me.start('apply', '--pr', '1');
    await first.says(/Applying/);
    const second = await me.json('apply', '--pr', '1');
    expect(second).toMatchObject({
      exit: 3,
      document: { ok: false, command: 'apply', error: { code: 'LOCK_HELD', holder: expect.any(String), until: expect.any(String) } },
    });
    expect((await me.json('plan', '--pr', '1')).exit).toBe(0);
    expect((await first.ended).exit).toBe(0);
    expect((await me.json('apply', '--pr', '1')).document).toMatchObject({ ok: true, receipt: { status: 'complete' } });
  });

  it('reading goes on beside a command at work', async () => {
    sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', latencyMs: 1_200 });
    const first = me.start('apply', '--pr', '1');
    await first.says(/Applying/);
    expect(await me.json('show', '--pr', '1')).toMatchObject({
      exit: 0,
      document: { lock: { holder: expect.any(String) }, openRuns: [{ phase: 'applying' }] },
    });
    expect((await me.json('runs')).document['runs']).toHaveLength(1);
    expect((await first.ended).exit).toBe(0);
  });

  it('a command whose holder is killed takes the folder over and finishes both runs', async () => {
    slow('clerk', 'GET /redirect_urls', 500);
    const first = me.start('apply', '--pr', '1');
    await first.says(/Applying/);
    const second = me.start('apply', '--pr', '2');
    await second.says(/runs the stack of this folder/);
    await second.says(/Applying/);
    first.child.kill('SIGKILL');
    expect(await second.ended).toMatchObject({ exit: 0, stderr: expect.stringContaining('this one takes it over') });
    expect(redirects()).toContain('https://pr-2.example.test/callback');
    expect((await me.json('apply', '--pr', '1')).document).toMatchObject({ ok: true, receipt: { status: 'complete' } });
    expect(branches().sort()).toEqual(['lockkeeper/preview/pr-1', 'lockkeeper/preview/pr-2', 'main']);
  });
});

describe('a command that ends in the middle of an apply', () => {
  it('killed after the provider created and before it answered: the next one finishes, with one branch', async () => {
    const first = me.start('apply', '--pr', '1');
    sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', kill: first.child.pid as number });
    expect((await first.ended).signal).toBe('SIGKILL');
    expect(branches()).toEqual(['main', 'lockkeeper/preview/pr-1']);

    const next = await me.json('apply', '--pr', '1');
    expect(next).toMatchObject({ exit: 0, document: { ok: true, receipt: { status: 'complete', managed: 2 } } });
    expect(next.stderr).toMatch(/Run [0-9a-f]{12} \(apply of preview, pr-1\) was interrupted: it is finished first\./);
    expect(branches()).toEqual(['main', 'lockkeeper/preview/pr-1']);
    expect((await me.json('runs')).document['runs']).toMatchObject([{ status: 'complete' }, { status: 'complete' }]);
    expect((await me.json('receipt', '--pr', '1')).document).toMatchObject({ chain: { links: 2, holds: true } });
  });

  it('stopped with Ctrl-C: says what stays, exits with 130, and the next one finishes', async () => {
    slow('neon', 'GET /projects/*/branches', 500);
    const first = me.start('apply', '--pr', '1');
    await first.says(/Applying/);
    first.child.kill('SIGINT');
    expect(await first.ended).toMatchObject({ exit: 130, stdout: '', stderr: expect.stringMatching(/Stopped; run [0-9a-f]{32} stays where it is\./) });
    sim.control.clear();
    expect((await me.json('apply', '--pr', '1')).document).toMatchObject({ ok: true, receipt: { status: 'complete', managed: 2 } });
  });

  it('a second Ctrl-C ends it at once', async () => {
    sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', hang: true });
    const first = me.start('apply', '--pr', '1');
    await first.says(/Applying/);
    first.child.kill('SIGINT');
    await first.says(/Press Ctrl-C again/);
    const pressing = setInterval(() => first.child.kill('SIGINT'), 50);
    const { exit, stderr } = await first.ended.finally(() => clearInterval(pressing));
    expect(exit).toBe(130);
    expect(stderr).not.toContain('stays where it is');
  });

  it('answers a program that it was stopped, in one document', async () => {
    slow('neon', 'GET /projects/*/branches', 500);
    const first = me.start('apply', '--pr', '1', '--json');
    await first.says(/Applying/);
    first.child.kill('SIGTERM');
    const { exit, stdout } = await first.ended;
    expect({ exit, document: JSON.parse(stdout) }).toMatchObject({ exit: 130, document: { ok: false, command: 'apply', error: { code: 'INTERRUPTED' } } });
  });
});

describe('a state folder', () => {
  it('is its owner’s alone, ignored by git, and says in one lock file who has it', async () => {
    sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', latencyMs: 800 });
    const first = me.start('apply', '--pr', '1');
    await first.says(/Applying/);
    expect(readFileSync(join(state(), '.gitignore'), 'utf8')).toBe('*\n');
    expect(me.git('status', '--porcelain')).not.toContain('.lockkeeper');
    const locks = readdirSync(state()).filter((name) => name.startsWith('lock.'));
    expect(JSON.parse(readFileSync(join(state(), locks[0] ?? ''), 'utf8'))).toMatchObject({
      pid: first.child.pid,
      port: expect.any(Number),
      command: 'lockkeeper apply',
    });
    expect(locks).toHaveLength(1);
    await first.ended;
  });

  it('whose holder is long dead is taken without a word', async () => {
    await me.run('plan', '--pr', '1');
    const [lock = ''] = readdirSync(state()).filter((name) => name.startsWith('lock.'));
    const record = JSON.parse(readFileSync(join(state(), lock), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(state(), lock), JSON.stringify({ ...record, released: false, processStart: 'another boot:1' }));
    expect((await me.json('apply', '--pr', '1')).document).toMatchObject({ ok: true });
  });

  it('of the fake cloud lies apart from the real one', async () => {
    await me.run('apply', '--pr', '1');
    expect((await me.json('show', '--pr', '1', '--sim')).document).toMatchObject({ managed: [] });
    expect((await me.json('show', '--pr', '1')).document['managed']).toHaveLength(2);
    expect(existsSync(join(state(), 'sim')), 'a command that only reads makes no state').toBe(false);
    await me.run('plan', '--pr', '1', '--sim');
    expect(existsSync(join(state(), 'sim'))).toBe(true);
  });

  it('can lie elsewhere, and cannot be a file', async () => {
    writeFileSync(join(me.folder, 'taken'), '');
    expect(await me.json('apply', '--pr', '1', '--state-dir', 'taken')).toMatchObject({ exit: 2, document: { ok: false, error: { code: 'STATE_FOLDER' } } });
    expect((await me.json('apply', '--pr', '1', '--state-dir', 'elsewhere')).exit).toBe(0);
    expect(existsSync(state())).toBe(false);
  });
});

describe('a run', () => {
  it('takes secrets and credentials to the provider and leaves them nowhere else', async () => {
    const canary = 'canary-dsn-3c5e7f9a1b';
    const connection = 'npg_';
    me.environment['PAYMENT_DSN'] = canary;
    me.environment['LOCKKEEPER_DEBUG'] = '1';
    const vars =
      '  - { id: vars, adapter: vercel, op: env, values: { PAYMENT: { secret: env://PAYMENT_DSN }, DATABASE_URL: { from: db.connection_string } } }\n';
    me.plan(plan.replace('} }\n', `}, vercel: { project: ${demo.vercelProject} } }\n`) + vars);
    const ends = [
      await me.run('plan', '--pr', '1'),
      await me.run('apply', '--pr', '1'),
      await me.run('receipt', '--pr', '1', '--json'),
      await me.run('destroy', '--pr', '1'),
    ];
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    const sent = sim
      .requests({ provider: 'vercel' })
      .map(({ body }) => body)
      .join('');
    expect(sent).toContain(canary);
    expect(sent).toContain(connection);
    const kept = ends.map(({ stdout, stderr }) => stdout + stderr).join('') + everything(state());
    expect(kept).toContain('lockkeeper/preview/pr-1');
    expect(kept).not.toMatch(/canary-|npg_/);
  });

  it('works on one line at a time when asked to', async () => {
    const wide = Array.from({ length: 6 }, (_, n) => `  - { id: c${n}, adapter: clerk, op: redirect_allow, url: "https://c${n}.example.test/" }`);
    me.plan(`version: 1\nchanges:\n${wide.join('\n')}\n`);
    slow('clerk', '* /redirect_urls', 30);
    expect((await me.run('apply', '--pr', '1', '--concurrency', '1')).exit).toBe(0);
    // A second line at work would mix its requests with those of the first.
    const asked = sim.requests({ provider: 'clerk' }).flatMap(({ path, method }) => (path === '/redirect_urls' ? [method] : []));
    const ofOneLine = asked.slice(0, asked.length / 6);
    expect(ofOneLine).toContain('POST');
    expect(asked).toEqual(Array.from({ length: 6 }, () => ofOneLine).flat());
  });

  it('rolls back what a failed run created, and exits with 1', async () => {
    sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', times: 10, fail: { status: 422 } });
    const failed = await me.json('apply', '--pr', '1');
    expect(failed).toMatchObject({ exit: 1, document: { ok: false, command: 'apply', error: { code: expect.stringMatching(/^PROVIDER_/) } } });
    expect(failed.document['receipt']).toMatchObject({
      status: 'failed',
      lines: [
        { id: 'db', status: 'rolled_back' },
        { id: 'callback', status: 'failed' },
      ],
    });
    expect(branches()).toEqual(['main']);
  });

  it('names the variable of a credential that is missing', async () => {
    delete me.environment['NEON_API_KEY'];
    const failed = await me.json('apply', '--pr', '1');
    expect(failed).toMatchObject({ exit: 1, document: { error: { code: 'PROVIDER_AUTH', message: expect.stringContaining('NEON_API_KEY') } } });
    expect(failed.stdout + failed.stderr).not.toContain('canary');
  });

  it('tells that a newer commit is applied already, and leaves it', async () => {
    await me.run('apply', '--branch', 'b');
    const old = me.git('rev-parse', 'HEAD');
    me.git('-c', 'user.name=A', '-c', 'user.email=a@example.test', 'commit', '--quiet', '--allow-empty', '--message', 'second');
    expect((await me.json('apply', '--branch', 'b')).exit).toBe(0);
    expect(await me.json('apply', '--branch', 'b', '--sha', old.slice(0, 10))).toMatchObject({ exit: 0, document: { ok: true, receipt: { status: 'stale' } } });
  });
});
