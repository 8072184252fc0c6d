import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localTiming } from '../../infra/timing.ts';
import { demo } from '../sim/seed.ts';
import { type Caller, caller } from './cli-caller.ts';
import { type CliPackage, packCli } from './cli-package.ts';

const plan = `version: 1
providers:
  neon: { project: ${demo.neonProject} }
  vercel: { project: ${demo.vercelProjectName} }
changes:
  - id: db
    adapter: neon
    op: branch
  - id: vars
    adapter: vercel
    op: env
    environments: [preview]
    values:
      DATABASE_URL: { from: db.connection_string }
      PAYMENT: { secret: env://PAYMENT_DSN }
  - id: callback
    adapter: clerk
    op: redirect_allow
    environments: [preview]
    url: { from: vars.preview_url }
`;

let cli: CliPackage;
let me: Caller;
beforeAll(async () => {
  cli = await packCli(localTiming);
});
afterEach(() => me.remove());

/** A folder with the plan, whose commands run on this process's Node.js. */
function atHome(text = plan): Caller {
  me = caller(cli.main);
  me.plan(text);
  return me;
}

/** What lies in the fake cloud of the folder. */
const cloud = (): string => readFileSync(join(me.folder, '.lockkeeper/sim/cloud.json'), 'utf8');

/** Every file below a folder, as one text. */
function everything(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('a callback on localhost, from a repository without a remote', () => {
  it('is applied and shown as it was written: nothing the embedded stack calls its own is taken for a secret', async () => {
    const url = 'http://localhost:3000/callback';
    const { exit, stdout, document } = await atHome(`version: 1\nchanges: [{ id: callback, adapter: clerk, op: redirect_allow, url: "${url}" }]\n`).json(
      'apply',
      '--sim',
    );
    expect({ exit, document }).toMatchObject({ exit: 0, document: { ok: true, receipt: { status: 'complete' } } });
    expect(stdout).not.toContain('[REDACTED]');
    expect(cloud()).toContain(url);
  });
});

describe('validate', () => {
  it('says of a good plan how many lines run where, and leaves nothing behind', async () => {
    const { exit, stdout } = await atHome().run('validate');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '= release.plan.yaml is valid: preview (3 lines), production (1 line).\n' });
    expect(existsSync(join(me.folder, '.lockkeeper'))).toBe(false);
  });

  it('prints every mistake with file, line, column, code and remedy, and exits with 2', async () => {
    const { exit, stdout } = await atHome(plan.replace('op: branch', 'op: brnch').replace('db.connection_string', 'dp.connection_string')).run('validate');
    expect(exit).toBe(2);
    expect(stdout).toMatch(/^release\.plan\.yaml:8:9 OP_UNKNOWN .*`neon\.brnch`.*\n {4}\S/m);
    expect(stdout).toMatch(/^release\.plan\.yaml:14:\d+ REF_UNKNOWN /m);
    expect(stdout).toMatch(/^2 mistakes in release\.plan\.yaml\.$/m);
  });

  it('answers a program with all of it', async () => {
    const { exit, document } = await atHome(plan.replace('op: branch', 'op: brnch')).json('validate');
    expect(exit).toBe(2);
    expect(document).toMatchObject({
      ok: false,
      command: 'validate',
      error: { code: 'OP_UNKNOWN' },
      problems: [{ code: 'OP_UNKNOWN', at: { line: 8, column: 9 } }],
    });
  });

  it('says that there is no plan', async () => {
    const { exit, stderr } = await atHome().run('validate', '--plan', 'nothing.yaml');
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringMatching(/^error PLAN_MISSING There is no nothing\.yaml\.\n {4}\S/) });
  });
});

describe('a release on the fake cloud', () => {
  it('is planned, applied, left alone when nothing changed, shown, proven and removed', async () => {
    atHome();
    const planned = await me.json('plan', '--sim', '--pr', '7');
    expect(planned).toMatchObject({
      exit: 0,
      document: { ok: true, command: 'plan', environment: 'preview', scope: 'pr-7', requiresApproval: false, lock: null },
    });
    expect(planned.document['planHash']).toMatch(/^[0-9a-f]{64}$/);
    expect(planned.document['lines']).toMatchObject([
      { id: 'db', status: 'create' },
      { id: 'vars', status: 'pending', waitingOn: 'db' },
      { id: 'callback', status: 'pending' },
    ]);
    expect(cloud()).not.toContain('lockkeeper/preview/pr-7');

    const applied = await me.json('apply', '--sim', '--pr', '7');
    expect(applied).toMatchObject({
      exit: 0,
      document: { ok: true, command: 'apply', receipt: { kind: 'apply', status: 'partial', scope: 'pr-7' }, warnings: [] },
    });
    expect(cloud()).toContain('lockkeeper/preview/pr-7');

    const stayed = await me.json('apply', '--sim', '--pr', '7', '--wait', '--wait-timeout', '60');
    expect(stayed).toMatchObject({ exit: 0, document: { ok: true, receipt: { status: 'complete' } } });
    const world = cloud();
    const again = await me.run('apply', '--sim', '--pr', '7');
    expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('Nothing to change in 3 lines. 4 resources managed') });
    expect(cloud()).toBe(world);

    const shown = await me.json('show', '--sim', '--pr', '7');
    expect(shown).toMatchObject({ exit: 0, document: { ok: true, command: 'show', lock: null, openRuns: [], destroyed: null } });
    expect((shown.document['managed'] as { line: string }[]).map(({ line }) => line)).toEqual(['callback', 'db', 'vars', 'vars']);

    const read = await me.json('drift', '--sim', '--pr', '7', '--env', 'preview');
    expect(read).toMatchObject({ exit: 0, document: { ok: true, command: 'drift', drift: 'v1', contract: 1, scope: 'pr-7' } });
    expect(read.document['counts']).toMatchObject({ 'in-sync': 4, drifted: 0, missing: 0, 'not-observed': 0 });
    expect(cloud()).toBe(world);

    const receipt = await me.json('receipt', '--sim', '--pr', '7');
    expect(receipt).toMatchObject({ exit: 0, document: { ok: true, command: 'receipt', receipt: { status: 'complete', managed: 4 }, chain: { holds: true } } });

    const listed = await me.json('runs', '--sim');
    const runs = listed.document['runs'] as { run: string; kind: string; status: string }[];
    expect(listed).toMatchObject({ exit: 0, document: { ok: true, command: 'runs' } });
    expect(runs.map(({ kind }) => kind)).toEqual([...Array(runs.length - 1).fill('apply'), 'plan']);
    expect(await me.json('receipt', (runs.at(-1)?.run ?? '').slice(0, 10), '--sim')).toMatchObject({ exit: 0, document: { receipt: { kind: 'plan' } } });

    const log = await me.json('log', runs[0]?.run ?? '', '--sim');
    expect(log).toMatchObject({ exit: 0, document: { ok: true, command: 'log', events: [{ event: 'prepared' }, { event: 'settled', detail: 'complete' }] } });

    const destroyed = await me.json('destroy', '--sim', '--pr', '7');
    expect(destroyed).toMatchObject({ exit: 0, document: { ok: true, command: 'destroy', receipt: { kind: 'destroy', status: 'complete', managed: 0 } } });
    expect(cloud()).not.toContain('lockkeeper/preview/pr-7');
    expect(await me.json('show', '--sim', '--pr', '7')).toMatchObject({ document: { managed: [], destroyed: expect.any(String) } });
  });

  it('keeps every secret out of stdout, stderr and the state folder, that of the fake cloud included', async () => {
    atHome();
    const canary = 'canary-dsn-9d3f7a1c5e';
    me.environment['PAYMENT_DSN'] = canary;
    me.environment['OTHER_TOKEN'] = 'canary-token-5b1d8e2f6a';
    me.environment['LOCKKEEPER_DEBUG'] = '1';
    const ends = [
      await me.run('plan', '--sim'),
      await me.run('apply', '--sim'),
      await me.run('receipt', '--sim', '--json'),
      await me.run('show', '--sim'),
      await me.run('drift', '--sim', '--env', 'preview', '--stream'),
    ];
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 0, 0, 0]);
    const echoed = [await me.run('apply', '--canary-token-5b1d8e2f6a'), await me.run('log', 'canary-token-5b1d8e2f6a', '--sim', '--json')];
    expect(echoed.map(({ stdout, stderr }) => stdout + stderr)).toEqual([expect.stringContaining('[REDACTED]'), expect.stringContaining('[REDACTED]')]);
    const said = [...ends, ...echoed].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(said).not.toMatch(/canary-dsn|canary-token/);
    expect(cloud()).toContain('simulated-payment_dsn');
    expect(everything(join(me.folder, '.lockkeeper'))).not.toContain(canary);
  });

  it('says of a plan for production that apply will ask', async () => {
    atHome();
    expect(await me.json('plan', '--sim', '--env', 'production')).toMatchObject({ exit: 0, document: { ok: true, requiresApproval: true } });
    expect((await me.run('plan', '--sim', '--env', 'production')).stdout).toContain('apply plans it anew, and asks for an approval');
  });

  it('needs no git repository when branch and commit are given', async () => {
    atHome();
    rmSync(join(me.folder, '.git'), { recursive: true });
    expect(await me.json('plan', '--sim')).toMatchObject({ exit: 2, document: { ok: false, command: 'plan', error: { code: 'CTX_NULL' } } });
    expect(await me.json('runs', '--sim')).toMatchObject({ exit: 0, document: { ok: true, runs: [], questions: [] } });
    expect((await me.run('destroy', '--sim')).stderr).toContain('It is not known which scope is meant');
    expect(await me.json('plan', '--sim', '--branch', 'x', '--sha', 'a'.repeat(40))).toMatchObject({ exit: 0, document: { ok: true, scope: 'branch-x' } });
  });
});

describe('what is typed wrong', () => {
  it('is USAGE with the nearest command or flag, exit 2, and nothing is started', async () => {
    atHome();
    expect(await me.run('aply')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining("USAGE Unknown command 'aply' (did you mean `apply`?)."),
    });
    expect(await me.json('apply', '--recncile')).toMatchObject({ exit: 2, document: { ok: false, command: 'apply', error: { code: 'USAGE' } } });
    expect(await me.json('--nothing')).toMatchObject({ exit: 2, document: { ok: false, command: null, error: { code: 'USAGE' } } });
    expect(await me.json('log', '0000', '--sim')).toMatchObject({ exit: 2, document: { ok: false, command: 'log', error: { code: 'NOT_FOUND' } } });
    expect(await me.json('receipt', '--sim', '--pr', '99')).toMatchObject({
      exit: 2,
      document: { ok: false, command: 'receipt', error: { code: 'NOT_FOUND' } },
    });
  });

  it('is helped with: every command explains itself', async () => {
    atHome();
    expect(await me.run('--version')).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    for (const command of ['validate', 'plan', 'apply', 'destroy', 'show', 'receipt', 'runs', 'log']) {
      expect(await me.run(command, '--help')).toMatchObject({ exit: 0, stdout: expect.stringContaining(`Usage: lockkeeper ${command}`), stderr: '' });
    }
  });
});
