import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driftRecord } from '../../../shared/drift/drift-record.ts';
import { readDocument } from '../../../shared/drift/read-document.ts';
import { readToolOutput } from '../../../shared/drift/readers/read-output.ts';
import type { Shown } from '../../../shared/drift/readers/show.ts';
import { painter } from '../../../shared/surfaces/paint.ts';
import { only } from './only.ts';
import { driftText } from './text.ts';
import { graphOf } from './tool/tool-read.ts';

const recording = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/recordings', name));

/** The list of what a recording comes to. */
function list(name: string, show: readonly Shown[] = []): string {
  const context = { member: 'network', observedAt: '2026-11-30T12:00:00Z', show, graph: graphOf('network') };
  return driftText(readDocument({ member: 'network' }, readToolOutput({ bytes: recording(name) }, context).reading.records), { paint: painter(false) });
}

describe('the resources of a stack, as a list', () => {
  it('stand below their block where it has several, and the block says what its instances come to (R3.18)', () => {
    const rows = list('terraform-drift/plan-drift.json').split('\n');
    const member = rows.findIndex((row) => /^~ restapi_object\.member +1 of 2 drifted$/.test(row));
    expect(member).toBeGreaterThan(0);
    expect(rows.slice(member + 1).find((row) => !row.startsWith('   '))).toMatch(/^ {2}~ restapi_object\.member\["web"\] +drifted$/);
    expect(rows.some((row) => /^~ module\.inner\.restapi_object\.child +drifted$/.test(row))).toBe(true);
  });

  it('are named with what asks for something first, blocks as resources', () => {
    const rows = list('terraform-drift/plan-drift.json')
      .split('\n')
      .filter((row) => /^[~=+!*?-] /.test(row));
    const order = [...'?~-!*+='];
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.map(([mark]) => order.indexOf(mark ?? ''))).toEqual(rows.map(([mark]) => order.indexOf(mark ?? '')).toSorted((a, b) => a - b));
  });

  it('say how a value comes to be shown, and no longer when all of them are', () => {
    const [, hint = ''] = /--show '([^']+)'/.exec(list('terraform-drift/plan-drift.json')) ?? [];
    expect(hint).toMatch(/^(?:restapi_object|local_file)#/);
    const shown: Shown[] = ['api_data', 'api_response', 'data', 'content'].flatMap((name) =>
      ['restapi_object', 'local_file'].map((type) => ({ type, way: [name] })),
    );
    expect(list('terraform-drift/plan-drift.json', shown)).not.toContain(hint);
    expect(list('terraform-drift/plan-drift.json', shown)).not.toContain('CANARY');
  });

  it('are each by itself where they stand nowhere', () => {
    const of = { member: 'web', engine: 'pulumi', node: null, observedAt: '2026-11-30T12:00:00Z', read: 'refresh' } as const;
    const records = ['a', 'b'].map((address) => driftRecord({ ...of, address, status: 'in-sync' }));
    expect(driftText(readDocument({ member: 'web' }, records), { paint: painter(false) })).toBe('Member web: 2 in sync\n\n= a  in sync\n= b  in sync\n');
  });

  it('stand below the name of their line where a plan has stacks, and the plan’s own come first', () => {
    const of = { node: null, observedAt: '2026-11-30T12:00:00Z', status: 'drifted' } as const;
    const records = [
      driftRecord({ ...of, member: 'net', engine: 'terraform', address: 'aws_vpc.main', read: 'plan' }),
      driftRecord({ ...of, member: 'main', engine: 'lockkeeper', address: 'web', read: 'live-read' }),
    ];
    const document = readDocument({ member: 'main' }, records);
    expect(driftText(document, { paint: painter(false) })).toBe('Plan main: 2 drifted\n\n~ web           drifted\n\nStack net\n~ aws_vpc.main  drifted\n');
    const asked = { read: 'live-read', resource: 'net' } as const;
    expect(only(document.records, asked, { member: 'main', observedAt: of.observedAt }).map(({ address }) => address)).toEqual(['aws_vpc.main']);
  });
});

describe('a list on a narrow screen', () => {
  const of = { member: 'main', engine: 'lockkeeper', node: null, observedAt: '2026-11-30T12:00:00Z', read: 'live-read' } as const;
  const filtered = { reason: 'filtered', detail: `ignored, ${'marketing changes it whenever it likes '.repeat(3).trim()}` } as const;
  const long = `variables["${'env:production:main:'.repeat(4)}BANNER"]`;
  const records = [
    driftRecord({ ...of, address: 'variables["env:preview:main:A"]', status: 'in-sync', attributesUnobserved: filtered }),
    driftRecord({ ...of, address: 'variables["env:preview:main:B"]', status: 'not-observed', unobserved: filtered }),
    driftRecord({ ...of, address: long, status: 'drifted', attributes: [{ path: 'values.BANNER', before: 'x', after: 'y' }] }),
    driftRecord({ ...of, address: 'login', status: 'not-observed', unobserved: { reason: 'cannot-read' } }),
  ];
  const narrow = (columns?: number) =>
    driftText(
      { ...readDocument({ member: 'main' }, records), ...{ environment: 'preview', scope: 'a-branch-with-a-long-name' } },
      { paint: painter(false), columns },
    );

  it('breaks no word, and no row is longer than it but for what is copied', () => {
    const rows = narrow(80).split('\n');
    expect(rows.filter((row) => row.length > 80)).toEqual([`~ ${long}`]);
    expect(rows.slice(rows.indexOf(`~ ${long}`)).slice(0, 3)).toEqual([`~ ${long}`, '    drifted', '    values.BANNER  "x" → "y"']);
    const words = (text: string) => text.split(/\s+/);
    expect(words(narrow(80))).toEqual(words(narrow(2_000)));
  });

  it('has its states in one column, and reasons in words below them', () => {
    const rows = narrow(80).split('\n');
    const at = rows.flatMap((row) => /^[=?~] \S+ +(?=in sync|not observed)/.exec(row)?.[0].length ?? []);
    expect(at).toHaveLength(3);
    expect(new Set(at).size).toBe(1);
    expect(rows).toContain('    it cannot be read');
    expect(narrow()).toContain('    not compared: ignored, marketing');
    expect(narrow()).toContain('1 in sync (1 not wholly compared)');
    expect(narrow()).not.toMatch(/filtered|cannot-read/);
  });
});
