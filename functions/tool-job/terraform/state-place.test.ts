/** A state that would go away with its job is refused before anything is made (I3, I8). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolWork } from '../../../shared/stacks/tool-work.ts';
import type { ToolFailed } from '../tool-failed.ts';
import { refusePassingState } from './state-place.ts';

interface Root {
  readonly backend?: object;
  readonly machine?: 'staying' | 'passing';
  readonly workspace?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What is said of a root whose `init` has noted this, in a job below `/private`; undefined: nothing. */
function said({ backend, machine = 'staying', workspace, environment = {} }: Root): string | undefined {
  const data = mkdtempSync(join(tmpdir(), 'lockkeeper-data-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  mkdirSync(data, { recursive: true });
  if (backend) writeFileSync(join(data, 'terraform.tfstate'), JSON.stringify({ version: 3, backend }));
  const root = { path: 'infra/queue', varFiles: [], ...(workspace === undefined ? {} : { stack: workspace }) };
  const work = { root, environment } as unknown as ToolWork;
  try {
    refusePassingState({ work, source: '/private/job/source', machine }, data);
    return undefined;
  } catch (error) {
    expect((error as ToolFailed).failure).toMatchObject({ cause: 'no-backend' });
    return (error as ToolFailed).failure.message;
  }
}

const local = (config: object = {}): object => ({ type: 'local', config: { path: null, workspace_dir: null, ...config }, hash: 1 });
const kept = { path: '/home/ada/queue.tfstate', workspace_dir: '/home/ada/queue' };

test.each<[string, Root, string | undefined]>([
  ['no backend at all', {}, 'its root declares no backend'],
  ['one elsewhere', { backend: { type: 's3', config: { bucket: 'b' }, hash: 1 } }, undefined],
  ['one elsewhere, in a build', { backend: { type: 'cloud', config: {}, hash: 1 }, machine: 'passing' }, undefined],
  ['a file in the folder', { backend: local() }, 'without an absolute `path`'],
  ['a relative file', { backend: local({ path: '../state.tfstate' }) }, 'without an absolute `path`'],
  ['a file in the private copy', { backend: local({ path: '/private/job/own/state' }) }, 'without an absolute `path`'],
  ['a file that stays', { backend: local(kept) }, undefined],
  ['a file that stays, in a build', { backend: local(kept), machine: 'passing' }, 'the machine that the job runs on goes away'],
  ['workspaces below the folder', { backend: local({ path: kept.path }), workspace: 'pr-7' }, 'without an absolute `workspace_dir`'],
  ['a workspace of the environment', { backend: local({ path: kept.path }), environment: { TF_WORKSPACE: 'pr-7' } }, 'without an absolute `workspace_dir`'],
  ['workspaces that stay', { backend: local(kept), workspace: 'pr-7' }, undefined],
])('%s', (_name, root, why) => {
  const told = said(root);
  if (why === undefined) expect(told).toBeUndefined();
  else expect(told).toContain(why);
});
