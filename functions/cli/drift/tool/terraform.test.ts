import { describe, expect, it } from 'vitest';
import { ReadRefused } from '../refused-read.ts';
import { readTerraform } from './terraform.ts';
import { failed, played, printed, recording, terraformVersion } from './tool-read.fixture.ts';

const state = ['terraform show -json -no-color', recording('terraform-drift/state-before.json')] as const;
const shownPlan = ['terraform show -json -no-color /', recording('terraform-drift/plan-drift.json')] as const;
const broken = JSON.stringify({ type: 'diagnostic', diagnostic: { severity: 'error', summary: 'CANARY-in-a-message', address: 'restapi_object.pool[1]' } });

describe('a root of Terraform, read as a plan', () => {
  it('is what the refresh of the plan found, with paths and no value', async () => {
    const { asked, calls } = played({ tool: 'terraform' }, [terraformVersion, ['terraform plan', printed('')], shownPlan]);
    const { records, read, unread } = await readTerraform(asked);
    expect({ read, unread }).toEqual({ read: 'plan', unread: undefined });
    expect(records.filter(({ status }) => status === 'drifted').map(({ address }) => address)).toContain('module.inner.restapi_object.child');
    expect(JSON.stringify(records)).not.toContain('CANARY');
    expect(calls.map(({ line }) => line)).toEqual([
      'terraform version -json',
      'terraform plan -input=false -no-color -json -refresh=true -lock=false -out=/nowhere/scratch/plan.bin',
      'terraform show -json -no-color /nowhere/scratch/plan.bin',
    ]);
  });

  it('shows the values of what is listed, and of nothing else', async () => {
    const shown = await readTerraform(
      played({ tool: 'terraform' }, [terraformVersion, ['terraform plan', printed('')], shownPlan], {
        context: { ...played({ tool: 'terraform' }, []).asked.context, show: [{ type: 'restapi_object', way: ['api_data', 'name'] }] },
      }).asked,
    );
    expect(JSON.stringify(shown.records)).toContain('edited-by-hand');
    expect(JSON.stringify(shown.records)).not.toContain('CANARY');
  });

  it('stands a resource nowhere whose block is gone, and every other below its root (R3.17)', async () => {
    const mixed = ['terraform show -json -no-color /', recording('terraform/plan-mixed.json')] as const;
    const { records } = await readTerraform(played({ tool: 'terraform' }, [terraformVersion, ['terraform plan', printed('')], mixed]).asked);
    const undeclared = records.filter(({ status, address }) => status === 'undeclared' && !address.includes('['));
    expect(undeclared.length).toBeGreaterThan(0);
    expect(new Set(undeclared.map(({ node }) => node))).toEqual(new Set([null]));
    expect(records.filter(({ node }) => node !== null).length).toBeGreaterThan(3);
    for (const { node } of records) expect(node === null || node.startsWith('network/network/')).toBe(true);
  });

  it('falls back to what is recorded when the plan fails, and says of each record from what (R3.23)', async () => {
    const { asked } = played({ tool: 'terraform' }, [terraformVersion, ['terraform plan', failed('', broken)], state]);
    const { records, read, notes } = await readTerraform(asked);
    expect(read).toBe('state');
    expect(records.length).toBeGreaterThan(5);
    expect(new Set(records.map((record) => `${record.status} ${record.read} ${record.fellBackFrom}`))).toEqual(new Set(['recorded state plan']));
    expect(notes.join()).toContain('failed at restapi_object.pool[1]');
    expect(notes.join()).not.toContain('CANARY');
  });

  it('is not observed where both fail, with what to do, and without a word of the tool (R3.9)', async () => {
    const { records, unread } = await readTerraform(
      played({ tool: 'terraform' }, [terraformVersion, ['terraform plan', failed('', broken)], ['terraform show', failed('CANARY-too')]]).asked,
    );
    expect(records).toEqual([expect.objectContaining({ address: 'network', status: 'not-observed', read: 'plan' })]);
    expect(records[0]?.unobserved).toEqual({ reason: 'read-failed', detail: expect.stringContaining('run `terraform plan -lock=false` in infra') });
    expect(JSON.stringify([records, unread])).not.toContain('CANARY');
  });

  it('says that a root is not initialised, and initialises nothing (R3.24)', async () => {
    const init = failed('│ Error: Module not installed\n│ run "terraform\n│ init" to install all modules');
    const { asked, calls } = played({ tool: 'terraform' }, [terraformVersion, ['terraform plan', init], ['terraform show', init]]);
    expect((await readTerraform(asked)).records[0]?.unobserved).toEqual({
      reason: 'read-failed',
      detail: expect.stringContaining('run `terraform init` in infra'),
    });
    expect(calls.some(({ line }) => /^terraform init/.test(line))).toBe(false);
  });
});

describe('a root of OpenTofu, read as its state', () => {
  const tofu = ['tofu version', printed('{"terraform_version":"1.12.6"}')] as const;

  it('says what is recorded and asks nothing what is live (R3.9)', async () => {
    const { asked, calls } = played({ tool: 'tofu' }, [tofu, ['tofu show -json', recording('opentofu-drift/state-before.json')]], { read: 'state' });
    const { records, engine } = await readTerraform(asked);
    expect(engine).toBe('tofu');
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['recorded']));
    expect(calls.map(({ line }) => line)).toEqual(['tofu version -json', 'tofu show -json -no-color']);
  });

  it('is of the workspace that the line names, by its variable', async () => {
    const line = { tool: 'tofu', root: { path: 'infra', stack: 'blue', varFiles: [] } } as const;
    const workspaces = ['tofu workspace list', printed('  default\n* green\n  blue\n\n')] as const;
    const { asked, calls } = played(line, [tofu, workspaces, ['tofu show -json', recording('opentofu-drift/state-before.json')]], { read: 'state' });
    await readTerraform(asked);
    expect(calls.map(({ variables }) => variables['TF_WORKSPACE'])).toEqual([undefined, undefined, 'blue']);
  });

  it('is refused where that workspace is not there, and reads no other one in its place (R3.31)', async () => {
    const line = { tool: 'tofu', root: { path: 'infra', stack: 'red', varFiles: [] } } as const;
    const { asked, calls } = played(line, [tofu, ['tofu workspace list', printed('* default\n  reddish\n')]], { read: 'state' });
    await expect(readTerraform(asked)).rejects.toThrow(ReadRefused);
    await expect(readTerraform(asked)).rejects.toMatchObject({ code: 'no-drift-read', message: expect.stringContaining('no workspace red') });
    expect(calls.every(({ line: said }) => /version|workspace list/.test(said))).toBe(true);
  });
});

describe('a tool that cannot be used', () => {
  it.each([
    ['is missing', { end: 'missing' } as const, undefined, 'not installed'],
    ['cannot be executed', { end: 'not-executable' } as const, undefined, 'permissions'],
    ['is too old', printed('{"terraform_version":"1.4.7"}'), undefined, '1.5.0 is the least'],
    ['is another one than the line pins', printed('{"terraform_version":"1.11.4"}'), '1.10.0', 'pins terraform 1.10.0'],
    ['does not say its version', printed('nothing of the kind'), undefined, 'does not say its version'],
  ])('%s: nothing is observed, and the record says what to do', async (_, answer, version, says) => {
    const { asked, calls } = played({ tool: 'terraform', ...(version === undefined ? {} : { version }) }, [['terraform version', answer]]);
    const { records } = await readTerraform(asked);
    expect(records).toEqual([
      expect.objectContaining({ status: 'not-observed', unobserved: { reason: 'cannot-read', detail: expect.stringContaining(says) } }),
    ]);
    expect(calls).toHaveLength(1);
  });
});
