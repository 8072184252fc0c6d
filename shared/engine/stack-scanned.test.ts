import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anyGraph } from '../drift/placement.ts';
import { parseJson } from '../drift/readers/json-text.ts';
import { readPulumiStream } from '../drift/readers/pulumi-stream.ts';
import { readTerraformPlan } from '../drift/readers/terraform-plan.ts';
import type { IgnoreRule } from '../scans/ignored.ts';
import { changesOfPlan } from '../stacks/terraform/changes.ts';
import type { StackChange, StackPlan } from '../stacks/tool-work.ts';
import { scannedStack, toldOf } from './stack-scanned.ts';

const identity = { adapter: 'terraform', account: { repository: '1' }, key: 'infra' };
const key = { id: 'k1', key: Buffer.alloc(32, 7) };
const recorded = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, '../../test/recordings', name));
const context = { member: 'infra', observedAt: '2026-11-30T12:00:00Z', show: [], key, graph: anyGraph };

function terraform(name: string): StackPlan {
  const json = parseJson(recorded(`terraform-drift/${name}`));
  const drift = readTerraformPlan(json, context).records;
  return { changes: changesOfPlan(json, { key, show: [] }), drift, outputs: {}, version: '1.11.4', saved: { bytes: '', sha256: 'f'.repeat(64) } };
}

const scan = (plan: StackPlan, rules: readonly IgnoreRule[] = []) => scannedStack(identity, plan, rules);
const words = (plan: StackPlan, rules: readonly IgnoreRule[] = []) =>
  scan(plan, rules).resources.map(({ key: name, drifted, pending, effect }) => `${name}: ${drifted ?? ''} ${pending ? 'pending' : ''} ${effect?.action ?? ''}`);

describe('a stack that somebody edited outside (R2.14, R2.17)', () => {
  const plan = terraform('plan-drift.json');

  it('has drifted, and nothing pending: what its plan would do is to put back what was edited (drift-changed, R2.32)', () => {
    const { resources } = scan(plan);
    expect(resources.length).toBeGreaterThan(4);
    expect(resources.every(({ pending }) => pending === undefined)).toBe(true);
    expect(resources.filter(({ drifted }) => drifted === undefined).map(({ label }) => label)).toEqual(['output.password', 'output.web_name']);
    expect(words(plan)).toContain('infra/module.inner.restapi_object.child: changed  update');
  });

  it('has files that were removed as missing, each with the effect that makes it again (removed-file, R2.32)', () => {
    const missing = scan(plan).resources.filter(({ drifted }) => drifted === 'missing');
    expect(missing.map(({ label }) => label)).toContain('local_sensitive_file.key');
    expect(new Set(missing.map(({ effect, change }) => `${effect?.action} ${change?.kind}`))).toEqual(new Set(['create create']));
  });

  it('names paths and keyed fingerprints, and no value (I1)', () => {
    const text = JSON.stringify(scan(plan));
    expect(text).not.toContain('CANARY');
    expect(text).not.toContain('edited-by-hand');
  });

  it('has an effect of the stack as a whole, which names no saved plan: no two are the same bytes', () => {
    const { stack } = scan(plan);
    expect(stack?.head).toEqual({ address: JSON.stringify(['terraform', [['repository', '1']], 'infra']), action: 'run', paths: [], waitsFor: [] });
  });

  it('keeps the tool’s records: what drifted as it is, and of the rest that it was seen', () => {
    const { stack } = scan(plan);
    expect(stack).toMatchObject({ engine: 'terraform', read: 'plan', version: '1.11.4' });
    const statuses = Object.groupBy(stack?.records ?? [], ({ status }) => status);
    expect([statuses['drifted']?.length, statuses['missing']?.length, statuses['in-sync']?.length]).toEqual([3, 3, 2]);
  });

  it('is another drift after another edit, and the same one after a change of the plan alone', () => {
    const prints = (of: StackPlan) => Object.fromEntries(scan(of).resources.map((one) => [one.key, one.fingerprint]));
    const now = prints(plan);
    const web = 'infra/restapi_object.member["web"]';
    expect(now[web]).toMatch(/^[0-9a-f]{64}$/);
    const edited = plan.drift.map((record) =>
      record.address === 'restapi_object.member["web"]'
        ? { ...record, attributes: (record.attributes ?? []).map((one) => ({ ...one, fingerprints: { key: 'k1', after: 'ff' } })) }
        : record,
    );
    expect(prints({ ...plan, drift: edited })[web]).not.toBe(now[web]);
    expect(prints({ ...plan, changes: plan.changes.map((one) => ({ ...one, after: { key: 'k1', mac: 'ff' } })) })).toEqual(now);
  });
});

describe('a stack with both', () => {
  it('has what the plan wants otherwise as pending, and beside it that it drifted as well (R2.18)', () => {
    const found = scan(terraform('plan-drift-and-change.json')).resources;
    const both = found.filter(({ drifted, pending }) => drifted !== undefined && pending === true);
    expect(both.map(({ label }) => label)).toEqual(['restapi_object.secretive']);
    expect(found.every(({ effect }) => effect !== undefined)).toBe(true);
  });

  it('calls what deletes or replaces pending, whatever made it necessary: that is never a repair', () => {
    const drift = [{ ...of('a'), status: 'drifted', attributes: [{ path: 'name' }] }] as const;
    for (const actions of [['delete', 'create'], ['create', 'delete'], ['delete']] as const)
      expect(words({ ...nothing, drift, changes: [{ ...change('a'), actions, paths: ['name'] }] })[0]).toMatch(/changed pending/);
  });
});

const nothing: StackPlan = { changes: [], drift: [], outputs: {}, version: '1' };
const of = (address: string) => ({ member: 'infra', engine: 'terraform', address, node: null, observedAt: '2026-11-30T12:00:00Z', read: 'plan' }) as const;
const change = (address: string): StackChange => ({ address, type: 't', actions: ['update'], paths: ['name'] });

describe('what policy ignores of a stack (R2.2)', () => {
  const plan = terraform('plan-drift.json');
  const ignoreAll = [{ reason: 'somebody else sees to it' }];

  it('is no drift, by resource or by path', () => {
    const gone = words(plan, [{ resource: 'restapi_object.member["web"]', reason: 'the shop names it' }]).find((one) => one.includes('member["web"]'));
    expect(gone).toBe('infra/restapi_object.member["web"]:  pending update');
    const [left] = scan({ ...nothing, drift: [{ ...of('a'), status: 'drifted', attributes: [{ path: 'x.y' }, { path: 'z' }] }] }, [
      { path: 'x', reason: 'r' },
    ]).resources;
    expect(left).toMatchObject({ drifted: 'changed', change: { fields: [{ path: 'z' }] }, ignored: [{ path: 'x.y', reason: 'r' }] });
  });

  it('is nothing to do where nothing else is: there is no effect of it, and none of the stack', () => {
    const { resources, stack } = scan(plan, ignoreAll);
    expect(resources.every(({ drifted, pending, effect }) => drifted === undefined && pending === undefined && effect === undefined)).toBe(true);
    expect(stack?.head).toBeUndefined();
  });

  it('is done along with what else there is, and then it is said: a tool applies all of its plan (R2.25)', () => {
    const both = { ...plan, changes: [...plan.changes, { ...change('terraform_data.new'), actions: ['create' as const] }] };
    const written = both.changes.filter(({ actions }) => actions.some((action) => action !== 'none' && action !== 'read'));
    const { resources } = scan(both, ignoreAll);
    expect(resources.filter(({ effect }) => effect !== undefined)).toHaveLength(written.length);
    expect(resources.filter(({ pending, ignored }) => pending && ignored).length).toBeGreaterThan(4);
  });
});

describe('a stack of Pulumi', () => {
  it('has drift that no path tells, as of a secret, and tells two of them apart by the resource (R2.15)', () => {
    const drift = readPulumiStream(recorded('pulumi/refresh-drift.ndjson'), context).records;
    const found = scan({ ...nothing, drift }).resources;
    expect(found.map(({ drifted }) => drifted).sort()).toEqual(['changed', 'changed', 'changed', 'missing']);
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(4);
    const secret = { ...of('urn:pulumi:dev::p::a:b:C::s'), status: 'drifted', attributesUnobserved: { reason: 'cannot-read' } } as const;
    const print = (mac: string) => {
      const [one] = scan({ ...nothing, drift: [secret], changes: [{ ...change(secret.address), before: { key: 'k1', mac } }] }).resources;
      return one?.fingerprint;
    };
    expect(print('aa')).not.toBe(print('bb'));
    expect(print('aa')).toBe(print('aa'));
  });

  it('has drift without an effect where its preview puts nothing back: it is told, and there is nothing to tick', () => {
    const [one] = scan({ ...nothing, drift: [{ ...of('a'), status: 'drifted', attributes: [{ path: 'x' }] }] }).resources;
    expect(one).toMatchObject({ drifted: 'changed' });
    expect(one).not.toHaveProperty('effect');
  });
});

describe('the tool’s records beside it', () => {
  it('are as many as a line holds: what is as it should be is counted from 500 on', () => {
    const records = Array.from({ length: 620 }, (_, at) => ({ ...of(`a.b[${at}]`), status: 'in-sync' as const }));
    const look = toldOf([...records, { ...of('c.d'), status: 'drifted', attributes: [{ path: 'x' }] }]);
    expect([look.records.length, look.more, look.records[0]?.status]).toEqual([501, 120, 'drifted']);
  });
});
