import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockkeeperError } from '../../../shared/errors/error.ts';
import type { DriftItem } from '../../../shared/run/report.ts';
import { painter } from '../../../shared/surfaces/paint.ts';
import type { Answer } from '../answer.ts';
import { parseCommandLine } from '../command-line.ts';
import type { Invocation } from '../invocation.ts';
import { initCommand } from './init.ts';
import { validate } from './validate.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'lockkeeper-init-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
};
const read = (path = 'release.plan.yaml') => readFileSync(join(cwd, path), 'utf8');
const files = () => readdirSync(cwd).sort();
const said = (answer: Answer): string => answer.text({ paint: painter(false), colour: false, width: 100 });

function typed(...flags: string[]): Invocation {
  const parsed = parseCommandLine(['init', ...flags], '1');
  if ('text' in parsed) throw new Error(parsed.text);
  return parsed.invocation;
}

const noLook = (): never => {
  throw new Error('nothing was to be planned');
};
const start = (...flags: string[]) => initCommand(typed(...flags), { cwd }, noLook);

const drift = (key: string, label: string, adapter = 'vercel', op = 'env'): DriftItem => ({
  kind: 'unmanaged',
  adapter,
  op,
  line: 'env',
  resource: { key, label, id: `id of ${label}` },
  message: '',
});
const found = [drift('env:preview:*:API', 'API'), drift('env:preview:feat:ONE', 'ONE'), drift('env:preview:*:OTHER', 'OTHER')];

/** A look at a world in which this lies about. */
const seeing =
  (drift: readonly DriftItem[], rest: object = {}, meanwhile = () => {}) =>
  async (): Promise<Answer> => {
    meanwhile();
    return { exit: 0, document: { environment: 'preview', lines: [], drift, ...rest }, text: () => '' };
  };
const adopting = (look: ReturnType<typeof seeing>, ...flags: string[]) => initCommand(typed(...flags), { cwd }, look);

const plan = `version: 1
providers: { vercel: { project: p }, neon: { project: n } }
changes:
  - { id: env, adapter: vercel, op: env, values: { HERE: x } }
`;

describe('init without a plan file', () => {
  it('writes one that validate accepts for what the files show, and says what it saw', async () => {
    write('package.json', JSON.stringify({ dependencies: { '@neondatabase/serverless': '1', '@clerk/nextjs': '6' }, devDependencies: { vercel: '40' } }));
    write('.vercel/project.json', JSON.stringify({ projectId: 'prj_abc', orgId: 'team_x' }));
    write('.neon', JSON.stringify({ projectId: 'calm-river-1' }));
    const answer = await start();
    expect(answer).toMatchObject({
      exit: 0,
      document: {
        created: true,
        path: 'release.plan.yaml',
        detected: { todo: [], assumed: false, found: [{ id: 'neon' }, { id: 'vercel' }, { id: 'clerk' }] },
        added: [],
      },
    });
    for (const part of ['project: calm-river-1', 'project: prj_abc', 'team: team_x', 'db.connection_string', '${lines.env.branch_url}/sso-callback'])
      expect(read()).toContain(part);
    expect(validate(typed(), { cwd })).toMatchObject({ exit: 0, document: { warnings: [] } });
    expect(said(answer)).toContain('= Neon: package.json: @neondatabase/serverless, .neon');
  });

  it.each([
    ['nothing at all', {}, true, ['neon', 'vercel']],
    ['Vercel alone', { 'vercel.json': '{}' }, false, ['vercel']],
    ['Neon alone', { '.env.local': 'NEON_API_KEY=1\n' }, false, ['neon']],
    ['Clerk alone', { 'package.json': '{"dependencies":{"@clerk/nextjs":"6"}}' }, false, ['vercel', 'clerk']],
    ['files that are broken', { 'package.json': '{', '.vercel/project.json': '[]', '.neon': '' }, false, ['neon', 'vercel']],
  ])('%s: the plan is valid, and says what to fill in', async (_, there, assumed, adapters) => {
    for (const [path, text] of Object.entries(there)) write(path, text);
    const answer = await start();
    const { detected } = answer.document as { detected: { assumed: boolean; todo: { path: string; placeholder: string }[] } };
    expect(detected.assumed).toBe(assumed);
    expect(validate(typed(), { cwd })).toMatchObject({ exit: 0, document: { warnings: [] } });
    expect([...read().matchAll(/^ {4}adapter: (\w+)$/gm)].map(([, adapter]) => adapter)).toEqual(adapters);
    expect(detected.todo.length).toBeGreaterThan(0);
    for (const { path, placeholder } of detected.todo) {
      expect(read()).toContain(`project: ${placeholder}`);
      expect(said(answer)).toContain(`Fill in ${path} (${placeholder})`);
    }
  });

  it('names variables of an example file, and carries no value of any file (I1)', async () => {
    write(
      '.env.example',
      'STRIPE_SECRET_KEY=sk_live_51HcanaryCanary\nPEM="-----BEGIN\nAAAACANARY=\n-----"\nexport NODE_ENV=test\nDATABASE_URL=postgres://a:canarypassword@h/d\n',
    );
    write('.env', 'CLERK_SECRET_KEY=sk_test_canary\nVERCEL_PROJECT_ID=prj_canary\nMIICANARY=\n');
    const answer = await start();
    expect(read()).toContain('# STRIPE_SECRET_KEY: { secret: env://STRIPE_SECRET_KEY }');
    expect(answer.document).toMatchObject({ detected: { found: [{ id: 'vercel' }, { id: 'clerk' }] } });
    expect(`${read()}${said(answer)}${JSON.stringify(answer.document)}`).not.toMatch(/canary|sk_live|sk_test|NODE_ENV/i);
  });

  it('says what it has no op for', async () => {
    write('netlify.toml', '');
    expect(said(await start())).toContain('? Netlify: netlify.toml. There is no op of this provider: `http.resource`');
  });

  it('prints it, and writes nothing, with --dry-run', async () => {
    const answer = await start('--dry-run');
    expect(files()).toEqual([]);
    expect(answer.document).toMatchObject({ created: false, dryRun: true, text: expect.stringContaining('version: 1') });
    expect(said(answer)).toContain('changes:');
  });

  it('takes no --adopt: there is nothing to add lines to', async () => {
    await expect(start('--adopt', 'x')).rejects.toThrow(/no release\.plan\.yaml/);
    expect(files()).toEqual([]);
  });

  it('has git ignore the state folder, once, and leaves what the file says', async () => {
    write('.gitignore', 'node_modules');
    expect((await start()).document).toMatchObject({ ignored: '.lockkeeper/' });
    expect(read('.gitignore')).toBe('node_modules\n.lockkeeper/\n');
    rmSync(join(cwd, 'release.plan.yaml'));
    expect((await start()).document).not.toHaveProperty('ignored');
    expect(read('.gitignore')).toBe('node_modules\n.lockkeeper/\n');
  });
});

describe('init with a plan file', () => {
  beforeEach(() => write('release.plan.yaml', plan));

  it('adds lines that keep what no plan manages, in this environment, under ids that are free, and leaves every byte (R0.3)', async () => {
    const answer = await adopting(seeing([...found, drift('branch:Feat/X', 'Neon branch Feat/X', 'neon', 'branch')]));
    expect(answer.document).toMatchObject({
      created: false,
      detected: null,
      added: [
        { id: 'env-preview', adapter: 'vercel', op: 'env', keys: ['env:preview:*:API', 'env:preview:*:OTHER'] },
        { id: 'env-preview-feat', keys: ['env:preview:feat:ONE'] },
        { id: 'branch-feat-x', keys: ['branch:Feat/X'] },
      ],
    });
    expect(read().slice(0, plan.length)).toBe(plan);
    expect(read().slice(plan.length)).toBe(`  # Found by \`lockkeeper init\`, and kept as it is.
  - id: env-preview
    adapter: vercel
    op: env
    environments: [preview]
    target: preview
    branch: "*"
    values:
      API: { keep: true }
      OTHER: { keep: true }
  - id: env-preview-feat
    adapter: vercel
    op: env
    environments: [preview]
    target: preview
    branch: feat
    values:
      ONE: { keep: true }
  - id: branch-feat-x
    adapter: neon
    op: branch
    environments: [preview]
    name: Feat/X
`);
    expect(validate(typed(), { cwd })).toMatchObject({ exit: 0 });
  });

  it('adds nothing twice that another line of the plan wants, or two lines see', async () => {
    const lines = [{ id: 'env', adapter: 'vercel', op: 'env', status: 'create', changes: [{ key: 'env:preview:*:API' }] }];
    const answer = await adopting(seeing([...found, ...found], { lines }));
    expect(answer.document['added']).toMatchObject([{ keys: ['env:preview:feat:ONE'] }, { keys: ['env:preview:*:OTHER'] }]);
  });

  it('gives an id that is taken a number', async () => {
    write('release.plan.yaml', plan.replace('id: env,', 'id: env-preview,'));
    expect((await adopting(seeing(found.slice(0, 1)))).document['added']).toMatchObject([{ id: 'env-preview-2' }]);
  });

  it.each(['env:preview:*:API', 'API', 'id of API'])('takes %s alone when it is named', async (name) => {
    expect((await adopting(seeing(found), '--adopt', name)).document['added']).toMatchObject([{ keys: ['env:preview:*:API'] }]);
  });

  it('refuses a name that nothing has, and lists what there is', async () => {
    const refused = adopting(seeing(found), '--adopt', 'ONE', '--adopt', 'NOTHING');
    await expect(refused).rejects.toMatchObject({
      problem: { code: 'USAGE', message: 'Nothing unmanaged is called NOTHING.', hint: expect.stringContaining('env:preview:*:OTHER') },
    });
    expect(read()).toBe(plan);
  });

  it('shows the lines, and writes nothing, with --dry-run', async () => {
    const answer = await adopting(seeing(found), '--dry-run');
    expect([read(), files()]).toEqual([plan, ['release.plan.yaml']]);
    expect(answer.document).toMatchObject({ dryRun: true, text: expect.stringContaining('API: { keep: true }') });
  });

  it('leaves a file alone that was edited while it was planned', async () => {
    const edited = `${plan}# mine\n`;
    await expect(adopting(seeing(found, {}, () => write('release.plan.yaml', edited)))).rejects.toThrow(/was edited while/);
    expect([read(), files()]).toEqual([edited, ['release.plan.yaml']]);
  });

  it('names what no line can hold: an op that keeps nothing, a name the plan would fill in, a name that is masked', async () => {
    const answer = await adopting(
      seeing([
        drift('x#y=z', 'an item', 'http', 'list_item'),
        drift('branch:${ctx.sha}', 'odd', 'neon', 'branch'),
        drift('branch:[REDACTED]', 'masked', 'neon', 'branch'),
      ]),
    );
    expect(answer.document).toMatchObject({
      added: [],
      warnings: ['an item', 'odd', 'masked'].map((label) => ({ message: expect.stringContaining(label) })),
    });
    expect(read()).toBe(plan);
  });

  it('passes on a plan that could not be made', async () => {
    const failed: Answer = { exit: 3, problem: { code: 'LOCK_HELD', message: 'held' }, document: {}, text: () => 'held' };
    expect(await adopting(async () => failed)).toMatchObject({ exit: 3, problem: { code: 'LOCK_HELD' } });
  });

  it('stops at a plan file with a mistake before anything is looked at', async () => {
    write('release.plan.yaml', plan.replace('op: env', 'op: envy'));
    await expect(initCommand(typed(), { cwd }, noLook)).rejects.toBeInstanceOf(LockkeeperError);
  });
});
