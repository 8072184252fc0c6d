import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareChanges } from '../../../shared/stacks/compare-changes.ts';
import type { StackPlan, Tool, ToolFailure, ToolOutcome, ToolWork } from '../../../shared/stacks/tool-work.ts';
import { openStage, type Stage, workOn } from '../stage.fixture.ts';

/** The tools that are on this machine: the scenarios run with each of them. What none of them can is played by the recorded tool. */
const there = (['terraform', 'tofu'] as const).filter((tool) => {
  try {
    return execFileSync(tool, ['version', '-json'], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
  } catch {
    return false;
  }
});
console.log(
  there.length === 0
    ? 'Neither terraform nor tofu is on this machine: the recorded tool alone is run.'
    : `Scenarios of stacks run with the real ${there.join(' and ')}.`,
);

/** One stack on a stage, whose state lies beside the jobs. */
function stackOf(tool: Tool, options: Parameters<typeof openStage>[0] = {}) {
  const stage = openStage(options);
  const state = join(stage.folder, 'terraform.tfstate');
  const backend = `terraform {\n  backend "local" {\n    path = "${state}"\n    workspace_dir = "${join(stage.folder, 'workspaces')}"\n  }\n}\n`;

  const work = async (main: string, more: Partial<ToolWork> = {}, files: Readonly<Record<string, string>> = {}): Promise<ToolWork> =>
    workOn(await stage.source({ 'stack/main.tf': backend + main, ...files }), { tool, ...more });

  async function plan(main: string, more: Partial<ToolWork> = {}, files: Readonly<Record<string, string>> = {}): Promise<StackPlan> {
    const outcome = await stage.job(await work(main, more, files));
    expect(outcome, outcome.words).toMatchObject({ did: 'planned' });
    return (outcome as Extract<ToolOutcome, { did: 'planned' }>).plan;
  }

  /** What was planned as it was planned, from a job of its own. */
  async function apply(main: string, planned: StackPlan, more: Partial<ToolWork> = {}): Promise<ToolOutcome> {
    const { changes, state: mark } = planned;
    const approved = { plan: await stage.saved(planned), changes, ...(mark === undefined ? {} : { state: mark }) };
    return stage.job(await work(main, { do: 'apply', approved, ...more }));
  }

  async function applied(main: string, more: Partial<ToolWork> = {}): Promise<Extract<ToolOutcome, { did: 'applied' }>> {
    const outcome = await stage.job(await work(main, { do: 'plan-and-apply', ...more }));
    expect(outcome, outcome.words).toMatchObject({ did: 'applied' });
    return outcome as Extract<ToolOutcome, { did: 'applied' }>;
  }

  return { stage, state, backend, work, plan, apply, applied };
}

const failed = (outcome: ToolOutcome): ToolFailure & { readonly words: string } => {
  expect(outcome).toMatchObject({ did: 'failed' });
  return outcome as ToolFailure & { readonly words: string };
};

const told = ({ changes }: StackPlan): string[] => changes.map(({ address, actions }) => `${actions.join('+')} ${address}`);

/** A tool that has the state's lock until it is let go of. */
async function lockHolder(tool: Tool, stage: Stage, backend: string): Promise<{ release(): Promise<void> }> {
  const [folder, held, go] = [join(stage.folder, 'holder'), join(stage.folder, 'held'), join(stage.folder, 'go')];
  mkdirSync(folder);
  const wait = `touch ${held}; until [ -e ${go} ]; do sleep 0.05; done`;
  writeFileSync(join(folder, 'main.tf'), `${backend}resource "terraform_data" "held" {\n  provisioner "local-exec" { command = "${wait}" }\n}\n`);
  execFileSync(tool, ['init', '-input=false'], { cwd: folder, stdio: 'ignore' });
  const holder = spawn(tool, ['apply', '-auto-approve', '-input=false'], { cwd: folder, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => holder.on('close', () => resolve()));
  await until(() => existsSync(held));
  return {
    async release() {
      writeFileSync(go, '');
      await ended;
    },
  };
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.each(there)('a stack of the real %s', (tool) => {
  it('is planned, applied exactly as saved, and then has nothing to do (R4.1, R4.2)', async () => {
    const { stage, plan, apply } = stackOf(tool);
    const main = 'resource "terraform_data" "a" { input = "one" }\noutput "made" { value = terraform_data.a.id }\noutput "said" { value = "one" }';
    const first = await plan(main);
    expect(told(first)).toEqual(['create output.made', 'create output.said', 'create terraform_data.a']);
    expect(first.outputs).toEqual({ said: { value: 'one', sensitive: false } });
    const applied = await apply(main, first);
    expect(applied, applied.words).toMatchObject({ did: 'applied', differs: [], resources: ['terraform_data.a'], outputs: { said: { value: 'one' } } });
    expect(applied).toMatchObject({ state: { serial: expect.any(Number), lineage: expect.any(String) }, changes: first.changes });
    expect((await plan(main)).changes).toEqual([]);
    expect(stage.leftBehind()).toEqual([]);
  });

  it('is planned and applied in one job where nobody is asked, and a second one finds nothing', async () => {
    const { applied } = stackOf(tool);
    const main = 'resource "terraform_data" "a" { input = "one" }\noutput "list" { value = ["a", 1] }\noutput "none" { value = null }';
    const first = await applied(main);
    expect(first).toMatchObject({ changes: [{ address: 'output.list' }, { address: 'terraform_data.a' }], resources: ['terraform_data.a'] });
    expect(first.outputs).toEqual({ list: { value: '["a",1]', sensitive: false } });
    const second = await applied(main);
    expect(second).toMatchObject({ changes: [], differs: [], resources: ['terraform_data.a'], state: first.state, outputs: first.outputs });
  });

  it('replaces in both orders, moves, forgets and takes over, and says each by its name (R4.9)', async () => {
    const { plan, apply, applied } = stackOf(tool);
    const block = (name: string, body = '') => `resource "terraform_data" "${name}" {\n${body}\n}\n`;
    const first = 'lifecycle {\n create_before_destroy = true\n }';
    await applied(block('down', 'triggers_replace = [1]') + block('up', `triggers_replace = [1]\n${first}`) + block('old') + block('left') + block('gone'));
    const next = [
      block('down', 'triggers_replace = [2]'),
      block('up', `triggers_replace = [2]\n${first}`),
      block('new'),
      'moved {\n from = terraform_data.old\n to = terraform_data.new\n}\n',
      'removed {\n from = terraform_data.left\n lifecycle {\n destroy = false\n }\n}\n',
      'import {\n to = terraform_data.taken\n id = "there-already"\n}\n',
      block('taken'),
    ].join('');
    const saved = await plan(next);
    expect(told(saved)).toEqual([
      'delete+create terraform_data.down',
      'delete terraform_data.gone',
      'forget terraform_data.left',
      'none terraform_data.new',
      'import terraform_data.taken',
      'create+delete terraform_data.up',
    ]);
    expect(saved.changes.find(({ address }) => address === 'terraform_data.new')).toMatchObject({ previousAddress: 'terraform_data.old' });
    const outcome = await apply(next, saved);
    expect(outcome, outcome.words).toMatchObject({ did: 'applied', differs: [], changes: saved.changes });
    expect(outcome).toMatchObject({ resources: ['terraform_data.down', 'terraform_data.new', 'terraform_data.taken', 'terraform_data.up'] });
  });

  it('takes what the line says over the files that the root names, and tells no secret of it (I1)', async () => {
    const { stage, work } = stackOf(tool);
    const variables = 'variable "a" {}\nvariable "b" {}\nvariable "secret" {\n sensitive = true\n}\n';
    const main = `${variables}resource "terraform_data" "a" { input = "\${var.a} \${var.b} \${var.secret}" }\noutput "both" { value = "\${var.a} \${var.b}" }\noutput "key" {\n value = var.secret\n sensitive = true\n}`;
    const outcome = await stage.job(
      await work(
        main,
        {
          do: 'plan-and-apply',
          root: { path: 'stack', varFiles: ['../shared.tfvars'] },
          variables: { b: 'of the line', secret: 'CANARY-variable' },
          secretVariables: ['secret'],
        },
        { 'shared.tfvars': 'a = "of the file"\nb = "of the file"\n' },
      ),
    );
    expect(outcome, outcome.words).toMatchObject({
      did: 'applied',
      outputs: { both: { value: 'of the file of the line' }, key: { value: 'CANARY-variable', sensitive: true } },
    });
    const { outputs: _, plan, ...rest } = outcome as Extract<ToolOutcome, { did: 'applied' }>;
    expect(JSON.stringify({ ...rest, changes: plan?.changes, drift: plan?.drift })).not.toContain('CANARY');
  });

  it('works in a workspace of its own, which a plan alone does not make', async () => {
    const { stage, plan, applied } = stackOf(tool);
    const main = 'resource "terraform_data" "a" { input = terraform.workspace }\noutput "in" { value = terraform.workspace }';
    const root = { path: 'stack', stack: 'feature', varFiles: [] };
    expect((await plan(main, { root })).outputs).toMatchObject({ in: { value: 'feature' } });
    const state = join(stage.folder, 'workspaces', 'feature', 'terraform.tfstate');
    expect(existsSync(state) ? readFileSync(state, 'utf8') : '').toBe('');
    expect((await applied(main, { root })).outputs).toMatchObject({ in: { value: 'feature' } });
    expect(readFileSync(state, 'utf8')).toContain('"terraform_data"');
    expect(told(await plan(main))).toEqual(['create output.in', 'create terraform_data.a']);
  });

  it('is taken down by a saved plan like any other', async () => {
    const { plan, apply, applied } = stackOf(tool);
    const main = 'resource "terraform_data" "a" {}\noutput "o" { value = 1 }';
    await applied(main);
    const removal = await plan(main, { destroys: true });
    expect(told(removal)).toEqual(['delete output.o', 'delete terraform_data.a']);
    expect(await apply(main, removal, { destroys: true })).toMatchObject({ did: 'applied', differs: [], resources: [], outputs: {} });
  });

  it('whose state moved after the plan costs no apply, and says so (R4.3, R4.11)', async () => {
    const { plan, apply, applied } = stackOf(tool);
    const main = 'resource "terraform_data" "a" {}';
    const saved = await plan(main);
    await applied('resource "terraform_data" "b" {}');
    const outcome = failed(await apply(main, saved));
    expect(outcome).toMatchObject({ cause: 'state-moved', state: { serial: expect.any(Number) } });
    expect(outcome.words).not.toContain('stale');
  });

  it('whose state moved so that only the tool can tell is refused by the tool, with nothing written (R4.3)', async () => {
    const { state, plan, apply, applied } = stackOf(tool);
    const main = 'resource "terraform_data" "a" {}';
    await applied('resource "terraform_data" "b" {}');
    const saved = await plan(main);
    await applied('resource "terraform_data" "c" {}');
    const now = JSON.parse(readFileSync(state, 'utf8'));
    const outcome = failed(await apply(main, { ...saved, state: { lineage: now.lineage, serial: now.serial } }));
    expect(outcome).toMatchObject({ cause: 'state-moved', diagnostics: [{ kind: 'stale-plan' }] });
    expect(outcome.done).toBeUndefined();
    expect(JSON.parse(readFileSync(state, 'utf8')).serial).toBe(now.serial);
  });

  it('whose saved plan was swapped in the bucket is not run at all (R4.2)', async () => {
    const { stage, work, plan } = stackOf(tool);
    const main = 'resource "terraform_data" "a" {}';
    const [saved, other] = [await plan(main), await plan('resource "terraform_data" "evil" {}')];
    const [mine, theirs] = [await stage.saved(saved), await stage.saved(other)];
    for (const swapped of [
      { ...mine, sha256: theirs.sha256 },
      { ...theirs, sha256: mine.sha256 },
      { ...mine, object: theirs.object },
      { ...mine, object: 'plans/gone' },
    ]) {
      const outcome = failed(await stage.job(await work(main, { do: 'apply', approved: { plan: swapped, changes: saved.changes } })));
      expect(outcome).toMatchObject({ cause: 'plan-altered', words: '' });
    }
  });

  it('that somebody else has locked is busy, with who and since when', async () => {
    const { stage, backend, plan, apply, work } = stackOf(tool);
    const main = 'resource "terraform_data" "a" {}';
    const saved = await plan(main);
    const holder = await lockHolder(tool, stage, backend);
    try {
      const lock = { who: expect.stringContaining('@'), since: expect.stringMatching(/^20\d\d-.*Z$/), id: expect.any(String), operation: 'apply' };
      expect(failed(await stage.job(await work(main)))).toMatchObject({ cause: 'busy', lock, diagnostics: [{ kind: 'locked' }] });
      expect(failed(await apply(main, saved))).toMatchObject({ cause: 'busy', lock });
      expect(await stage.job(await work(main, { lock: false }))).toMatchObject({ did: 'planned' });
    } finally {
      await holder.release();
    }
  });

  it('of which an apply broke off is read back: what was done, and what was not', async () => {
    const { plan, apply, applied } = stackOf(tool);
    await applied('resource "terraform_data" "kept" { input = 1 }\nresource "terraform_data" "gone" {}');
    const exec = 'provisioner "local-exec" { command = "echo CANARY-provisioner >&2; exit 3" }';
    const main = `resource "terraform_data" "kept" { input = 2 }\nresource "terraform_data" "bad" {\n depends_on = [terraform_data.kept]\n ${exec}\n}\nresource "terraform_data" "after" { input = terraform_data.bad.id }`;
    const saved = await plan(main);
    const outcome = failed(await apply(main, saved));
    expect(outcome).toMatchObject({
      cause: 'apply-failed',
      done: ['terraform_data.gone', 'terraform_data.kept'],
      notDone: ['terraform_data.after', 'terraform_data.bad'],
      state: { serial: expect.any(Number) },
    });
    expect(outcome.diagnostics).toEqual([{ severity: 'error', kind: 'provisioner', address: 'terraform_data.bad' }]);
    expect(JSON.stringify({ ...outcome, words: '' })).not.toContain('CANARY');
    expect(told(await plan(main))).toEqual(['create terraform_data.after', 'delete+create terraform_data.bad']);
  });

  it('whose tool is killed half way is read back', async () => {
    const { plan, apply } = stackOf(tool);
    const exec = 'provisioner "local-exec" { command = "kill -9 $PPID" }';
    const main = `resource "terraform_data" "first" {}\nresource "terraform_data" "second" {\n depends_on = [terraform_data.first]\n ${exec}\n}`;
    const outcome = failed(await apply(main, await plan(main)));
    expect(outcome).toMatchObject({ cause: 'apply-failed', done: ['terraform_data.first'], notDone: ['terraform_data.second'] });
  });

  it('that is cancelled finishes what it has begun, and says what that was', async () => {
    const { stage, work } = stackOf(tool);
    const begun = join(stage.folder, 'begun');
    const slow = `provisioner "local-exec" { command = "touch ${begun}; exec sleep 60" }`;
    const main = `resource "terraform_data" "first" {}\nresource "terraform_data" "slow" {\n depends_on = [terraform_data.first]\n ${slow}\n}`;
    const cancelled = await stage.job(await work(main, { do: 'plan-and-apply' }), async ({ cancel }) => {
      await until(() => existsSync(begun));
      await cancel();
    });
    expect(failed(cancelled)).toMatchObject({
      cause: 'stopped',
      done: ['terraform_data.first'],
      notDone: ['terraform_data.slow'],
      planned: { version: expect.any(String) },
      state: { serial: expect.any(Number) },
    });
  });

  it('whose time is up is not begun', async () => {
    const { stage, work } = stackOf(tool);
    expect(failed(await stage.job(await work('', { timeoutMs: 1 })))).toMatchObject({ cause: 'timed-out' });
  });

  it('whose plan fails falls back on what is recorded (R3.23)', async () => {
    const { stage, work, applied } = stackOf(tool);
    await applied('resource "terraform_data" "a" {}');
    const outcome = failed(await stage.job(await work('resource "terraform_data" "a" { input = missing.thing }')));
    expect(outcome).toMatchObject({ cause: 'plan-failed', diagnostics: [{ severity: 'error', kind: 'configuration' }] });
    expect(outcome.drift).toMatchObject([{ address: 'terraform_data.a', status: 'recorded', read: 'state', fellBackFrom: 'plan' }]);
  });

  it('planned twice has the same change set, whatever the plan files', async () => {
    const { plan } = stackOf(tool);
    const main = 'resource "terraform_data" "a" { input = abspath(path.root) }\nresource "terraform_data" "b" { input = timestamp() }';
    const [one, other] = [await plan(main), await plan(main)];
    expect(compareChanges(one.changes, other.changes)).toEqual({ actions: [], values: [] });
  });

  it('sees nothing of the environment but what policy gives it', async () => {
    const { stage, work } = stackOf(tool);
    const main = 'resource "terraform_data" "a" {\n provisioner "local-exec" { command = "env | cut -d= -f1 | sort | tr \'\\\\n\' \' \'" }\n}';
    const outcome = await stage.job(await work(main, { do: 'plan-and-apply', environment: { GIVEN: 'yes', PATH: '/nowhere' } }));
    expect(outcome).toMatchObject({ did: 'applied' });
    const seen = /\(local-exec\): (CHECKPOINT.*)/.exec(outcome.words)?.[1]?.split(' ') ?? [];
    const ours = ['CHECKPOINT_DISABLE', 'GIVEN', 'HOME', 'PATH', 'TMPDIR'];
    expect(seen.filter((name) => name !== '' && !/^(TF_|_$|PWD$|SHLVL$|OLDPWD$)/.test(name))).toEqual(ours);
  });

  it('is refused before anything is made where its state would go away with the job', async () => {
    const { stage } = stackOf(tool);
    const made = join(stage.folder, 'made');
    const main = `resource "terraform_data" "a" {\n provisioner "local-exec" { command = "touch ${made}" }\n}`;
    for (const backend of ['', 'terraform {\n backend "local" {}\n}\n', 'terraform {\n backend "local" {\n path = "state"\n }\n}\n']) {
      const outcome = await stage.job(workOn(await stage.source({ 'stack/main.tf': backend + main }), { tool, do: 'plan-and-apply' }));
      expect(failed(outcome)).toMatchObject({ cause: 'no-backend' });
    }
    expect(existsSync(made)).toBe(false);
  });

  it('is refused where the line gives a variable that the root does not declare', async () => {
    const { stage, work } = stackOf(tool);
    const main = 'variable "size" {\n default = 1\n}\nresource "terraform_data" "a" {\n input = var.size\n}';
    const outcome = await stage.job(await work(main, { do: 'plan-and-apply', variables: { siez: 2 } }));
    expect(failed(outcome).message).toBe('The root stack declares no variable siez; it declares size.');
  });

  it('is refused before it is run where the line pins another version, or there is no root module', async () => {
    const { stage, work } = stackOf(tool);
    expect(failed(await stage.job(await work('', { version: '1.5.7' })))).toMatchObject({ cause: 'wrong-version' });
    expect(failed(await stage.job(await work('', { root: { path: 'nowhere', varFiles: [] } })))).toMatchObject({ cause: 'source-unusable' });
    expect(failed(await stage.job(await work('', { root: { path: 'docs', varFiles: [] } }, { 'docs/a.md': 'x' })))).toMatchObject({ cause: 'source-unusable' });
  });
});
