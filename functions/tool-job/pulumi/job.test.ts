import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ToolOutcome, ToolWork } from '../../../shared/stacks/tool-work.ts';
import { type Mischief, openBackend } from '../../../test/tools/pulumi/stack.ts';
import { openStage, workOn } from '../stage.fixture.ts';
import { demo } from './bench.fixture.ts';

/** Whole jobs, with the fake Pulumi as a process of its own: what no function can show. */

const bin = fileURLToPath(new URL('../../../test/tools/pulumi/bin.ts', import.meta.url));
const bucket = (properties: object) => ({ type: 'aws:s3/bucket:Bucket', properties });
const program = { name: 'shop', runtime: 'yaml', resources: { a: bucket({ size: 1 }), b: bucket({ of: '${a.id}' }) } };

async function openJobs() {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pulumi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [programs, states] = [join(folder, 'bin'), join(folder, 'backend')];
  for (const made of [programs, states]) mkdirSync(made);
  writeFileSync(join(programs, 'pulumi'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, { mode: 0o755 });
  openBackend(states).write('dev', { resources: [], outputs: {}, pending: [] });
  const stage = openStage();
  const source = await stage.source({ 'stack/Pulumi.yaml': JSON.stringify(program) });
  const usual = {
    tool: 'pulumi',
    root: { path: 'stack', stack: 'dev', varFiles: [] },
    environment: { PULUMI_BACKEND_URL: pathToFileURL(states).href },
  } as const;
  return {
    stage,
    world: () => openBackend(states).world(),
    mischief: (more: Mischief) => writeFileSync(join(states, 'mischief.json'), JSON.stringify(more)),
    /** When the program hangs as it was told to. */
    hangs: () => vi.waitFor(() => expect(existsSync(join(states, 'hangs.json'))).toBe(true), { timeout: 60_000, interval: 20 }),
    job: (more: Partial<ToolWork> = {}, meanwhile?: Parameters<typeof stage.job>[1]): Promise<ToolOutcome> =>
      stage.job(workOn(source, { ...usual, drift: false, ...more }), meanwhile, { programs: [programs] }),
  };
}

describe('a job of Pulumi', () => {
  it('plans, and another one applies exactly what was saved; one whose bytes are others applies nothing (R4.2)', async () => {
    const { stage, job, world } = await openJobs();
    const planned = await job();
    expect(planned, planned.words).toMatchObject({ did: 'planned', plan: { changes: [{ actions: ['create'] }, { actions: ['create'] }] } });
    if (planned.did !== 'planned') return;
    const plan = await stage.saved(planned.plan);
    const { changes } = planned.plan;
    const altered = { ...plan, sha256: 'f'.repeat(64) };
    expect(await job({ do: 'apply', approved: { plan: altered, changes } })).toMatchObject({ did: 'failed', cause: 'plan-altered' });
    expect(world()).toEqual({});
    expect(await job({ do: 'apply', approved: { plan, changes } })).toMatchObject({ did: 'applied', differs: [], resources: [demo('a'), demo('b')] });
    expect(stage.leftBehind()).toEqual([]);
  });

  it('that is cancelled in the middle of an update asks Pulumi to end, and says what is done', async () => {
    const { job, mischief, hangs, world } = await openJobs();
    mischief({ hangs: 'create:b' });
    const outcome = await job({ do: 'plan-and-apply' }, async ({ cancel }) => {
      await hangs();
      await cancel();
    });
    expect(outcome, outcome.words).toMatchObject({ did: 'failed', cause: 'stopped', done: [demo('a')], notDone: [demo('b')], planned: { changes: [{}, {}] } });
    expect(Object.keys(world())).toEqual(['a']);
  });

  it('whose Pulumi is killed half way says what is done, read back from the state', async () => {
    const { job, mischief } = await openJobs();
    mischief({ dies: 'create:b' });
    const outcome = await job({ do: 'plan-and-apply' });
    expect(outcome, outcome.words).toMatchObject({
      did: 'failed',
      cause: 'apply-failed',
      message: 'pulumi up was killed.',
      done: [demo('a')],
      notDone: [demo('b')],
    });
  });

  it('whose preview writes 50 MB ends it; an update that writes 50 MB is let go on, and what it did is looked for', async () => {
    const { job, mischief } = await openJobs();
    const bytes = 50 * 1024 * 1024;
    mischief({ plays: { preview: { exit: 0, bytes } } });
    expect(await job()).toMatchObject({ did: 'failed', cause: 'output-too-large' });
    mischief({ plays: { up: { exit: 0, bytes } } });
    expect(await job({ do: 'plan-and-apply' })).toMatchObject({ did: 'failed', cause: 'not-understood', done: [], notDone: [demo('a'), demo('b')] });
  });
});
