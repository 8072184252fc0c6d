import { describe, expect, it } from 'vitest';
import { driftDocumentDigest } from '../drift/document.ts';
import type { ShownChange, ShownField } from '../engine/op.ts';
import type { DriftItem } from '../run/report.ts';
import type { LineFinding } from './findings.ts';
import { recordsOfFindings } from './records-of-findings.ts';
import type { ScannedResource } from './scanned-line.ts';

const change = (kind: ShownChange['kind'], ...fields: ShownField[]): ShownChange => ({ key: 'k', label: 'K', kind, fields });
const literal = (value: string) => ({ state: 'literal', value }) as const;
const resource = (more: Partial<ScannedResource> = {}): ScannedResource => ({
  key: 'k',
  label: 'K',
  address: '["a",{},"k"]',
  change: change('unchanged'),
  ...more,
});

const line = (more: Partial<LineFinding> = {}): LineFinding => ({
  id: 'web',
  adapter: 'vercel',
  op: 'env',
  looked: 'yes',
  resources: [resource()],
  deeds: [],
  ...more,
});
const records = (lines: readonly LineFinding[], beside: readonly DriftItem[] = []) =>
  recordsOfFindings({ plan: 'shop', endedAt: '2026-11-30T10:00:00.000Z', lines, beside });
const whose = ['member', 'engine', 'address', 'resourceType', 'node', 'instanceOf', 'observedAt', 'read'];
/** What is said of one resource, beside whose it is. */
const said = (more: Partial<ScannedResource>) =>
  Object.fromEntries(records([line({ resources: [resource(more)] })]).flatMap((one) => Object.entries(one).filter(([name]) => !whose.includes(name))));

describe('a scan as drift records (R3.1)', () => {
  it('is of the plan, by lockkeeper, at the line and the key of its resource (R3.3, R3.17)', () => {
    expect(records([line({ resources: [resource({ key: 'env:preview:feat/"x":NAME' })] })])).toEqual([
      {
        member: 'shop',
        engine: 'lockkeeper',
        address: 'web["env:preview:feat/\\"x\\":NAME"]',
        resourceType: 'vercel.env',
        node: 'shop/web["env:preview:feat/\\"x\\":NAME"]',
        instanceOf: 'shop/web',
        observedAt: '2026-11-30T10:00:00.000Z',
        read: 'live-read',
        status: 'in-sync',
      },
    ]);
  });

  it('says what was expected before, and what is live after', () => {
    const fields = [{ path: 'value', before: literal('live'), after: literal('wanted') }];
    expect(said({ drifted: 'changed', change: change('update', ...fields) })).toEqual({
      status: 'drifted',
      attributes: [{ path: 'value', before: 'wanted', after: 'live' }],
    });
    expect(said({ drifted: 'replaced', change: change('update', ...fields) })).toMatchObject({ status: 'drifted', evidence: { engineCode: 'replaced' } });
    expect(said({ drifted: 'missing', change: change('create') })).toEqual({ status: 'missing' });
  });

  it('keeps drift and what is pending apart: only what was never made is pending', () => {
    expect(said({ pending: true, change: change('create') })).toEqual({ status: 'pending' });
    expect(said({ pending: true, change: change('update', { path: 'a', before: literal('1'), after: literal('2') }) })).toEqual({ status: 'in-sync' });
    expect(said({ pending: true, drifted: 'changed', change: change('update') })).toMatchObject({ status: 'drifted', attributes: [] });
  });

  it('shows no value of the plan as what was expected where the plan has changed it, too: that never was there (R2.16)', () => {
    const fields = [{ path: 'value', before: literal('live'), after: literal('never applied') }];
    expect(said({ drifted: 'changed', pending: true, change: change('update', ...fields) })).toEqual({
      status: 'drifted',
      attributes: [{ path: 'value', after: 'live' }],
      evidence: { pending: true },
    });
  });

  it('calls what policy ignores, and is gone, neither in sync nor missing: nothing of it was compared (R3.20)', () => {
    const ignored = [{ reason: 'marketing changes it' }];
    expect(said({ ignored })).toMatchObject({ status: 'in-sync', attributesUnobserved: { reason: 'filtered' } });
    expect(said({ ignored, gone: true })).toEqual({ status: 'not-observed', unobserved: { reason: 'filtered', detail: 'ignored, marketing changes it' } });
  });

  it('tells since when, the last clean look and the last run that wrote it, which are no part of what a digest is of; an edit that is another one has another digest', () => {
    const drifted = (fingerprint: string, firstSeen: string) => {
      const found = { ...resource({ drifted: 'changed', fingerprint }), firstSeen };
      return records([line({ resources: [found], cleanAt: '2026-11-28T10:00:00.000Z', lastRun: 'r7' })]);
    };
    const [one] = drifted('f1', '2026-11-29T10:00:00.000Z');
    expect(one).toMatchObject({ fingerprint: 'f1', evidence: { firstSeen: '2026-11-29T10:00:00.000Z', cleanAt: '2026-11-28T10:00:00.000Z', lastRun: 'r7' } });
    const digest = (fingerprint: string, firstSeen: string) => driftDocumentDigest({ records: drifted(fingerprint, firstSeen) });
    expect(digest('f1', '2026-11-30T10:00:00.000Z')).toBe(digest('f1', '2026-11-29T10:00:00.000Z'));
    expect(digest('f2', '2026-11-29T10:00:00.000Z')).not.toBe(digest('f1', '2026-11-29T10:00:00.000Z'));
  });

  it('shows no value of a secret, nor of a variable that is called like one (I1, R3.9, R3.11)', () => {
    const hidden = { path: 'value', before: { state: 'sensitive' }, after: literal('CANARY') } as const;
    const shown = { path: 'value', before: literal('CANARY'), after: literal('CANARY') };
    const attributes = [{ path: 'value', sensitive: true }];
    expect(said({ drifted: 'changed', change: change('update', { ...hidden, after: { state: 'secret', ref: 'X' } }) })).toEqual({
      status: 'drifted',
      attributes,
    });
    // Of a value that the plan says in clear nothing says that it is a secret: it is not shown, and that is all.
    expect(said({ drifted: 'changed', change: change('update', hidden) })).toEqual({ status: 'drifted', attributes: [{ path: 'value' }] });
    expect(said({ key: 'env:preview:DB_PASSWORD', drifted: 'changed', change: change('update', shown) })).toEqual({ status: 'drifted', attributes });
  });

  it('says of what is accepted or ignored that nobody compared it, and why (R3.20)', () => {
    const accepted = { until: '2027-01-01T00:00:00.000Z', by: 'ada', reason: 'until the move' };
    const detail = 'accepted until 2027-01-01 00:00 UTC, until the move';
    expect(said({ accepted })).toEqual({ status: 'in-sync', attributesUnobserved: { reason: 'filtered', detail } });
    expect(said({ drifted: 'changed', ignored: [{ path: 'tags', reason: 'the owner sets them' }] })).toMatchObject({
      status: 'drifted',
      attributesUnobserved: { reason: 'filtered', detail: 'tags ignored, the owner sets them' },
    });
  });

  it('says which output a line waits for before anybody knows what to look for (R3.5)', () => {
    const detail = 'It waits for variables.preview_url, which is not known yet.';
    expect(records([line({ looked: 'cannot', resources: [], waits: 'variables.preview_url' })])).toMatchObject([
      { address: 'web', status: 'not-observed', unobserved: { reason: 'preview-failed', detail } },
    ]);
  });

  it.each([
    ['busy', 'in-motion'],
    ['cannot', 'cannot-read'],
  ] as const)('never takes a line that was not looked at (%s) for one in sync: the reason is %s (R3.5, R2.10)', (looked, reason) => {
    const unobserved = { status: 'not-observed', unobserved: { reason } };
    expect(records([line({ looked })])).toMatchObject([{ address: 'web["k"]', ...unobserved }]);
    expect(records([line({ looked, resources: [] })])).toMatchObject([{ address: 'web', node: 'shop/web', ...unobserved }]);
  });

  it.each([
    ['preview', 'preview-failed'],
    ['check', 'read-failed'],
  ] as const)('says why a look failed, whatever it found before (R2.9)', (step, reason) => {
    const problem = { code: 'PROVIDER_TIMEOUT', message: 'It did not answer.' } as const;
    const failed = { step, problem, times: 3, since: '2026-11-29T10:00:00.000Z' };
    expect(records([line({ looked: 'failed', failed, resources: [resource({ drifted: 'changed' })] })])).toMatchObject([
      { address: 'web["k"]', status: 'not-observed', unobserved: { reason, detail: 'It did not answer.' }, evidence: { engineCode: 'PROVIDER_TIMEOUT' } },
    ]);
  });

  it.each([
    ['ADOPT_REQUIRED', { verdict: 'adoptable', by: 'record', adopt: true }],
    ['OWNED_BY_OTHER_SCOPE', { verdict: 'foreign', by: 'record' }],
  ] as const)('calls unclaimed what lies where its resource would be: %s (R3.6, R3.8)', (code, ownership) => {
    const problem = { code, message: 'It is there.', details: { key: 'k2' } };
    const failed = { step: 'preview', problem, times: 1, since: '2026-11-29T10:00:00.000Z' } as const;
    const lying = { address: 'web["k2"]', status: 'unclaimed', ownership, evidence: { engineCode: code } };
    expect(records([line({ looked: 'failed', failed, resources: [] })])).toMatchObject([lying]);
    const before = [resource({ key: 'k2', drifted: 'changed' }), resource({ key: 'k3', drifted: 'changed' })];
    expect(records([line({ looked: 'failed', failed, resources: before })])).toMatchObject([lying, { address: 'web["k3"]', status: 'not-observed' }]);
  });

  it('calls undeclared what no line wants any more, and what nobody manages', () => {
    const item = (kind: DriftItem['kind'], key: string): DriftItem => ({ kind, adapter: 'vercel', op: 'env', line: 'old', resource: { key }, message: 'm' });
    expect(records([], [item('orphan', 'a'), item('unmanaged', 'b'), item('changed', 'c')])).toMatchObject([
      { address: 'old["a"]', status: 'undeclared', ownership: { verdict: 'owned', by: 'record' } },
      { address: 'old["b"]', status: 'undeclared', ownership: { verdict: 'unknown' } },
    ]);
  });
});
