import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../drift/readers/json-text.ts';
import { shownOf } from '../../drift/readers/show.ts';
import { UnreadableError } from '../../drift/readers/unreadable.ts';
import { fingerprintKey } from '../../secrets/keys.ts';
import { NotUnderstoodError } from '../not-understood.ts';
import type { StackChange } from '../tool-work.ts';
import { type ChangeContext, changesOfPlan } from './changes.ts';

const recordings = join(import.meta.dirname, '../../../test/recordings');
const context: ChangeContext = { key: fingerprintKey('f'.repeat(40)), show: [] };
const read = (name: string): Uint8Array => readFileSync(join(recordings, name));
const changesIn = (name: string, more: Partial<ChangeContext> = {}): StackChange[] => changesOfPlan(parseJson(read(name)), { ...context, ...more });

/** A plan of one row, in the tool's form. */
function planOf(row: object, more: object = {}): StackChange[] {
  const document = {
    format_version: '1.2',
    terraform_version: '1.11.4',
    configuration: {},
    planned_values: { root_module: {} },
    resource_changes: [row],
    ...more,
  };
  return changesOfPlan(parseJson(Buffer.from(JSON.stringify(document))), context);
}

const row = (change: object, more: object = {}): object => ({
  address: 'aws_eip.one',
  mode: 'managed',
  type: 'aws_eip',
  name: 'one',
  provider_name: 'p',
  change,
  ...more,
});

describe('the change set of a recorded plan', () => {
  it('has one change for each object that something is done to, in the order in which it is done (R4.9)', () => {
    const told = changesIn('terraform/plan-mixed.json').map(({ address, actions, previousAddress }) => [address, actions.join(' '), previousAddress]);
    expect(told).toEqual([
      ['data.terraform_remote_state.late', 'read', undefined],
      ['module.app.terraform_data.service', 'update', undefined],
      ['module.regional["eu"].terraform_data.service', 'update', undefined],
      ['module.regional["us"].terraform_data.service', 'update', undefined],
      ['terraform_data.abandoned', 'forget', undefined],
      ['terraform_data.adopted', 'import', undefined],
      ['terraform_data.after_read', 'create', undefined],
      ['terraform_data.edge', 'create delete', undefined],
      ['terraform_data.legacy', 'delete', undefined],
      ['terraform_data.new_name', 'none', 'terraform_data.old_name'],
      ['terraform_data.pool[0]', 'update', undefined],
      ['terraform_data.pool[1]', 'update', undefined],
      ['terraform_data.release', 'delete create', undefined],
    ]);
  });

  it('names what changes, what forces a replacement, and keeps fingerprints of both sides', () => {
    const changes = changesIn('terraform/plan-mixed.json');
    const of = (address: string) => changes.find((change) => change.address === address);
    expect(of('terraform_data.edge')).toMatchObject({ replacePaths: ['triggers_replace'], paths: ['id', 'triggers_replace', 'triggers_replace[0]'] });
    expect(of('terraform_data.pool[0]')).toMatchObject({ paths: ['input', 'output'], before: { mac: expect.any(String) }, after: { mac: expect.any(String) } });
    expect(of('terraform_data.after_read')?.before).toBeUndefined();
    expect(of('terraform_data.legacy')?.after).toBeUndefined();
  });

  it.each(['terraform/plan-noop.json', 'terraform-drift/plan-noop.json'])('of nothing to do is empty: %s', (name) => {
    expect(changesIn(name)).toEqual([]);
  });

  it('says nothing of what only drifted, and repairs it by what it would do', () => {
    expect(changesIn('terraform-drift/plan-refresh-only.json').filter(({ type }) => type !== 'output')).toEqual([]);
    const repair = changesIn('opentofu-drift/plan-drift.json').map(({ address, actions }) => `${actions.join(' ')} ${address}`);
    expect(repair).toContain('update restapi_object.secretive');
    expect(repair).toContain('create restapi_object.pool[1]');
  });

  it('holds no planted secret, in whatever a policy shows (I1)', () => {
    for (const name of [
      'terraform/plan-create.json',
      'terraform/plan-mixed.json',
      'terraform-drift/plan-drift-and-change.json',
      'opentofu-drift/plan-drift.json',
    ]) {
      const show = ['terraform_data#input', 'terraform_data#output', 'restapi_object#data', 'restapi_object#api_data', 'restapi_object#api_response'];
      const changes = changesIn(name, { show: show.flatMap((text) => shownOf(text) ?? []) });
      expect(changes.length).toBeGreaterThan(0);
      expect(JSON.stringify(changes)).not.toContain('CANARY');
    }
  });

  it('shows what policy lists, and nothing else', () => {
    const show = ['terraform_data#input', 'terraform_data#output'].flatMap((text) => shownOf(text) ?? []);
    const pool = changesIn('terraform/plan-mixed.json', { show }).find(({ address }) => address === 'terraform_data.pool[1]');
    expect(pool?.shown).toEqual([{ path: 'input', before: 'ip-1-1', after: 'ip-1-2' }]);
    expect(changesIn('terraform/plan-mixed.json').some(({ shown }) => shown !== undefined)).toBe(false);
  });
});

describe('a change', () => {
  it('counts as another when a secret in it is another: fingerprints are of the whole resource', () => {
    const of = (secret: string) =>
      planOf(row({ actions: ['update'], before: { a: 1 }, after: { a: 2, secret }, after_unknown: {}, after_sensitive: { secret: true } }))[0];
    expect(of('one')?.after).not.toEqual(of('two')?.after);
    expect(of('one')?.before).toEqual(of('two')?.before);
  });

  it('tells what the provider decides from what is known to be nothing', () => {
    const of = (unknown: object, after: object) => planOf(row({ actions: ['update'], before: { id: 'x' }, after, after_unknown: unknown }))[0]?.after;
    expect(of({ id: true }, {})).not.toEqual(of({}, {}));
    expect(of({ id: true, tags: {} }, {})).toEqual(of({ id: true, list: [false] }, {}));
  });

  it('of a deposed object is one of its own', () => {
    const changes = planOf(row({ actions: ['delete'], before: { id: 'x' }, after: null, after_unknown: false }, { deposed: '7838e396' }));
    expect(changes).toMatchObject([{ address: 'aws_eip.one (deposed 7838e396)', actions: ['delete'] }]);
  });

  it('may be an import with an update behind it, or a replacement that leaves the old one alone', () => {
    const change = { before: { a: 1 }, after: { a: 2 }, after_unknown: {} };
    expect(planOf(row({ ...change, actions: ['update'], importing: { id: 'i' } }))[0]?.actions).toEqual(['import', 'update']);
    expect(planOf(row({ ...change, actions: ['create', 'forget'] }))[0]?.actions).toEqual(['create', 'forget']);
  });

  it('moved and updated at once has both', () => {
    const change = row({ actions: ['update'], before: { a: 1 }, after: { a: 2 }, after_unknown: {} }, { previous_address: 'aws_eip.old' });
    expect(planOf(change)).toMatchObject([{ actions: ['update'], previousAddress: 'aws_eip.old' }]);
  });

  it('of an output is one, too: it is applied', () => {
    const outputs = {
      output_changes: { url: { actions: ['update'], before: 'a', after: 'b', after_unknown: false }, kept: { actions: ['no-op'], before: 1, after: 1 } },
    };
    expect(planOf(row({ actions: ['no-op'], before: {}, after: {}, after_unknown: {} }), outputs)).toMatchObject([
      { address: 'output.url', type: 'output', actions: ['update'] },
    ]);
  });
});

describe('what is not known', () => {
  const notUnderstood = (make: () => unknown): NotUnderstoodError => {
    try {
      make();
    } catch (error) {
      if (error instanceof NotUnderstoodError) return error;
      throw error;
    }
    return expect.fail('it was understood');
  };

  it.each([['teleport'], ['delete', 'update'], [], ['create', 'create']])('is refused with its address: %j', (...actions) => {
    expect(notUnderstood(() => planOf(row({ actions, before: null, after: null })))).toMatchObject({ address: 'aws_eip.one' });
  });

  it('is refused when it is work that stands elsewhere in the plan', () => {
    const none = row({ actions: ['no-op'], before: {}, after: {} });
    const deferred = { deferred_changes: [{ reason: 'unknown', resource_change: { address: 'aws_eip.late' } }] };
    expect(notUnderstood(() => planOf(none, deferred)).address).toBe('aws_eip.late');
    expect(notUnderstood(() => planOf(none, { action_invocations: [{ address: 'action.aws_lambda_invoke.a' }] })).address).toBe('action.aws_lambda_invoke.a');
    expect(notUnderstood(() => planOf(none, { errored: true })).address).toBeUndefined();
    expect(notUnderstood(() => planOf(none, { output_changes: { o: { actions: ['rename'] } } })).address).toBe('output.o');
  });

  it.each(['{"format_version":"2.0","planned_values":{}}', '{"format_version":"1.2"}', '[]', '{}'])(
    'is refused when it is no plan, and not quoted: %s',
    (text) => {
      expect(() => changesOfPlan(parseJson(Buffer.from(text)), context)).toThrow(UnreadableError);
    },
  );

  it('and what is opened for the time of a run alone is nothing that changes', () => {
    expect(planOf(row({ actions: ['open'], before: null, after: null }, { mode: 'ephemeral' }))).toEqual([]);
  });
});
