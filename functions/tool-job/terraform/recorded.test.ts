import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolFailure, ToolOutcome, ToolWork } from '../../../shared/stacks/tool-work.ts';
import { type Called, mixed, type Play, recordedTool, version } from '../../../test/tools/terraform/play.ts';
import { openStage, type Stage, workOn } from '../stage.fixture.ts';

const recording = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/recordings', name), 'utf8');

/** A stack whose tool plays what the test says. */
async function played(play: Play, more: Partial<ToolWork> = {}, files: Readonly<Record<string, string>> = {}, times: object = {}) {
  const stage = openStage({ times });
  const tool = recordedTool(stage.folder, play);
  const source = await stage.source({ 'stack/main.tf': '# played', ...files });
  const work = workOn(source, more);
  const job = (also: Partial<ToolWork> = {}, meanwhile?: Parameters<Stage['job']>[1]) =>
    stage.job({ ...work, environment: { ...work.environment }, ...also }, meanwhile, { programs: [tool.bin] });
  return { stage, job, calls: tool.calls };
}

const failed = (outcome: ToolOutcome): ToolFailure & { readonly words: string } => {
  expect(outcome, outcome.words).toMatchObject({ did: 'failed' });
  return outcome as ToolFailure & { readonly words: string };
};

const argumentsOf = (calls: readonly Called[]): string[] => calls.map(({ call, args }) => (call === 'plan' ? 'plan' : args.join(' ')));

/** An approved plan of the recorded stack, and the work of applying it. */
async function approved(play: Play, more: Partial<ToolWork> = {}) {
  const set = await played(play, more);
  const planned = await set.job();
  if (planned.did !== 'planned') return expect.fail(JSON.stringify(planned));
  const { changes, state } = planned.plan;
  const plan = await set.stage.saved(planned.plan);
  const apply = (also: Partial<ToolWork> = {}, meanwhile?: Parameters<Stage['job']>[1]) =>
    set.job({ do: 'apply', approved: { plan, changes, ...(state === undefined ? {} : { state }) }, ...also }, meanwhile);
  return { ...set, planned: planned.plan, plan, apply };
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a plan', () => {
  it('is made in a private copy, saved, and read as a document; variables are in a file alone', async () => {
    const { job, calls, stage } = await played(mixed, {
      variables: { rev: 2, db_password: 'CANARY-variable' },
      secretVariables: ['db_password'],
      environment: { GIVEN: 'yes' },
    });
    const outcome = await job();
    expect(outcome, outcome.words).toMatchObject({
      did: 'planned',
      plan: { state: { serial: 14 }, version: '1.11.4', saved: { bytes: Buffer.from('the saved plan').toString('base64') } },
    });
    expect(argumentsOf(calls())).toEqual([
      'version -json',
      'init -input=false -no-color',
      'state pull',
      'plan',
      expect.stringMatching(/^show -json -no-color .*saved\.tfplan$/),
    ]);
    expect(JSON.stringify(calls().map(({ args }) => args))).not.toContain('CANARY');
    expect(
      calls()
        .find(({ call }) => call === 'plan')
        ?.varFiles.map((text) => JSON.parse(text)),
    ).toEqual([{ rev: 2, db_password: 'CANARY-variable' }]);
    expect(new Set(calls().map(({ cwd }) => cwd))).toEqual(new Set([expect.stringMatching(/\/jobs\/lockkeeper-tool\/source\/stack$/)]));
    expect(calls()[0]?.environment).toMatchObject({ GIVEN: 'yes', TF_IN_AUTOMATION: '1' });
    expect(stage.leftBehind()).toEqual([]);
  });

  it('keeps to the lock file of its providers where there is one', async () => {
    const { job, calls } = await played(mixed, {}, { 'stack/.terraform.lock.hcl': '' });
    await job();
    expect(calls()[1]?.args).toEqual(['init', '-input=false', '-no-color', '-lockfile=readonly']);
  });

  it('takes no lock when it only looks (R2.11), and is of a removal where that is asked for', async () => {
    const { job, calls } = await played(mixed, { lock: false, destroys: true });
    await job();
    expect(calls().find(({ call }) => call === 'plan')?.args).toEqual(expect.arrayContaining(['-lock=false', '-destroy']));
  });

  it('tells what drifted with the changes that would repair it (R2.14)', async () => {
    const { job } = await played({ ...mixed, 'show plan': { recording: 'opentofu-drift/plan-drift.json' } }, { tool: 'tofu' });
    const outcome = await job();
    if (outcome.did !== 'planned') return expect.fail(outcome.words);
    const drift = outcome.plan.drift
      .filter(({ status }) => status === 'drifted' || status === 'missing')
      .map(({ engine, address, status }) => `${engine} ${status} ${address}`);
    expect(drift).toContain('tofu drifted restapi_object.secretive');
    expect(outcome.plan.changes.map(({ address }) => address)).toContain('restapi_object.secretive');
  });
});

describe('a tool', () => {
  it('that is not there is said to be missing', async () => {
    const stage = openStage();
    const outcome = await stage.job(workOn(await stage.source({ 'stack/main.tf': '' }), { tool: 'tofu' }), undefined, { path: stage.folder });
    expect(failed(outcome)).toMatchObject({ cause: 'tool-missing' });
  });

  it.each([
    ['terraform', '1.4.7', undefined, 'tool-too-old'],
    ['tofu', '1.5.9', undefined, 'tool-too-old'],
    ['terraform', 'a version', undefined, 'tool-too-old'],
    ['terraform', '1.12.0', '1.11.4', 'wrong-version'],
  ] as const)('%s that is %s where %s is wanted is not run: %s', async (tool, found, pinned, cause) => {
    const { job, calls } = await played({ ...mixed, version: version(found) }, { tool, ...(pinned === undefined ? {} : { version: pinned }) });
    expect(failed(await job())).toMatchObject({ cause });
    expect(calls()).toHaveLength(1);
  });

  it('that cannot be initialised ends the job there', async () => {
    const { job, calls } = await played({ ...mixed, init: { exit: 1, stderr: 'Error: no such backend\n' } });
    const outcome = failed(await job());
    expect(outcome).toMatchObject({ cause: 'init-failed' });
    expect(outcome.words).toContain('no such backend');
    expect(calls()).toHaveLength(2);
  });

  it('that writes 50 MB of events is read to its end, and its words stay short', async () => {
    const { job } = await played({ ...mixed, plan: { floods: 50, plan: 'the saved plan' } });
    const outcome = await job();
    expect(outcome.did, JSON.stringify(outcome).slice(0, 500)).toBe('planned');
    expect(outcome.words.length).toBeLessThan(400 * 1024);
  });

  it('that writes a document of 50 MB is ended, and the stack has to be split', async () => {
    const { job } = await played({ ...mixed, 'show plan': { floods: 50 } });
    expect(failed(await job())).toMatchObject({ cause: 'output-too-large' });
  });

  it.each([
    ['half a plan', recording('terraform/plan-create.json').slice(0, 4000)],
    ['a state', recording('terraform/state.json')],
  ])('that writes %s in place of a plan is not understood, and quoted in nothing', async (_, stdout) => {
    const { job } = await played({ ...mixed, 'show plan': { stdout } });
    const outcome = failed(await job());
    expect(outcome.cause).toBe('not-understood');
    expect(JSON.stringify(outcome)).not.toContain('CANARY');
  });

  it('with an action that is not known is not understood, with the address', async () => {
    const odd = recording('terraform/plan-mixed.json').replace(/"forget"/, '"teleport"');
    const { job } = await played({ ...mixed, 'show plan': { stdout: odd } });
    expect(failed(await job())).toMatchObject({ cause: 'not-understood', diagnostics: [{ kind: 'not-understood', address: 'terraform_data.abandoned' }] });
  });
});

describe('a plan that fails', () => {
  it('half way tells what kind of failure, where, and what is recorded all the same (R3.23)', async () => {
    const { job } = await played({ ...mixed, plan: { recording: 'terraform-drift/plan-provider-down.ndjson', exit: 1 } });
    const outcome = failed(await job());
    expect(outcome).toMatchObject({ cause: 'plan-failed' });
    expect(outcome.diagnostics[0]).toMatchObject({ severity: 'error', kind: expect.any(String) });
    expect(new Set(outcome.drift?.map(({ status, fellBackFrom }) => `${status} ${fellBackFrom}`))).toEqual(new Set(['recorded plan']));
  });

  it('for a lock of somebody else is busy; for one that cannot be asked for, it is not', async () => {
    const diagnostic = (detail: string) =>
      `${JSON.stringify({ type: 'diagnostic', diagnostic: { severity: 'error', summary: 'Error acquiring the state lock', detail } })}\n`;
    const held = diagnostic(
      'Error message: conflict\nLock Info:\n  ID:        4c1e\n  Path:      b/terraform.tfstate\n  Operation: OperationTypeApply\n  Who:       grace@build\n  Version:   1.11.4\n  Created:   2026-11-30 02:14:46.722338 +0000 UTC\n  Info:      \n',
    );
    const busy = await played({ ...mixed, plan: { stdout: held, exit: 1 } });
    expect(failed(await busy.job())).toMatchObject({
      cause: 'busy',
      lock: { who: 'grace@build', since: '2026-11-30T02:14:46.722Z', id: '4c1e', operation: 'apply' },
    });
    const refused = await played({ ...mixed, plan: { stdout: diagnostic('Error message: AccessDenied'), exit: 1 } });
    expect(failed(await refused.job())).toMatchObject({ cause: 'plan-failed', diagnostics: [{ kind: 'locked' }] });
  });
});

describe('an apply', () => {
  it('runs the approved bytes and no others (R4.1, R4.2)', async () => {
    const { apply, calls } = await approved(mixed);
    await apply();
    const applied = calls().filter(({ call }) => call === 'apply');
    expect(applied).toMatchObject([
      { plan: 'the saved plan', args: ['apply', '-input=false', '-no-color', '-json', expect.stringContaining('approved.plan')] },
    ]);
    expect(calls().filter(({ call }) => call === 'plan')).toHaveLength(1);
  });

  it('is not sent where the saved plan would do something that nobody was shown, whatever the job that made it answered (R4.2)', async () => {
    const { apply, calls, planned, plan } = await approved(mixed);
    const unseen = planned.changes.find(({ actions }) => actions.includes('delete'))?.address ?? '';
    const shown = planned.changes.filter(({ address }) => address !== unseen);
    expect(shown.length).toBe(planned.changes.length - 1);
    const state = planned.state as NonNullable<typeof planned.state>;
    const outcome = failed(await apply({ approved: { plan, state, changes: shown } }));
    expect(outcome).toMatchObject({ cause: 'plan-altered', diagnostics: [{ kind: 'not-approved', address: unseen }] });
    expect(calls().some(({ call }) => call === 'apply')).toBe(false);
  });

  it('of a removal is not sent where it would touch more than it may (R1.69)', async () => {
    const { job, calls } = await played(mixed, { do: 'plan-and-apply', destroys: true, only: ['terraform_data.made_here'] });
    const outcome = failed(await job());
    expect(outcome.cause).toBe('not-approved');
    expect(outcome.planned?.changes.length).toBeGreaterThan(0);
    expect(calls().some(({ call }) => call === 'apply')).toBe(false);
  });

  it('is not sent where the state has moved (R4.3, R4.6)', async () => {
    const moved = { stdout: JSON.stringify({ serial: 15, lineage: '8911af03-bd83-b3f7-c16f-bc6ba0a7316d' }) };
    const { apply, calls } = await approved({ ...mixed, 'state pull': [{ recording: 'terraform/state-pull.json' }, moved] });
    expect(failed(await apply())).toMatchObject({ cause: 'state-moved', state: { serial: 15 } });
    expect(calls().some(({ call }) => call === 'apply')).toBe(false);
  });

  it.each(['terraform/stale.ndjson', 'opentofu-drift/apply-stale.ndjson'])('that the tool refuses as stale wrote nothing: %s (R4.3)', async (name) => {
    const { apply } = await approved({ ...mixed, apply: { recording: name, exit: 1 } });
    expect(failed(await apply())).toMatchObject({ cause: 'state-moved', diagnostics: [{ kind: 'stale-plan' }] });
  });

  it('after which the state has not what it should have is told loudly, whatever the tool says: somebody wrote meanwhile', async () => {
    const outcome = await (await approved(mixed)).apply();
    expect(outcome).toMatchObject({
      did: 'applied',
      differs: expect.arrayContaining(['terraform_data.legacy', 'terraform_data.pool[0]', 'terraform_data.after_read']),
    });
  });

  it('whose tool is killed names what it had reported and no state knows', async () => {
    const { apply } = await approved({
      ...mixed,
      apply: { stdout: recording('terraform/apply-create.ndjson').replaceAll('terraform_data.legacy', 'terraform_data.after_read'), dies: true },
    });
    const outcome = failed(await apply());
    expect(outcome).toMatchObject({ cause: 'apply-failed', message: expect.stringContaining('was killed') });
    expect(outcome.diagnostics).toContainEqual({ severity: 'error', kind: 'not-recorded', address: 'terraform_data.after_read' });
    expect(outcome.notDone).toContain('terraform_data.after_read');
    expect(outcome.done).toEqual([]);
  });

  it('whose state cannot be read afterwards goes by what the tool reported', async () => {
    const reported = recording('terraform/apply-create.ndjson').replaceAll('terraform_data.legacy', 'terraform_data.after_read');
    const { apply } = await approved({
      ...mixed,
      apply: { stdout: reported, exit: 1 },
      'show state': { exit: 1 },
      'state pull': [{ recording: 'terraform/state-pull.json' }, { recording: 'terraform/state-pull.json' }, { exit: 1 }],
    });
    const outcome = failed(await apply());
    expect(outcome.done).toContain('terraform_data.after_read');
    expect(outcome.notDone).toContain('terraform_data.pool[0]');
    expect(outcome.state).toBeUndefined();
  });
});

describe('a state that the tool could not save', () => {
  const left = { writes: { 'errored.tfstate': '{}' }, exit: 1 };
  const reported = recording('terraform/apply-create.ndjson').replaceAll('terraform_data.legacy', 'terraform_data.after_read');

  it('is saved in its place, as the tool asks for, before the job and its folder are gone', async () => {
    const { apply, calls } = await approved({ ...mixed, apply: left, 'state push': [{ exit: 1 }, {}] });
    expect(failed(await apply())).toMatchObject({ cause: 'apply-failed', state: { serial: 14 } });
    expect(
      calls()
        .map(({ call }) => call)
        .slice(-5),
    ).toEqual(['apply', 'state push', 'state push', 'state pull', 'show state']);
  });

  it('and nobody can save either is told by what the tool reported', async () => {
    const { apply, calls } = await approved({ ...mixed, apply: { ...left, stdout: reported }, 'state push': { exit: 1 } });
    const outcome = failed(await apply());
    expect(calls().filter(({ call }) => call === 'state push')).toHaveLength(3);
    expect(outcome.diagnostics).toContainEqual({ severity: 'error', kind: 'not-recorded', address: 'terraform_data.after_read' });
  });
});

describe('a backend that does not answer', () => {
  it('is no state that has moved: the apply is not sent, and fails', async () => {
    const { apply, calls } = await approved({ ...mixed, 'state pull': [{ recording: 'terraform/state-pull.json' }, { exit: 1 }] });
    expect(failed(await apply())).toMatchObject({ cause: 'apply-failed', message: expect.stringContaining('state pull') });
    expect(calls().some(({ call }) => call === 'apply')).toBe(false);
  });
});

describe('a state that cannot be read after an apply', () => {
  it('makes no success of it, and hides nothing of what was reported', async () => {
    const reported = recording('terraform/apply-create.ndjson').replaceAll('terraform_data.legacy', 'terraform_data.after_read');
    const { apply } = await approved({ ...mixed, apply: { stdout: reported }, 'show state': { stdout: '{' } });
    const outcome = failed(await apply());
    expect(outcome).toMatchObject({ cause: 'apply-failed', message: expect.stringContaining('cannot be read back') });
    expect(outcome.done).toContain('terraform_data.after_read');
  });

  it('leaves what a plan failed for as it is', async () => {
    const { job } = await played({ ...mixed, plan: { recording: 'terraform-drift/plan-provider-down.ndjson', exit: 1 }, 'show state': { stdout: '{' } });
    expect(failed(await job())).toMatchObject({ cause: 'plan-failed' });
  });
});

describe('a tool that has to end', () => {
  it('is interrupted, and what it did is read back', async () => {
    const { apply, calls } = await approved({ ...mixed, apply: { hangs: true } });
    const outcome = await apply({}, async ({ cancel }) => {
      await until(() => calls().some(({ call }) => call === 'apply'));
      await cancel();
    });
    expect(failed(outcome)).toMatchObject({ cause: 'stopped', done: [], notDone: expect.arrayContaining(['terraform_data.legacy']) });
    expect(
      calls()
        .slice(-2)
        .map(({ call }) => call),
    ).toEqual(['state pull', 'show state']);
  });

  it('is interrupted once more before it is killed: tools then let go of their locks', async () => {
    const { job, calls } = await played({ ...mixed, plan: { hangs: true, hears: 2 } }, {}, {}, { graceMs: 900 });
    const outcome = await job({}, async ({ cancel }) => {
      await until(() => calls().some(({ call }) => call === 'plan'));
      await cancel();
    });
    expect(failed(outcome)).toMatchObject({ cause: 'stopped' });
    expect(calls().at(-1)).toMatchObject({ call: 'interrupted' });
  });

  it('and does not hear it is killed when its grace is over, and nothing of it is left', async () => {
    const { job, calls, stage } = await played({ ...mixed, plan: { hangs: true, deaf: true } }, { timeoutMs: 2000 }, {}, { graceMs: 50 });
    expect(failed(await job())).toMatchObject({ cause: 'timed-out' });
    for (const { pid } of calls()) expect(isAlive(pid)).toBe(false);
    expect(stage.leftBehind()).toEqual([]);
  });
});

describe('a planted secret (I1)', () => {
  it('in the address of a resource keeps a plan that nobody has looked at from being applied', async () => {
    const { job, calls } = await played(mixed, { mask: ['terraform_data.pool'] });
    const outcome = failed(await job({ do: 'plan-and-apply' }));
    expect(outcome).toMatchObject({ cause: 'plan-failed', diagnostics: [0, 1].map((at) => ({ kind: 'secret-in-address', address: `[REDACTED][${at}]` })) });
    expect(argumentsOf(calls()).filter((args) => args.startsWith('apply'))).toEqual([]);
  });

  it('in variables, state, plan, environment, error text or the name of a lock comes out of nothing', async () => {
    const secrets = { db_password: 'CANARY-variable-2f8c', masked: 'CANARY-masked-77aa' };
    const said = `CANARY-variable-2f8c and CANARY-masked-77aa and CANARY-db-password-9f31\n`;
    const error = `${JSON.stringify({ type: 'diagnostic', diagnostic: { severity: 'error', summary: said, detail: said, address: 'terraform_data.pool[0]' } })}\n`;
    const lock = `${JSON.stringify({ type: 'diagnostic', diagnostic: { severity: 'error', summary: 'Error acquiring the state lock', detail: 'Lock Info:\n  ID: CANARY-masked-77aa\n  Who: CANARY-variable-2f8c\n' } })}\n`;
    const work = {
      variables: { db_password: secrets.db_password },
      secretVariables: ['db_password'],
      mask: [secrets.masked],
      environment: { TOKEN: secrets.masked },
      show: ['terraform_data#input', 'terraform_data#output'],
    };
    const outcomes: ToolOutcome[] = [];
    for (const plan of [
      { recording: 'terraform/plan-mixed.ndjson', stderr: said },
      { stdout: error, stderr: said, exit: 1 },
      { stdout: lock, exit: 1 },
    ]) {
      const set = await played({ ...mixed, init: { stdout: said, stderr: said }, plan }, work);
      outcomes.push(await set.job());
      expect(JSON.stringify(set.calls().map(({ args }) => args))).not.toContain('CANARY');
    }
    const set = await approved({ ...mixed, apply: { stdout: error, stderr: said, exit: 1 } }, work);
    outcomes.push(await set.apply());
    for (const outcome of outcomes) {
      expect(outcome.words.length).toBeGreaterThan(0);
      // The values of sensitive outputs are handed on, as values of later lines: sealed, and marked as what they are.
      const told = outcome.did === 'planned' ? { ...outcome, plan: { ...outcome.plan, outputs: {} } } : outcome;
      expect(JSON.stringify(told)).not.toContain('CANARY');
    }
  });
});
