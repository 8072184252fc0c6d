import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackLine } from '../../../../shared/engine/op.ts';
import { runCommand } from '../../../../shared/platform/command.ts';
import { leastVersions, versionFault } from '../../../../shared/stacks/version.ts';
import { readTerraform } from './terraform.ts';
import { played } from './tool-read.fixture.ts';

const environment = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: '/dev/null' };
const there = (['terraform', 'tofu'] as const).flatMap((tool) => {
  try {
    const said = execFileSync(tool, ['version', '-json'], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
    const { terraform_version: version } = JSON.parse(said) as { terraform_version: string };
    return versionFault(tool, version, undefined) === undefined ? [{ tool, version }] : [];
  } catch {
    return [];
  }
});

it(`says what real tool these tests ran with: ${there.map(({ tool, version }) => `${tool} ${version}`).join(', ') || 'none, nothing below was run'}`, () => {
  expect(Object.keys(leastVersions)).toContain(there[0]?.tool ?? 'terraform');
});

describe.each(there)('$tool $version, run in a folder that is a person’s', ({ tool }) => {
  let folder: string;
  let scratch: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'root-'));
    scratch = mkdtempSync(join(tmpdir(), 'scratch-'));
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'inner/main.tf'), 'resource "terraform_data" "child" { input = 1 }\n');
    writeFileSync(
      join(folder, 'main.tf'),
      `variable "password" { sensitive = true }
resource "terraform_data" "pool" {
  count = 2
  input = "p\${count.index}"
}
resource "terraform_data" "secretive" { input = var.password }
module "inner" { source = "./inner" }
`,
    );
    const values = JSON.stringify({ password: 'CANARY-of-a-variable' });
    writeFileSync(join(scratch, 'values.tfvars.json'), values);
  });
  afterAll(() => {
    for (const one of [folder, scratch]) rmSync(one, { recursive: true });
  });

  const typed = (...args: string[]) => execFileSync(tool, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const reading = (more: Partial<StackLine> = {}, read: 'plan' | 'state' = 'plan') =>
    readTerraform(
      played({ tool, ...more }, [], {
        read,
        folder,
        scratch,
        environment,
        call: (args, variables = {}) =>
          runCommand({ program: tool, args, folder, environment: { ...environment, ...variables }, timeoutMs: 120_000, mostBytes: 10_000_000 }),
      }).asked,
    );

  /** Every file and folder, with what it holds. */
  function contents(at = folder): string[] {
    return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
      const path = join(at, entry.name);
      return entry.isDirectory()
        ? [path, ...contents(path)]
        : [`${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')} ${statSync(path).mtimeMs}`];
    });
  }

  it('is told apart where it was never initialised, and stays so: no read initialises (R3.24)', async () => {
    const before = contents();
    const { records, unread } = await reading();
    expect(records).toEqual([expect.objectContaining({ address: 'network', status: 'not-observed' })]);
    expect(unread).toContain(`run \`${tool} init\` in infra`);
    expect(contents()).toEqual(before);
  });

  it('is what is pending before the first apply, then in sync; and the folder is as it was, byte for byte', async () => {
    typed('init', '-input=false');
    const before = contents();
    const statusOf = async (...more: Parameters<typeof reading>) =>
      Object.fromEntries((await reading(...more)).records.map(({ address, status }) => [address, status]));
    expect(await statusOf()).toEqual({
      'module.inner.terraform_data.child': 'pending',
      'terraform_data.pool[0]': 'pending',
      'terraform_data.pool[1]': 'pending',
      'terraform_data.secretive': 'pending',
    });
    expect(contents()).toEqual(before);
    typed('apply', '-auto-approve', '-input=false', `-var-file=${join(scratch, 'values.tfvars.json')}`);
    const applied = contents();
    expect(new Set(Object.values(await statusOf()))).toEqual(new Set(['in-sync']));
    expect(new Set(Object.values(await statusOf({}, 'state')))).toEqual(new Set(['recorded']));
    expect(JSON.stringify((await reading()).records)).not.toContain('CANARY');
    expect(contents()).toEqual(applied);
  });

  it('is read although somebody has its lock, for a read takes none (drift-locked, R2.32)', async () => {
    const lock = join(folder, '.terraform.tfstate.lock.info');
    writeFileSync(lock, JSON.stringify({ ID: 'x', Operation: 'OperationTypeApply', Who: 'somebody' }));
    expect((await reading()).read).toBe('plan');
    expect(contents().some((entry) => entry.startsWith(lock))).toBe(true);
    rmSync(lock);
  });

  it('falls back to what is recorded where its plan fails (R3.23)', async () => {
    const further = join(folder, 'further.tf');
    writeFileSync(further, 'variable "nobody_sets_it" { description = "CANARY" }\n');
    const { records, read, notes } = await reading();
    rmSync(further);
    expect({ read, fellBackFrom: new Set(records.map(({ fellBackFrom }) => fellBackFrom)) }).toEqual({ read: 'state', fellBackFrom: new Set(['plan']) });
    expect(JSON.stringify([records, notes])).not.toContain('CANARY');
  });

  it('is refused where the line names a workspace that is not there, and none is made (R3.31)', async () => {
    const before = contents();
    await expect(reading({ root: { path: 'infra', stack: 'blue', varFiles: [] } })).rejects.toMatchObject({ code: 'no-drift-read' });
    expect(contents()).toEqual(before);
  });

  it('is of the default workspace where the line names none, whatever somebody has selected', async () => {
    typed('workspace', 'new', 'green');
    expect(new Set((await reading()).records.map(({ status }) => status))).toEqual(new Set(['in-sync']));
    expect(new Set((await reading({ root: { path: 'infra', stack: 'green', varFiles: [] } })).records.map(({ status }) => status))).toEqual(
      new Set(['pending']),
    );
    expect(typed('workspace', 'show').trim()).toBe('green');
  });
});
