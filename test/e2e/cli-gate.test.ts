import { userInfo } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localTiming } from '../../infra/timing.ts';
import { startSim } from '../sim/sim.ts';
import { type Caller, caller } from './cli-caller.ts';
import { type CliPackage, packCli } from './cli-package.ts';
import { type Asked, apply, ask, cloud, listedRuns, planOf, removeVariable, stored, variables } from './production.ts';

let cli: CliPackage;
let me: Caller;
beforeAll(async () => {
  cli = await packCli(localTiming);
});
afterAll(() => {
  first?.me.remove();
});
afterEach(() => {
  if (me !== first?.me) me.remove();
});

/** The first question of this file, and its folder as it lies on disk: it begins every test that does not ask in another way. */
let first: { readonly asked: Asked; readonly me: Caller; readonly saved: string } | undefined;

/** A plan in a folder of its own, put to people: once, and then the folder as it was left, which a state knows by where it lies. */
async function asked(): Promise<Asked> {
  if (first) {
    me = first.me;
    me.restore(first.saved);
    return first.asked;
  }
  me = caller(cli.main);
  me.plan(planOf('live'));
  const question = await ask(me);
  first = { asked: question, me, saved: me.save() };
  return question;
}

describe('a release to production from a terminal', () => {
  it('is planned and put to people, with what would be done and what to type; nothing is written (I7)', async () => {
    const { run, digest, expiresAt, commands, receipt } = await asked();
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(commands).toEqual({ approve: `lockkeeper approve ${digest.slice(0, 12)} --sim`, reject: `lockkeeper reject ${digest.slice(0, 12)} --sim` });
    expect(receipt).toMatchObject({
      status: 'awaiting',
      lines: [
        { id: 'db', status: 'create' },
        { id: 'vars', status: 'pending' },
      ],
    });
    expect(cloud(me)).not.toContain('lockkeeper/production');
    expect(await listedRuns(me)).toMatchObject({
      questions: [{ digest, run, environment: 'production', scope: 'branch-feat~2Fcheckout' }],
      runs: [{ run, status: 'awaiting' }],
    });
    expect(await me.json('show', '--sim', '--env', 'production')).toMatchObject({ exit: 0, document: { managed: [], lock: null, questions: [{ digest }] } });
    const seen = await me.json('show', digest.slice(0, 12), '--sim');
    expect(seen).toMatchObject({
      exit: 0,
      document: { ok: true, digest, plan: { format: 2, environment: 'production' }, questions: [{ run, state: 'open' }] },
    });
    expect(await me.json('diff', digest.slice(0, 12), digest, '--sim')).toMatchObject({ exit: 0, document: { same: true, resources: [] } });
  });

  it('is applied once it is approved; the receipt says by whom, and that nobody verified it', async () => {
    const { run, digest } = await asked();
    const approved = await me.json('approve', digest.slice(0, 12), '--sim');
    const decision = { verdict: 'approve', person: userInfo().username, standing: 'unverified, self' };
    expect(approved).toMatchObject({ exit: 0, document: { ok: true, receipt: { run, status: 'complete', question: { digest }, decisions: [decision] } } });
    expect(variables(me)).toEqual(['DATABASE_URL', 'PAYMENT', 'MODE']);
    expect(await me.json('receipt', '--sim', '--env', 'production')).toMatchObject({
      document: { receipt: { run, decisions: [decision] }, chain: { links: 1, holds: true } },
    });
    const { document } = await me.json('log', run, '--sim');
    const events = (document['events'] as { event: string; detail?: string }[]).map(({ event, detail }) => (event === 'decided' ? detail : event));
    expect(events).toEqual(['prepared', 'asked', `approve by ${decision.person}`, 'prepared', 'settled']);
    expect(await listedRuns(me)).toMatchObject({ questions: [] });
    expect(stored(me)).not.toContain('simulated-payment_dsn');
  });

  it('tells whoever approves twice what came of it, and applies nothing twice', async () => {
    const { run, digest } = await asked();
    await me.run('approve', digest, '--sim');
    const world = cloud(me);
    const again = await me.json('approve', digest, '--sim');
    expect(again).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/You approved plan [0-9a-f]{12} at /),
      document: { receipt: { run, status: 'complete' } },
    });
    expect(cloud(me)).toBe(world);
    expect((await listedRuns(me)).runs).toHaveLength(1);
  });

  it('waits while production is frozen, and goes on when that is taken back', async () => {
    const { run, digest } = await asked();
    const frozen = await me.json('freeze', 'production', '--until', '2h', '--reason', 'year end', '--sim');
    expect(frozen).toMatchObject({ exit: 0, document: { environment: 'production', frozen: { reason: 'year end', by: userInfo().username } } });
    const approved = await me.json('approve', digest, '--sim');
    expect(approved).toMatchObject({ exit: 2, document: { error: { code: 'FROZEN' }, receipt: { run, status: 'awaiting', frozen: { reason: 'year end' } } } });
    const withdrawn = await me.run('withdraw', digest, '--sim');
    expect(withdrawn.stdout).toMatch(/^You took back your answer to plan /);
    expect(withdrawn.stdout).not.toContain('The approval is recorded');
    expect((await me.run('approve', digest, '--sim')).stdout).toContain('The approval is recorded, and a freeze keeps it from being applied:');
    expect(cloud(me)).not.toContain('lockkeeper/production');
    const thawed = await me.json('unfreeze', 'production', '--sim');
    const told = expect.stringMatching(/Goes on, as it was approved: apply of production, [^:]+: create 4 \(plan [\s\S]*is complete/);
    expect(thawed).toMatchObject({ exit: 0, stderr: told, document: { frozen: null, runs: [{ run, outcome: '2 lines applied' }] } });
    expect(variables(me)).toEqual(['DATABASE_URL', 'PAYMENT', 'MODE']);
  });

  it('asks nobody when there is nothing to do', async () => {
    const { digest } = await asked();
    await me.run('approve', digest, '--sim');
    expect(await me.json(...apply)).toMatchObject({
      exit: 0,
      document: { receipt: { status: 'complete', lines: [{ status: 'unchanged' }, { status: 'unchanged' }] } },
    });
  });

  it('is rejected: it ends, and nothing was written; the same person cannot approve it any more, and a retry asks anew', async () => {
    const { run, digest } = await asked();
    const rejected = await me.json('reject', digest.slice(0, 16), '--sim');
    const receipt = { run, status: 'rejected', decisions: [{ verdict: 'reject', person: userInfo().username }] };
    expect(rejected).toMatchObject({ exit: 0, document: { ok: true, command: 'reject', receipt } });
    const late = await me.json('approve', digest, '--sim');
    expect(late).toMatchObject({ exit: 2, document: { error: { code: 'QUESTION_UNKNOWN', message: expect.stringContaining('has ended as rejected') } } });
    expect(cloud(me)).not.toContain('lockkeeper/production');
    const again = await me.json('retry', run.slice(0, 10), '--sim');
    expect(again).toMatchObject({ exit: 2, document: { command: 'retry', error: { code: 'ENV_NOT_APPROVED' }, receipt: { status: 'awaiting' } } });
    expect(again.document['run']).not.toBe(run);
    expect(await me.json('approve', String(again.document['digest']), '--sim')).toMatchObject({ exit: 0, document: { receipt: { status: 'complete' } } });
  });

  it('is cancelled at its question; an answer that nobody gave cannot be taken back, and one that comes later approves nothing', async () => {
    const { run, digest } = await asked();
    expect(await me.json('withdraw', digest, '--sim')).toMatchObject({ exit: 2, document: { error: { code: 'NOT_FOUND' } } });
    const cancelled = await me.json('cancel', run.slice(0, 10), '--sim');
    expect(cancelled).toMatchObject({ exit: 0, document: { ok: true, command: 'cancel', receipt: { run, status: 'cancelled' } } });
    expect(await me.json('approve', digest, '--sim')).toMatchObject({ exit: 2, document: { error: { code: 'QUESTION_UNKNOWN' } } });
    expect(await me.json('cancel', run, '--sim')).toMatchObject({ exit: 0, document: { receipt: { status: 'cancelled' } } });
    expect(cloud(me)).not.toContain('lockkeeper/production');
  });

  it('stops when the world moved after the approval, shows what is different, and asks again under another digest (I12)', async () => {
    const first = await asked();
    await me.run('approve', first.digest, '--sim');
    me.plan(planOf('night'));
    const second = await ask(me);
    removeVariable(me, 'PAYMENT');
    const moved = await me.json('approve', second.digest, '--sim');
    expect(moved).toMatchObject({ exit: 2, document: { ok: false, error: { code: 'ENV_NOT_APPROVED' }, run: second.run, receipt: { status: 'awaiting' } } });
    const third = moved.document as unknown as Asked;
    expect(third.digest).not.toBe(second.digest);
    expect(third.receipt.stops).toEqual([
      {
        round: 1,
        step: 'vars',
        cause: 'drift',
        approved: second.digest,
        replanned: third.digest,
        differs: true,
        different: [{ line: 'vars', resource: expect.stringContaining('PAYMENT'), what: 'new' }],
      },
    ]);
    expect(variables(me)).toEqual(['DATABASE_URL', 'MODE']);
    const old = await me.json('approve', second.digest, '--sim');
    expect(old.document).toMatchObject({ error: { code: 'QUESTION_UNKNOWN', message: expect.stringContaining(third.digest.slice(0, 12)) } });
    expect(await me.json('approve', third.digest, '--sim')).toMatchObject({ exit: 0, document: { receipt: { run: second.run, status: 'complete' } } });
    expect(variables(me)).toEqual(['DATABASE_URL', 'MODE', 'PAYMENT']);
  });
});

describe('with secrets of one’s own', () => {
  it('a plan is asked about, approved, applied and shown without a value of them in output or state folder (I1)', async () => {
    const sim = await startSim();
    const canaries = ['canary-dsn-41f0aa2b', 'canary-neon-77be02c1', 'canary-vercel-0d93e6f8'] as const;
    try {
      me = caller(cli.main);
      me.plan(planOf('live'));
      const [PAYMENT_DSN, NEON_API_KEY, VERCEL_TOKEN] = canaries;
      const variables = { PAYMENT_DSN, NEON_API_KEY, VERCEL_TOKEN, NEON_API_URL: sim.urls.neon, VERCEL_API_URL: sim.urls.vercel, LOCKKEEPER_DEBUG: '1' };
      Object.assign(me.environment, variables);
      const question = await me.json('apply', '--env', 'production');
      const approved = await me.json('approve', String(question.document['digest']));
      expect(approved).toMatchObject({ exit: 0, document: { receipt: { status: 'complete' } } });
      const shown = [question, approved, await me.run('receipt', '--env', 'production'), await me.run('log', String(question.document['run']))];
      const said = shown.map(({ stdout, stderr }) => stdout + stderr).join('\n') + stored(me);
      for (const canary of canaries) expect(said).not.toContain(canary);
      expect(JSON.stringify(sim.state())).toContain(PAYMENT_DSN);
    } finally {
      await sim.stop();
    }
  });
});

describe('what names a question', () => {
  it('is at least twelve digits of its digest; what is open is told to whoever names none of it', async () => {
    const { digest } = await asked();
    expect(await me.json('approve', digest.slice(0, 11), '--sim')).toMatchObject({ exit: 2, document: { error: { code: 'USAGE' } } });
    expect(await me.json('approve', 'not-a-digest-at-all', '--sim')).toMatchObject({ exit: 2, document: { error: { code: 'USAGE' } } });
    const unknown = await me.json('reject', '0'.repeat(12), '--sim');
    expect(unknown).toMatchObject({ exit: 2, document: { error: { code: 'QUESTION_UNKNOWN', message: expect.stringContaining(digest.slice(0, 12)) } } });
    expect(await listedRuns(me)).toMatchObject({ questions: [{ digest }] });
  });
});

describe('a person at a terminal', () => {
  it('sees the plan, the digest, until when, and the two commands to type', async () => {
    await asked();
    const { stdout } = await me.run('apply', '--sim', '--env', 'production', '--state-dir', '.lockkeeper');
    expect(stdout).toMatch(/^\+ db +neon\.branch {2}create$/m);
    const [, short, digest] = /^ {2}Plan {5}([0-9a-f]{12})\n {2}Digest {3}([0-9a-f]{64})\n {2}Until {4}\d{4}-\d\d-\d\d \d\d:\d\d UTC$/m.exec(stdout) ?? [];
    expect(digest?.startsWith(short ?? '-')).toBe(true);
    expect(stdout).toContain(`  Approve  lockkeeper approve ${short} --sim\n  Reject   lockkeeper reject ${short} --sim\n`);
    expect(stdout).toContain('Waits for approval: create 4.');
  });

  it('finds the question with its flags in another state folder', async () => {
    me = caller(cli.main);
    me.plan(planOf('live'));
    const { document } = await me.json(...apply, '--state-dir', 'the state');
    const { approve } = (document as unknown as Asked).commands;
    expect(approve).toMatch(/^lockkeeper approve [0-9a-f]{12} --sim --state-dir 'the state'$/);
    expect(await me.run('approve', String(document['digest']), '--sim', '--state-dir', 'the state')).toMatchObject({ exit: 0 });
  });
});
