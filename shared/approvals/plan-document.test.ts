import { describe, expect, test } from 'vitest';
import { manualClock } from '../../test/ports/manual-clock.ts';
import { memoryObjects } from '../../test/ports/memory-objects.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Effect } from './effect.ts';
import { effectsDigest, findPlanDocument, type PlanDocument, planDigest, planKey, stateHolds, storePlan } from './plan-document.ts';

const of = (mac: string) => ({ key: '0a1b2c3d', mac: mac.repeat(64) });
const known: Effect = {
  address: '["neon",[["project","p-1"]],"branch:release"]',
  action: 'update',
  paths: [{ path: 'parent', before: of('1'), after: of('2') }],
  before: of('3'),
  after: of('4'),
  waitsFor: [],
};
const waited: Effect = {
  address: '["clerk",[],"redirect:{site.preview_url}"]',
  action: 'create',
  paths: [{ path: 'url', waitsFor: 'site.preview_url' }],
  waitsFor: ['site.preview_url'],
};
const plan: PlanDocument = {
  format: 1,
  repository: '7101',
  plan: { name: 'main', path: 'release.plan.yaml', hash: 'a'.repeat(64) },
  environment: 'production',
  scope: 'main',
  commit: 'c'.repeat(40),
  state: [{ line: 'db', version: '01J0' }],
  lines: [
    { id: 'db', adapter: 'neon', op: 'branch', effects: [known] },
    { id: 'site', adapter: 'vercel', op: 'env', effects: [] },
    { id: 'sign-in', adapter: 'clerk', op: 'redirect_allow', effects: [waited] },
  ],
};

test('the bytes of format 1, and their digests, are these', () => {
  expect(canonicalJson(plan)).toBe(
    [
      `{"commit":"${'c'.repeat(40)}","environment":"production","format":1,"lines":[`,
      '{"adapter":"neon","effects":[{"action":"update","address":"[\\"neon\\",[[\\"project\\",\\"p-1\\"]],\\"branch:release\\"]",',
      `"after":{"key":"0a1b2c3d","mac":"${'4'.repeat(64)}"},"before":{"key":"0a1b2c3d","mac":"${'3'.repeat(64)}"},"paths":[`,
      `{"after":{"key":"0a1b2c3d","mac":"${'2'.repeat(64)}"},"before":{"key":"0a1b2c3d","mac":"${'1'.repeat(64)}"},"path":"parent"}],`,
      '"waitsFor":[]}],"id":"db","op":"branch"},{"adapter":"vercel","effects":[],"id":"site","op":"env"},',
      '{"adapter":"clerk","effects":[{"action":"create","address":"[\\"clerk\\",[],\\"redirect:{site.preview_url}\\"]",',
      '"paths":[{"path":"url","waitsFor":"site.preview_url"}],"waitsFor":["site.preview_url"]}],"id":"sign-in","op":"redirect_allow"}],',
      `"plan":{"hash":"${'a'.repeat(64)}","name":"main","path":"release.plan.yaml"},"repository":"7101","scope":"main",`,
      '"state":[{"line":"db","version":"01J0"}]}',
    ].join(''),
  );
  expect(planDigest(plan)).toBe('e3604f7d55072e42c833ce43d881c6e2b842a94b12f61ef1635ba6d3a36ff23e');
  expect(effectsDigest(plan)).toBe('3c3a5f9502c689d52abd5fe76228b348ff9bda76318b7ec9d756dc28d200eb2c');
});

const whole: PlanDocument = {
  ...plan,
  format: 2,
  warnings: ['RECEIPTS_IGNORED'],
  lines: [
    {
      id: 'db',
      adapter: 'neon',
      op: 'branch',
      effects: [
        { address: '["neon",[["project","p-1"]],"branch:old"]', action: 'replace', order: ['delete', 'create'], paths: [], before: of('5'), waitsFor: [] },
        known,
        { address: '["neon",[["project","p-1"]],"branch:same"]', action: 'no-op', paths: [], before: of('6'), waitsFor: [] },
        { address: '["neon",[["project","p-1"]],"branch:theirs"]', action: 'read', paths: [], before: of('7'), waitsFor: [] },
      ],
      accepted: [{ address: '["neon",[["project","p-1"]],"branch:left"]', paths: ['parent'], until: '2026-02-01T00:00:00.000Z' }],
      drift: [{ kind: 'changed', resource: 'branch:left', replaced: true }],
      ignored: ['values.MODE'],
      redeploys: 'production',
      warnings: ['accepted'],
    },
  ],
};

test('the bytes of format 2, and their digests, are these', () => {
  const address = (name: string) => `[\\"neon\\",[[\\"project\\",\\"p-1\\"]],\\"branch:${name}\\"]`;
  const mac = (digit: string) => `{"key":"0a1b2c3d","mac":"${digit.repeat(64)}"}`;
  expect(canonicalJson(whole)).toBe(
    [
      `{"commit":"${'c'.repeat(40)}","environment":"production","format":2,"lines":[{"accepted":[{"address":"${address('left')}",`,
      '"paths":["parent"],"until":"2026-02-01T00:00:00.000Z"}],"adapter":"neon","drift":[{"kind":"changed","replaced":true,"resource":"branch:left"}],',
      `"effects":[{"action":"replace","address":"${address('old')}","before":${mac('5')},"order":["delete","create"],"paths":[],"waitsFor":[]},`,
      `{"action":"update","address":"${address('release')}","after":${mac('4')},"before":${mac('3')},`,
      `"paths":[{"after":${mac('2')},"before":${mac('1')},"path":"parent"}],"waitsFor":[]},`,
      `{"action":"no-op","address":"${address('same')}","before":${mac('6')},"paths":[],"waitsFor":[]},`,
      `{"action":"read","address":"${address('theirs')}","before":${mac('7')},"paths":[],"waitsFor":[]}],`,
      '"id":"db","ignored":["values.MODE"],"op":"branch","redeploys":"production","warnings":["accepted"]}],',
      `"plan":{"hash":"${'a'.repeat(64)}","name":"main","path":"release.plan.yaml"},"repository":"7101","scope":"main",`,
      '"state":[{"line":"db","version":"01J0"}],"warnings":["RECEIPTS_IGNORED"]}',
    ].join(''),
  );
  expect(planDigest(whole)).toBe('ca64e588cb0c1a6dc03490dbc568ba3fff8e97189d5761674a06d35d1cc6cc7b');
  expect(effectsDigest(whole)).toBe('372a89fb2e4700245c7a07db2f048b89d988851b8348eb266e143d003029f26a');
});

describe('the digest of the effects', () => {
  const [db, site, signIn] = plan.lines as [PlanDocument['lines'][0], PlanDocument['lines'][0], PlanDocument['lines'][0]];
  const digest = (...lines: PlanDocument['lines']) => effectsDigest({ lines });

  test('does not change with the order of the lines, nor with lines that do nothing', () => {
    expect(digest(signIn, db)).toBe(effectsDigest(plan));
    expect(digest(db, site, signIn, { ...site, id: 'more' })).toBe(effectsDigest(plan));
  });
  test('does not change with what was looked at and is as it is to be; a thing that is read counts', () => {
    const line = whole.lines[0] as PlanDocument['lines'][0];
    const without = (action: string) => effectsDigest({ lines: [{ ...line, effects: line.effects.filter((effect) => effect.action !== action) }] });
    expect(without('no-op')).toBe(effectsDigest(whole));
    expect(without('read')).not.toBe(effectsDigest(whole));
  });
  test('changes when another line would have the effect', () => expect(digest({ ...db, id: 'base' }, signIn)).not.toBe(effectsDigest(plan)));
  test('changes with what is waited for', () => {
    const other = { ...waited, paths: [{ path: 'url', waitsFor: 'site.other' }] };
    expect(digest(db, { ...signIn, effects: [other] })).not.toBe(effectsDigest(plan));
  });
});

describe('a stored plan', () => {
  const objects = () => memoryObjects(manualClock()).objects;

  test('is read back by its digest', async () => {
    const bucket = objects();
    expect(await findPlanDocument(bucket, await storePlan(bucket, plan), plan.plan.hash)).toEqual({ document: plan });
  });

  test('is refused when it is gone, has other bytes, or is of another plan file (I7)', async () => {
    const bucket = objects();
    const corrupt = { problem: { code: 'PLAN_CORRUPT' } };
    expect(await findPlanDocument(bucket, planDigest(plan))).toMatchObject(corrupt);
    await bucket.put(planKey('0'.repeat(64)), canonicalJson(plan), { ifAbsent: true });
    expect(await findPlanDocument(bucket, '0'.repeat(64))).toMatchObject(corrupt);
    expect(await findPlanDocument(bucket, await storePlan(bucket, plan), 'b'.repeat(64))).toMatchObject(corrupt);
  });

  test('of either format is read', async () => {
    const bucket = objects();
    expect(await findPlanDocument(bucket, await storePlan(bucket, whole))).toEqual({ document: whole });
  });

  test('of a newer format is left to newer code', async () => {
    const bucket = objects();
    const digest = await storePlan(bucket, { ...plan, format: 3 } as unknown as PlanDocument);
    await expect(findPlanDocument(bucket, digest)).rejects.toMatchObject({ code: 'RECEIPT_VERSION' });
  });
});

describe('the state that was planned over (I12, P7)', () => {
  const line = (id: string, version: string, lastRun: string, entries = 1): LedgerLine =>
    ({ line: id, version, lastRun, entries: Array.from({ length: entries }, () => ({})), needs: [], fence: 1 }) as unknown as LedgerLine;
  const holds = (...ledger: LedgerLine[]) => stateHolds([{ line: 'a', version: '1' }], ledger, 'ours');

  test.each<[string, boolean, LedgerLine[]]>([
    ['holds while nothing moved', true, [line('a', '1', 'before')]],
    ['holds over empty lines of anybody', true, [line('a', '1', 'before'), line('b', '9', 'another', 0)]],
    ['holds over our own writes', true, [line('a', '2', 'ours'), line('b', '1', 'ours')]],
    ['holds over a line that we emptied', true, [line('a', '2', 'ours', 0)]],
    ['is moved by another run’s write', false, [line('a', '2', 'another')]],
    ['is moved by another run’s new line', false, [line('a', '1', 'before'), line('b', '1', 'another')]],
    ['is moved by a line that another run emptied', false, [line('a', '2', 'another', 0)]],
    ['is moved by a line that is gone', false, []],
  ])('%s', (_what, expected, ledger) => expect(holds(...ledger)).toBe(expected));
});
