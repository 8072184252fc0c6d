/** The launcher: which Node.js it finds, what it hands on, and that what npm packs is all that is needed. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shortTiming } from '../../infra/timing.ts';
import { demo } from '../sim/seed.ts';
import { type Caller, caller } from './cli-caller.ts';
import { type CliPackage, packCli } from './cli-package.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const plan = `version: 1\nproviders: { neon: { project: ${demo.neonProject} } }\nchanges:\n  - { id: db, adapter: neon, op: branch }\n`;

let cli: CliPackage;
const left: { remove(): void }[] = [];
beforeAll(async () => {
  cli = await packCli(shortTiming);
});
afterEach(() => {
  for (const one of left.splice(0)) one.remove();
});

function at(launcher: string, node?: string): Caller {
  const me = caller(launcher, node);
  left.push(me);
  me.plan(plan);
  return me;
}

/** Makes a Node.js say that it is of another version. */
const pretend = (version: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(`if(process.argv[1]?.endsWith('lockkeeper.mjs'))Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`)}`;

/** The package without node_modules beside or above it. */
function alone(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lockkeeper-alone-')));
  left.push({ remove: () => rmSync(folder, { recursive: true, force: true }) });
  const from = join(dirname(cli.launcher), '..', '..');
  for (const name of ['package.json', 'functions', 'dist']) cpSync(join(from, name), join(folder, name), { recursive: true });
  return join(folder, 'functions/cli/lockkeeper.mjs');
}

/** Puts a program where npm puts the packaged Node.js. */
function packagedNode(launcher: string, script: string): void {
  const bin = join(dirname(launcher), '../../node_modules', `node-linux-${process.arch}`, 'bin');
  mkdirSync(bin, { recursive: true });
  const answersVersion = script.startsWith('exit') ? '' : '[ "$1" = --version ] && exit 0\n';
  writeFileSync(join(bin, 'node'), `#!/bin/sh\n${answersVersion}${script}\n`, { mode: 0o755 });
}

/** A Node.js of the host, which may be older than what is needed; this process's own where there is no other. */
const hostNodes = [...new Set(['/usr/local/bin/node', '/usr/bin/node', process.execPath].filter((path) => existsSync(path)))];

describe('the launcher', () => {
  it.each(hostNodes)('runs the command on %s, whatever its version, and passes streams and exit code on', async (node) => {
    const me = at(cli.launcher, node);
    expect(await me.run('validate')).toMatchObject({ exit: 0, stdout: expect.stringContaining('is valid'), stderr: '' });
    expect(await me.run('aply')).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('USAGE') });
    expect(await me.json('apply', '--sim')).toMatchObject({ exit: 0, document: { ok: true, receipt: { status: 'complete' } } });
  });

  it.each(['18.20.0', '20.20.2', '22.18.0'])('on Node.js %s takes the packaged one, in whichever node_modules above it', async (version) => {
    const launcher = alone();
    packagedNode(launcher, 'echo "packaged: $*"');
    const me = at(launcher);
    me.environment['NODE_OPTIONS'] = pretend(version);
    expect((await me.run('validate', '--json')).stdout).toMatch(/^packaged: .*\/dist\/cli\/main\.mjs validate --json\n$/);
  });

  it('takes the host’s where the packaged one cannot run there', async () => {
    const launcher = alone();
    packagedNode(launcher, 'exit 127');
    const me = at(launcher);
    me.environment['NODE_OPTIONS'] = pretend('22.18.0');
    expect(await me.run('validate')).toMatchObject({ exit: 0, stdout: expect.stringContaining('is valid') });
  });

  it('without a packaged one says on an old Node.js what to install', async () => {
    const me = at(alone());
    me.environment['NODE_OPTIONS'] = pretend('20.20.2');
    expect(await me.run('validate')).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: expect.stringContaining('needs Node.js 22.18 or newer, and this is 20.20.2'),
    });
  });

  it.each(['22.18.0', '24.1.0'])('without a packaged one runs on the host’s Node.js %s', async (version) => {
    const me = at(alone());
    me.environment['NODE_OPTIONS'] = pretend(version);
    expect(await me.run('validate')).toMatchObject({ exit: 0, stdout: expect.stringContaining('is valid') });
  });

  it('hands Ctrl-C on, once for each press, and ends as the command ends', async () => {
    const me = at(cli.launcher);
    me.environment['NODE_OPTIONS'] = pretend('20.20.2');
    const running = me.start('apply', '--sim');
    await running.says(/Starting/);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ exit: 130, signal: null, stderr: expect.stringContaining('Stopping.') });
  });
});

describe('what npm packs', () => {
  it('runs from another folder after its installation, with nothing of the checkout', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-packed-'));
    left.push({ remove: () => rmSync(folder, { recursive: true, force: true }) });
    await run('npm', ['pack', '--pack-destination', folder], { cwd: root });
    const [tarball = ''] = readdirSync(folder);
    const packed = execFileSync('tar', ['-tzf', join(folder, tarball)], { encoding: 'utf8' }).split('\n');
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, string | Record<string, string>> };
    const exported = Object.values(exports)
      .flatMap((way) => (typeof way === 'string' ? [way] : Object.values(way)))
      .map((path) => path.slice(2));
    expect(packed).toEqual(
      expect.arrayContaining([...exported, 'dist/cli/main.mjs', 'dist/cli/data-plane-thread.mjs', 'dist/template.json'].map((name) => `package/${name}`)),
    );
    const types = 'package/dist/adapter/types/';
    expect(packed.filter((name) => !name.startsWith(types) && /\.ts$|\.test\.|(^|\/)test\//.test(name))).toEqual([]);
    expect(packed.filter((name) => name.startsWith(types) && !name.endsWith('.d.ts'))).toEqual([]);

    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, tarball)], { cwd: other });
    const me = at(join(other, 'node_modules/.bin/lockkeeper'), hostNodes[0]);
    expect(await me.run('validate')).toMatchObject({ exit: 0, stderr: '' });
    expect(await me.json('apply', '--sim')).toMatchObject({ exit: 0, document: { ok: true, receipt: { status: 'complete', managed: 1 } } });
  }, 240_000);
});

describe('a checkout', () => {
  /** A checkout whose build leaves a command line that says how often it was built. */
  function checkout(): { launcher: string; folder: string } {
    const launcher = alone();
    const folder = join(dirname(launcher), '..', '..');
    rmSync(join(folder, 'dist'), { recursive: true });
    for (const name of ['infra', 'shared']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'shared/one.ts'), '');
    const build = `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
      mkdirSync('dist/cli', { recursive: true });
      appendFileSync('builds', '+');
      writeFileSync('dist/cli/main.mjs', 'console.log(' + readFileSync('builds', 'utf8').length + ')');`;
    writeFileSync(join(folder, 'infra/build.ts'), build);
    return { launcher, folder };
  }

  it('is built at first, and again when a source is changed or gone, and not otherwise', async () => {
    const { launcher, folder } = checkout();
    const me = at(launcher);
    const built = async () => (await me.run('validate')).stdout.trim();
    expect([await built(), await built()]).toEqual(['1', '1']);
    writeFileSync(join(folder, 'shared/one.ts'), 'changed');
    expect([await built(), await built()]).toEqual(['2', '2']);
    rmSync(join(folder, 'shared/one.ts'));
    expect([await built(), await built()]).toEqual(['3', '3']);
  });

  it('that cannot be built runs nothing', async () => {
    const { launcher, folder } = checkout();
    writeFileSync(join(folder, 'infra/build.ts'), "console.error('broken'); process.exit(7);");
    expect(await at(launcher).run('validate')).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining('broken') });
  });
});
