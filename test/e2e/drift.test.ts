import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../shared/platform/clock.ts';
import { ulids } from '../../shared/platform/ids.ts';
import { createRun } from '../../shared/run/create-run.ts';
import type { Run } from '../../shared/run/items.ts';
import { rests } from './house.ts';
import { expectAtRest, expectChain, expectLeftInOrder, expectNoSecretAnywhere } from './invariants.ts';
import {
  callback,
  chain,
  closeAndRun,
  db,
  deliverPull,
  env,
  linesOf,
  openAndRun,
  openPull,
  openStage,
  planOf,
  providerWrites,
  pushAndRun,
  queuesOf,
  reportOf,
  type Stage,
  standing,
  until,
} from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => expectLeftInOrder(stage));
afterAll(() => stage?.stop());

const writes = (since?: number) => providerWrites(stage, since);
const now = () => stage.sim.requests().at(-1)?.at ?? 0;
const statuses = async (run: Run) => Object.fromEntries((await linesOf(stage, run)).map((line) => [line.spec.id, line.result?.status]));

describe('what somebody edited', () => {
  it('is refused, named in comment and check, and left as it is; what earlier runs made stays', async () => {
    const { pull } = await openAndRun(stage, 'edited', chain('edited'));
    stage.sim.control.edit('vercel.set', { key: 'APP_MODE', branch: 'edited', value: 'by-hand' });
    const since = now();

    const { pull: next, run } = await pushAndRun(stage, pull, chain('edited'), { 'notes.md': 'nothing' });

    expect(run.outcome).toBe('failed');
    expect(writes(since)).toEqual([]);
    expect((await reportOf(stage, run)).drift).toMatchObject([{ kind: 'changed', line: 'env', resource: { key: 'env:preview:edited:APP_MODE' } }]);
    const after = await standing(stage, next);
    expect(after.comments).toHaveLength(1);
    expect(after.comments[0]?.body).toContain('**DRIFT_CHANGED**');
    expect(after.comments[0]?.body).toContain('APP_MODE (preview, branch edited)');
    expect(after.checks).toMatchObject([{ conclusion: 'failure', summary: expect.stringContaining('DRIFT_CHANGED') }]);
    expect(after.entries).toHaveLength(4);
    const value = stage.sim.state().vercel.projects[0]?.variables.find((one) => one.gitBranch === 'edited' && one.key === 'APP_MODE')?.value;
    expect(value).toBe('by-hand');
    await expectChain(stage, next);
  });

  it('is no drift when the plan asks for the same value now: nothing is written and nothing said', async () => {
    const { pull } = await openAndRun(stage, 'agreed', chain('agreed'));
    stage.sim.control.edit('vercel.set', { key: 'APP_MODE', branch: 'agreed', value: 'staging' });
    const since = now();

    const { run, pull: next } = await pushAndRun(stage, pull, planOf(db('agreed'), env('agreed', 'staging'), callback('agreed', '[env]')));

    expect(run.outcome).toBe('complete');
    expect(writes(since)).toEqual([]);
    expect((await reportOf(stage, run)).drift).toEqual([]);
    expect((await standing(stage, next)).comments[0]?.body).not.toContain('Drift');
    const third = await pushAndRun(stage, next, planOf(db('agreed'), env('agreed', 'live'), callback('agreed', '[env]')));
    expect(third.run.outcome).toBe('complete');
  });

  it('is created again when it was deleted, and the comment says that it was gone', async () => {
    const { pull } = await openAndRun(stage, 'gone', chain('gone'));
    stage.sim.control.edit('clerk.delete', { url: 'https://gone.acme.example/cb' });
    const since = now();

    const { run, pull: next } = await pushAndRun(stage, pull, chain('gone'), { 'notes.md': 'again' });

    expect(run.outcome).toBe('complete');
    expect(writes(since).map((write) => `${write.method} ${write.path}`)).toEqual(['POST /redirect_urls']);
    expect((await reportOf(stage, run)).drift).toMatchObject([{ kind: 'missing', line: 'callback' }]);
    const after = await standing(stage, next);
    expect(after.redirects).toHaveLength(1);
    expect(after.comments[0]?.body).toContain('is gone; it is created again');
    expect(after.entries).toHaveLength(4);
  });

  it('is left at the destroy when it was deleted and made again outside', async () => {
    const { pull } = await openAndRun(stage, 'remade', chain('remade'));
    stage.sim.control.edit('clerk.recreate', { url: 'https://remade.acme.example/cb' });

    const run = await closeAndRun(stage, pull);

    expect(run.outcome).toBe('complete');
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: [], variables: [], redirects: ['https://remade.acme.example/cb'], entries: [] });
  });
});

describe('what is somebody else’s', () => {
  it('is ADOPT_REQUIRED when the line would change it; what the run had made is rolled back', async () => {
    stage.sim.control.edit('vercel.add', { key: 'APP_MODE', branch: 'unknown', value: 'theirs' });

    const { pull, run } = await openAndRun(stage, 'unknown', chain('unknown'));

    expect(run.outcome).toBe('failed');
    expect(await statuses(run)).toMatchObject({ db: 'rolled_back', callback: 'skipped' });
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: [], variables: ['APP_MODE'], redirects: [], entries: [] });
    expect(after.comments[0]?.body).toContain('**ADOPT_REQUIRED**');
    expect(after.checks).toMatchObject([{ conclusion: 'failure' }]);
    await expectChain(stage, pull);
  });

  it('is adopted when it is what the line wants, and stays when the pull request closes', async () => {
    stage.sim.control.edit('clerk.add', { url: 'https://found.acme.example/cb' });
    const { pull, run } = await openAndRun(stage, 'found', planOf(callback('found')));
    expect(run.outcome).toBe('complete');
    expect((await standing(stage, pull)).entries).toMatchObject([{ createdBy: 'adopted' }]);

    await closeAndRun(stage, pull);

    const after = await standing(stage, pull);
    expect(after).toMatchObject({ redirects: ['https://found.acme.example/cb'], entries: [] });
    expect(after.comments[0]?.body).toContain('it was there before');
  });

  it('is OWNED_BY_OTHER_SCOPE when another pull request manages it, which is named', async () => {
    const first = await openAndRun(stage, 'owner', chain('owner'));
    const since = now();

    const second = await openAndRun(stage, 'wanter', planOf(db('wanter'), env('owner', 'other').replace('db.', 'db.')));

    expect(second.run.outcome).toBe('failed');
    const after = await standing(stage, second.pull);
    expect(after.comments[0]?.body).toContain('**OWNED_BY_OTHER_SCOPE**');
    expect(after.comments[0]?.body).toContain(`pr-${first.pull.number}`);
    expect(after).toMatchObject({ branches: [], entries: [] });
    expect(writes(since).filter((write) => write.provider === 'vercel')).toEqual([]);
    expect((await standing(stage, first.pull)).entries).toHaveLength(4);

    await closeAndRun(stage, first.pull);
    const again = await pushAndRun(stage, second.pull, planOf(db('wanter'), env('owner', 'other')), { 'notes.md': 'free now' });
    expect(again.run.outcome).toBe('complete');
  });
});

describe('a line that fails', () => {
  it('rolls back everything its run created, and the comment says so', async () => {
    stage.sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', fail: { status: 500, message: 'the fake is tired' } });

    const { pull, run } = await openAndRun(stage, 'tired', chain('tired'));

    expect(run.outcome).toBe('failed');
    expect(await statuses(run)).toMatchObject({ db: 'rolled_back', env: 'rolled_back' });
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: [], variables: [], redirects: [], entries: [] });
    expect(after.comments[0]?.body).toContain('rolled back');
    expect(after.comments[0]?.body).toContain('**PROVIDER_TRANSIENT**');
    expect(after.checks).toMatchObject([{ conclusion: 'failure' }]);
    expect((await expectChain(stage, pull)).at(-1)).toMatchObject({ status: 'failed', ledger: [{ entries: [] }, { entries: [] }, { entries: [] }] });
  });

  it('keeps what an earlier run of the pull request made, and names the update that was not undone', async () => {
    const { pull } = await openAndRun(stage, 'kept', chain('kept'));
    stage.sim.control.rule({ provider: 'clerk', on: 'POST /redirect_urls', fail: { status: 500 } });

    const { pull: next, run } = await pushAndRun(stage, pull, planOf(db('kept'), env('kept', 'moved'), callback('kept-too', '[env]')));

    expect(run.outcome).toBe('failed');
    expect((await reportOf(stage, run)).notUndone).toEqual(['Vercel variable APP_MODE (preview, branch kept)']);
    const after = await standing(stage, next);
    expect(after).toMatchObject({ branches: ['kept'], variables: ['APP_MODE', 'DATABASE_URL'], redirects: ['https://kept.acme.example/cb'] });
    expect(after.comments[0]?.body).toContain('**Not undone**');
  });

  it.each(['html', 'truncated', 'empty', 'shape', 'null'] as const)(
    'is PROVIDER_RESPONSE and rolled back when a create is answered with nonsense (%s)',
    async (nonsense) => {
      stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', nonsense });

      const { pull, run } = await openAndRun(stage, `nonsense-${nonsense}`, chain(`nonsense-${nonsense}`));

      expect(run.outcome).toBe('failed');
      const after = await standing(stage, pull);
      expect(after).toMatchObject({ branches: [], variables: [], redirects: [], entries: [] });
      expect(after.comments[0]?.body).toContain('**PROVIDER_RESPONSE**');
    },
  );

  it('names the variable, where to create it, and the line when a provider refuses the credential', async () => {
    stage.sim.control.rule({ provider: 'clerk', on: 'GET /redirect_urls', fail: { status: 401 }, times: 9 });

    const { pull, run } = await openAndRun(stage, 'refused', planOf(callback('refused')));

    expect(run.outcome).toBe('failed');
    const body = (await standing(stage, pull)).comments[0]?.body ?? '';
    expect(body).toMatch(/`callback` [^\n]*\*\*PROVIDER_AUTH\*\*[^\n]*Check CLERK_SECRET_KEY\. Create one at https/);
  });

  it('is SECRET_UNRESOLVED, naming secret and line, when a secret of the plan does not exist; nothing is left', async () => {
    const secret = `  - { id: pay, adapter: vercel, op: env, branch: unset, values: { STRIPE_KEY: { secret: 'env://NOWHERE_KEY' } }, depends_on: [db] }\n`;

    const { pull, run } = await openAndRun(stage, 'unset', planOf(db('unset'), secret));

    expect(run.outcome).toBe('failed');
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: [], variables: [], entries: [] });
    expect(after.comments[0]?.body).toMatch(/`pay` [^\n]*\*\*SECRET_UNRESOLVED\*\*[^\n]*NOWHERE\\?_KEY/);
  });
});

describe('a provider that asks for patience', () => {
  it('is waited for in place when it asks for a second', async () => {
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', fail: { status: 429, retryAfter: 1 } });

    const { pull, run } = await openAndRun(stage, 'second', planOf(db('second')));

    expect(run.outcome).toBe('complete');
    expect(await standing(stage, pull)).toMatchObject({ branches: ['second'], entries: [{ createdBy: 'lockkeeper' }] });
    expect((await linesOf(stage, run))[0]?.attempt).toBe(1);
  });

  it('puts the line off when it asks for longer, and the line finishes by itself', async () => {
    stage.sim.control.rule({ provider: 'neon', on: 'POST /projects/*/branches', fail: { status: 429, retryAfter: 4 } });

    const { pull, run } = await openAndRun(stage, 'longer', chain('longer'));

    expect(run.outcome).toBe('complete');
    expect((await linesOf(stage, run)).find((line) => line.spec.id === 'db')?.attempt).toBe(2);
    expect(await standing(stage, pull)).toMatchObject({ branches: ['longer'], variables: ['APP_MODE', 'DATABASE_URL'] });
  });
});

describe('a run that may not start', () => {
  it('is asked about when a line writes production: action required, and nothing is written', async () => {
    const since = now();
    const live = `  - { id: live, adapter: vercel, op: env, target: production, values: { APP_MODE: live } }\n`;
    const pull = openPull(stage, 'live', planOf(db('live'), live));
    await deliverPull(stage, pull, 'opened');

    const run = await stage.runOf(pull.sha, (one) => one.phase === 'awaiting');

    expect(writes(since)).toEqual([]);
    const after = await until('the question on the check', async () => {
      const seen = await standing(stage, pull);
      return seen.checks[0]?.conclusion === 'action_required' ? seen : undefined;
    });
    expect(after.comments[0]?.body).toContain(run.question?.digest.slice(0, 12));
    expect(after).toMatchObject({ lease: undefined, entries: [] });

    stage.sim.control.edit('github.close', { number: pull.number });
    await deliverPull(stage, pull, 'closed');
    await until('the end of the run that asked', async () => (await stage.runs()).find((one) => one.id === run.id && one.outcome === 'superseded'));
  });

  it('gets every mistake of a bad plan file in its comment, with line and column', async () => {
    const since = now();
    const bad =
      'version: 1\nchanges:\n  - { id: db, adapter: neom, op: branch }\n  - { id: Wrong, adapter: clerk, op: redirect_allow, url: x }\n  - { id: env, adapter: vercel, op: env, values: { A: { from: nobody.url } } }\n';

    const { pull, run } = await openAndRun(stage, 'bad', bad);

    expect(run.outcome).toBe('failed');
    expect(writes(since)).toEqual([]);
    const after = await standing(stage, pull);
    for (const code of ['ADAPTER_UNKNOWN', 'PLAN_INVALID', 'REF_UNKNOWN']) expect(after.comments[0]?.body).toContain(`**${code}**`);
    expect(after.comments[0]?.body).toMatch(/release\.plan\.yaml:3:\d+/);
    expect(after.comments[0]?.body).toMatch(/release\.plan\.yaml:5:\d+/);
    expect(after.checks).toMatchObject([{ conclusion: 'failure' }]);
    expect(after).toMatchObject({ lease: undefined, entries: [] });
  });
});

describe('a plan file with more mistakes than one item of the table holds', () => {
  it('ends its run all the same, and the comment says how many were left out', async () => {
    const wrong = Array.from({ length: 3000 }, (_, at) => `  - { id: line-${at}, adapter: nowhere, op: branch, name: x${at} }\n`);

    const { pull, run } = await openAndRun(stage, 'crowd', planOf(...wrong));

    expect(run.outcome).toBe('failed');
    const after = await standing(stage, pull);
    expect(after.comments[0]?.body).toContain('Left out for length:');
    expect(after.checks).toMatchObject([{ conclusion: 'failure' }]);
  });
});

describe('a plan', () => {
  it('writes nothing to a provider and nothing to the ledger (I4), and leaves no sealed value behind', async () => {
    const { pull, run } = await openAndRun(stage, 'asked', chain('asked'));
    const before = await standing(stage, pull);
    const since = now();
    const { repository, plan, environment, scope, commit, branch, options } = run;
    const asked = { intent: 'plan' as const, repository, plan: { name: plan.name, path: plan.path }, environment, scope, commit, branch, options };

    const id = await createRun({ table: stage.table, ids: ulids(), clock: systemClock, queues: queuesOf(stage) }, 'a person asks', asked);
    const planned = await until('the plan', async () => (await stage.runs()).find((one) => one.id === id && rests(one)));

    expect(planned.outcome).toBe('complete');
    expect((await linesOf(stage, planned)).map((line) => line.result?.status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(writes(since)).toEqual([]);
    const after = await standing(stage, pull);
    expect(after.entries).toEqual(before.entries);
    expect(after.lease).toEqual(before.lease);
  });
});

describe('GitHub that does not answer', () => {
  it('costs the comment and the check at the end of a run, never the run or its receipt', async () => {
    const pull = openPull(stage, 'unseen', chain('unseen'));
    for (const on of ['POST /repos/*/*/issues/*/comments', 'POST /repos/*/*/check-runs', 'PATCH /repos/*/*/check-runs/*'])
      stage.sim.control.rule({ provider: 'github', on, fail: { status: 500 }, times: 50 });
    const from = stage.logs.lines.length;

    await deliverPull(stage, pull, 'opened');
    const run = await stage.runOf(pull.sha);

    expect(run.outcome).toBe('complete');
    const after = await standing(stage, pull);
    expect(after).toMatchObject({ branches: ['unseen'], comments: [], checks: [] });
    expect((await expectChain(stage, pull)).at(-1)).toMatchObject({ run: run.id, status: 'complete' });
    expect(stage.logs.lines.slice(from).join('\n')).toContain('a surface could not be written');

    stage.sim.control.clear();
    const next = await pushAndRun(stage, pull, chain('unseen'), { 'notes.md': 'seen' });
    expect((await standing(stage, next.pull)).comments).toHaveLength(1);
  });
});

describe('a stack in which nobody has stored a credential', () => {
  let bare: Stage;
  beforeAll(async () => {
    bare = await openStage({ environment: { SECRETS_PREFIX: 'nothing-is-stored-here/' } });
  });
  afterAll(() => bare?.stop());

  it('fails the line with PROVIDER_AUTH, naming the variable and where to create one, and sends the provider nothing', async () => {
    const { pull, run } = await openAndRun(bare, 'bare', planOf(db('bare')));

    expect(run.outcome).toBe('failed');
    expect(bare.sim.requests({ provider: 'neon' })).toEqual([]);
    const after = await standing(bare, pull);
    expect(after.comments[0]?.body).toMatch(/`db` [^\n]*\*\*PROVIDER_AUTH\*\*[^\n]*NEON_API_KEY[^\n]*console\.neon\.tech/);
    expect(after).toMatchObject({ entries: [], branches: [] });
    await expectAtRest(bare);
    await expectNoSecretAnywhere(bare);
  });
});
