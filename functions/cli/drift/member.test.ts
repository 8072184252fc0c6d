import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Invocation } from '../invocation.ts';
import { type Clone, cloned } from '../stack/clone.fixture.ts';
import { memberOf } from './member.ts';
import { ReadRefused } from './refused-read.ts';

const plan = 'version: 1\nchanges: []\n';
const policyOf = (...plans: readonly (readonly [name: string, path: string])[]): string =>
  JSON.stringify({ version: 1, plans: plans.map(([name, path]) => ({ name, path })) });
const two = policyOf(['shop', 'shop/release.plan.yaml'], ['billing', 'billing/release.plan.yaml']);

let clone: Clone;
beforeAll(() => {
  clone = cloned({ 'lockkeeper.yaml': two, 'shop/release.plan.yaml': plan, 'billing/release.plan.yaml': plan });
  mkdirSync(join(clone.folder, 'docs'));
});
afterAll(() => clone.remove());

const asked = (more: Partial<Invocation>): Invocation => ({
  command: 'drift',
  plan: 'release.plan.yaml',
  json: false,
  stateDir: '.lockkeeper',
  sim: false,
  local: false,
  reconcile: false,
  stack: 'Lockkeeper',
  ...more,
});

/** The plan file that is read from a folder of the clone, or the code of the refusal. */
const found = (folder: string, more: Partial<Invocation>) =>
  memberOf(asked(more), { cwd: join(clone.folder, folder) }).then(
    (invocation) => invocation.plan,
    (error: unknown) => {
      if (error instanceof ReadRefused) return error.code;
      throw error;
    },
  );

describe('the member of a drift read through a stack (R3.27, R3.28)', () => {
  it('is the plan of that name, from whatever folder', async () => {
    expect(await found('', { member: 'billing' })).toBe('billing/release.plan.yaml');
    expect(await found('docs', { member: 'shop' })).toBe('../shop/release.plan.yaml');
  });

  it('is the plan whose file is at hand, where none is named', async () => {
    expect(await found('shop', {})).toBe('release.plan.yaml');
    expect(await found('docs', { plan: '../billing/release.plan.yaml' })).toBe('../billing/release.plan.yaml');
  });

  it('is asked for where several could be meant, and refused where there is none of that name', async () => {
    expect(await found('docs', {})).toBe('member-required');
    expect(await found('shop', { member: 'shipping' })).toBe('no-drift-read');
  });
});

it('on a machine there is one member', async () => {
  const here = asked({});
  const { stack: _, ...machine } = here;
  expect(await memberOf({ ...machine, member: 'main' }, { cwd: clone.folder })).toMatchObject({ plan: 'release.plan.yaml' });
  await expect(memberOf({ ...machine, member: 'shop' }, { cwd: clone.folder })).rejects.toMatchObject({ code: 'no-drift-read' });
});
