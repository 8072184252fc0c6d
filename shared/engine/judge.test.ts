import { describe, expect, test } from 'vitest';
import type { Entry } from '../ledger/entry.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import { fingerprintKey } from '../secrets/keys.ts';
import { carriesOurMark, type Evidence, judge, type Ownership } from './judge.ts';
import type { LiveResource } from './op.ts';
import { waysOn } from './ways-on.ts';

const key = fingerprintKey('a fingerprint key that is long enough');
const of = (text: string) => fingerprint(key, text);
const born = Date.UTC(2026, 0, 1, 12, 0, 0, 700);

const live = (hash: string, more: Partial<LiveResource> = {}): LiveResource => ({ key: 'k', id: 'id-1', hash, label: 'thing k', ...more });
const entry = (more: Partial<Entry> = {}): Entry => ({
  adapter: 'example',
  op: 'things',
  opVersion: 1,
  provider: {},
  account: {},
  key: 'k',
  id: 'id-1',
  label: 'thing k',
  fingerprint: of('recorded'),
  createdBy: 'lockkeeper',
  run: 'one',
  fence: 1,
  sequence: '1',
  ...more,
});
function intent(more: Partial<Entry> = {}): Entry {
  const { id: _id, fingerprint: _none, ...rest } = entry({ createdBy: 'intent', foretells: of('wanted'), begunAt: born, ...more });
  return rest;
}

interface Case {
  readonly wants: 'create' | 'update' | 'unchanged';
  readonly live?: LiveResource;
  readonly entry?: Entry;
  readonly owner?: Ownership;
  readonly reconcile?: boolean;
  readonly mayAdopt?: boolean;
}

function verdictOf({ wants, live: found, entry: known, owner, reconcile = false, mayAdopt = false }: Case): string {
  const evidence: Evidence = {
    op: { adapter: 'example', name: 'things' },
    scope: 'mine',
    line: 'a',
    change: { key: 'k', kind: wants, label: 'thing k', fields: [] },
    live: found,
    found: found && of(found.hash),
    entry: known,
    owner: owner ?? { by: known ? 'us' : 'nobody' },
    reconcile,
    mayAdopt,
    restorable: true,
    ways: waysOn('a', { environment: 'preview', branch: 'feat', plan: { name: 'main', path: 'release.plan.yaml' } }),
  };
  const verdict = judge(evidence);
  const drift = 'drift' in verdict && verdict.drift ? ` ${verdict.drift.kind}${verdict.drift.replaced ? ' replaced' : ''}` : '';
  return `${verdict.do}${'adopts' in verdict ? ' adopts' : ''}${verdict.do === 'refuse' ? ` ${verdict.problem.code}` : ''}${drift}`;
}

const other: Ownership = { by: 'other', scope: 'r#main#preview#pr-8', line: 'b' };

describe('the verdict on one resource', () => {
  test.each<[string, Case, string]>([
    ['nothing there, nothing known', { wants: 'create' }, 'create'],
    ['recorded and gone (R0.5)', { wants: 'create', entry: entry() }, 'create missing'],
    ['begun and never made', { wants: 'create', entry: intent() }, 'create'],
    ['there as wanted, in no ledger (R1.77)', { wants: 'unchanged', live: live('wanted') }, 'adopt'],
    ['there otherwise, in no ledger', { wants: 'update', live: live('else') }, 'refuse ADOPT_REQUIRED'],
    ['there otherwise, in no ledger, even to reconcile (R0.10)', { wants: 'update', live: live('else'), reconcile: true }, 'refuse ADOPT_REQUIRED'],
    ['there otherwise, in no ledger, and a person lets it', { wants: 'update', live: live('else'), mayAdopt: true }, 'update adopts'],
    [
      'only ever kept, and wanted otherwise now (R1.98)',
      { wants: 'update', live: live('else'), entry: entry({ createdBy: 'adopted', kept: true }), reconcile: true },
      'refuse ADOPT_REQUIRED',
    ],
    [
      'only ever kept, and wanted otherwise now, where people are asked',
      { wants: 'update', live: live('else'), entry: entry({ createdBy: 'adopted', kept: true }), mayAdopt: true },
      'update adopts',
    ],
    [
      'written, kept, and edited, before it is wanted otherwise',
      { wants: 'update', live: live('else'), entry: entry({ nowKept: true }) },
      'refuse DRIFT_CHANGED changed',
    ],
    ['written and kept, before it is wanted otherwise', { wants: 'update', live: live('recorded'), entry: entry({ nowKept: true }) }, 'update'],
    ['written and kept, whatever it holds', { wants: 'unchanged', live: live('any', { kept: true }), entry: entry({ nowKept: true }) }, 'nothing'],
    ['written and kept, and wanted as it is now', { wants: 'unchanged', live: live('recorded'), entry: entry({ nowKept: true }) }, 'refresh'],
    ['kept, whatever it holds', { wants: 'unchanged', live: live('recorded', { kept: true }), entry: entry({ createdBy: 'adopted', kept: true }) }, 'nothing'],
    ['somebody else’s, even where a person lets it', { wants: 'update', live: live('x'), owner: other, mayAdopt: true }, 'refuse OWNED_BY_OTHER_SCOPE'],
    ['as recorded, as wanted', { wants: 'unchanged', live: live('recorded'), entry: entry() }, 'nothing'],
    ['as recorded, wanted otherwise', { wants: 'update', live: live('recorded'), entry: entry() }, 'update'],
    ['edited, to what is wanted (R0.7)', { wants: 'unchanged', live: live('wanted'), entry: entry() }, 'refresh'],
    ['edited (R0.4)', { wants: 'update', live: live('edited'), entry: entry() }, 'refuse DRIFT_CHANGED changed'],
    ['edited, to be reconciled (R0.11)', { wants: 'update', live: live('edited'), entry: entry(), reconcile: true }, 'update changed'],
    [
      'made again under another id (R1.78)',
      { wants: 'update', live: live('recorded', { id: 'id-2' }), entry: entry() },
      'refuse DRIFT_CHANGED changed replaced',
    ],
    ['made again, to be reconciled (R0.12)', { wants: 'update', live: live('x', { id: 'id-2' }), entry: entry(), reconcile: true }, 'update changed replaced'],
    ['made again, as wanted', { wants: 'unchanged', live: live('recorded', { id: 'id-2' }), entry: entry() }, 'refresh'],
    ['our own half-done update, as foretold', { wants: 'update', live: live('foretold'), entry: entry({ foretells: of('foretold') }) }, 'update'],
    ['a half-done update that is done', { wants: 'unchanged', live: live('wanted'), entry: entry({ foretells: of('wanted') }) }, 'refresh'],
    ['an orphan that is wanted again', { wants: 'unchanged', live: live('recorded'), entry: entry({ orphan: true }) }, 'refresh'],
    ['a fingerprint under another key (R1.79)', { wants: 'update', live: live('x'), entry: entry({ fingerprint: { key: 'older', mac: 'm' } }) }, 'update'],
    ['an intent whose thing is there as foretold', { wants: 'unchanged', live: live('wanted'), entry: intent() }, 'own'],
    ['an intent whose thing was edited since', { wants: 'update', live: live('edited', { createdAt: born }), entry: intent() }, 'update'],
    ['an intent, and a thing older than it', { wants: 'update', live: live('x', { createdAt: born - 1_000 }), entry: intent() }, 'refuse ADOPT_REQUIRED'],
    ['an intent, and a thing of unknown age', { wants: 'update', live: live('x'), entry: intent() }, 'refuse ADOPT_REQUIRED'],
    ['somebody else’s, as wanted (R1.86)', { wants: 'unchanged', live: live('wanted'), owner: other }, 'rely'],
    ['somebody else’s, to be changed (R1.86)', { wants: 'update', live: live('x'), owner: other }, 'refuse OWNED_BY_OTHER_SCOPE'],
    ['somebody else’s, gone', { wants: 'create', owner: other }, 'refuse OWNED_BY_OTHER_SCOPE'],
    ['somebody else’s, even to reconcile', { wants: 'update', live: live('x'), owner: other, reconcile: true }, 'refuse OWNED_BY_OTHER_SCOPE'],
  ])('%s', (_what, evidence, verdict) => {
    expect(verdictOf(evidence)).toBe(verdict);
  });
});

describe('our mark on what an intent points at (P4)', () => {
  test('is a state that the intent foretold, whatever the age', () => {
    expect(carriesOurMark(intent(), live('wanted', { createdAt: 0 }), of('wanted'))).toBe(true);
  });

  test('or a creation that is not older than the intent, to the second as providers tell it', () => {
    const second = Math.floor(born / 1_000) * 1_000;
    expect(carriesOurMark(intent(), live('x', { createdAt: second }), of('x'))).toBe(true);
    expect(carriesOurMark(intent(), live('x', { createdAt: second - 1 }), of('x'))).toBe(false);
  });

  test('and never a fingerprint under another key', () => {
    expect(carriesOurMark(intent({ foretells: { key: 'older', mac: of('wanted').mac } }), live('wanted'), of('wanted'))).toBe(false);
  });
});
