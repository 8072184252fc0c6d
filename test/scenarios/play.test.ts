/** The judges of scenarios, judged: each sees what it is there to see. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { always } from '../../shared/table/condition.ts';
import { type ClockedCloud, openCloud } from '../house/cloud.ts';
import { brokenChains, changedByReplay, snapshot, touched, untidy } from './invariants.ts';
import { leakScan } from './leaks.ts';
import { moves } from './moves.ts';
import { play } from './play.ts';
import { readScenario, type Scenario, type Step } from './scenario.ts';
import { openStage, type Stage } from './stage.ts';

let cloud: ClockedCloud;
beforeAll(async () => {
  cloud = await openCloud();
});
afterAll(() => cloud.stop());

const lines = '  - { id: cb, adapter: clerk, op: redirect_allow, url: https://feat.acme.example/ }';

/** A scenario of one line and these steps. */
function scenarioOf(steps: string, more = ''): Scenario {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-scenario-'));
  try {
    const file = join(folder, 'one.yaml');
    writeFileSync(file, `name: a scenario of a test\nrules: [I1]\nplan:\n${lines}\nsteps:\n${steps}\n${more}`);
    return readScenario(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A stage on which a pull request was opened and applied. */
async function applied(): Promise<Stage> {
  const stage = openStage(cloud, scenarioOf('  - open: feat'));
  await moves['open']?.perform(stage, 'feat' as never, {} as Step);
  return stage;
}

describe('a scenario that does not hold', () => {
  it('names each difference on a line of its own, with the report', async () => {
    const wrong = scenarioOf('  - open: feat\n    expect: { status: failed, lines: { cb: unchanged }, writes: 7, clerk: [] }');
    const said = await play(cloud, wrong).catch((error: Error) => error.message);
    expect(said).toContain('status: expected "failed", was "complete"');
    expect(said).toContain('lines.cb.status: expected "unchanged", was "applied"');
    expect(said).toContain('writes: expected 7, was 1: POST /redirect_urls');
    expect(said).toContain('clerk: expected 0 of them');
    expect(said).toContain('The report of its apply: complete');
  });

  it('is one whose fate befalls nobody, and one whose meanwhile never comes', async () => {
    await expect(play(cloud, scenarioOf('  - open: feat\n    fate: { of: provider.fetch, after: 99, is: after }'))).rejects.toThrow('befell nobody');
    await expect(play(cloud, scenarioOf('  - open: feat\n    meanwhile: { at: DELETE /**, do: [{ minutes: 1 }] }'))).rejects.toThrow(
      'nothing happened meanwhile',
    );
  });

  it('is refused when a key is misspelt, or a step makes no move or two', () => {
    expect(() => scenarioOf('  - open: feat\n    expect: { staus: complete }')).toThrow('staus');
    expect(() => scenarioOf('  - expect: { status: complete }')).toThrow('exactly one move');
    expect(() => scenarioOf('  - open: feat\n    close: true')).toThrow('exactly one move');
  });
});

describe('what holds after every step', () => {
  it('I1: a canary in the log is seen, however it is spelt, and what was scanned before is not forgotten to be wrong', async () => {
    const stage = await applied();
    const scan = leakScan(stage);
    expect(scan()).toEqual([]);
    const logged = stage.house.log as string[];
    logged.push(`{"message":"${Buffer.from('canary-stripe-4a6c8e0b2d').toString('base64')}"}`);
    expect(scan()).toEqual([expect.stringMatching(/^I1: .*STRIPE_KEY is in the log$/)]);
  });

  it('I1: a canary that was written to the table and is gone again is seen, unless the step says why it may', async () => {
    const stage = await applied();
    const scan = leakScan(stage);
    expect(scan()).toEqual([]);
    const writeAndForget = async () => {
      const key = { pk: 'RUN#x', sk: 'LINE#x' };
      await stage.house.memory.table.write(key, { put: { seen: new Set(['canary-stripe-4a6c8e0b2d']) } }, always);
      await stage.house.memory.table.write(key, { delete: true }, always);
    };
    await writeAndForget();
    expect(scan()).toEqual([expect.stringMatching(/^I1: .*STRIPE_KEY is in the table writes$/)]);
    await writeAndForget();
    expect(scan({ except: { writes: 'a reason for it' } })).toEqual([]);
  });

  it('I5: a resource that nobody manages is missed, and so is a change of it', async () => {
    const stage = await applied();
    const before = snapshot(stage);
    stage.house.sim.control.edit('clerk.delete', { url: 'https://storefront.acme.example/sso-callback' });
    stage.house.sim.control.edit('vercel.set', { key: 'NEXT_PUBLIC_SITE_NAME', value: 'other' });
    expect(touched(before, snapshot(stage))).toEqual([expect.stringContaining('was changed'), expect.stringContaining('is gone')]);
  });

  it('I6: a link of the chain that does not follow is seen', async () => {
    const stage = await applied();
    expect(await brokenChains(stage, false)).toEqual([]);
    await moves['tamper']?.perform(stage, { previous: 'a digest of something else' } as never, {} as Step);
    expect(await brokenChains(stage, false)).toEqual([expect.stringContaining('I6')]);
  });

  it('I10: a message that does something when it comes again is seen', async () => {
    const stage = await applied();
    await moves['push']?.perform(stage, true as never, { unheard: true } as Step);
    const sent = stage.house.queues.sent.length;
    await stage.house.webhook(stage.house.sim.control.webhook('pull_request.synchronize', { number: 1, before: '0'.repeat(40) }));
    while (stage.house.queues.take());
    expect(await changedByReplay(stage, sent)).toEqual([expect.stringContaining('changed a run')]);
  });

  it('P4: a claim without its entry, and a lease that was not given back, are seen', async () => {
    const stage = await applied();
    expect(untidy(stage)).toEqual([]);
    const entry = stage.house.memory.items().find((item) => item.sk === 'LEDGER#cb');
    const lease = stage.house.memory.items().find((item) => item.sk === 'LEASE');
    if (!entry || !lease) throw new Error('an applied stage has both');
    await stage.house.memory.table.write(entry, { set: { entries: [] } }, { is: 'always' });
    await stage.house.memory.table.write(lease, { remove: ['released'] }, { is: 'always' });
    expect(untidy(stage)).toEqual([expect.stringContaining('not given back'), expect.stringContaining('a claim without an entry')]);
  });
});
