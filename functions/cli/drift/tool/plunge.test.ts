import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driftRecord } from '../../../../shared/drift/drift-record.ts';
import { driftLine, driftSettle, driftStart, encodeDriftLine } from '../../../../shared/drift/stream.ts';
import { readPulumi } from './pulumi.ts';
import { failed, played, printed } from './tool-read.fixture.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plunge-'));
  writeFileSync(join(folder, 'Pulumi.yaml'), 'name: web\nruntime: nodejs\nbackend:\n  url: plunge://state.example\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const urn = 'urn:pulumi:dev::web::aws:s3/bucket:Bucket::logs';
const of = { member: 'theirs', engine: 'plunge', read: 'refresh' } as const;
const record = driftRecord({
  ...of,
  address: urn,
  node: null,
  observedAt: '2026-11-30T10:00:00Z',
  status: 'drifted',
  attributes: [{ path: 'acl', after: 'CANARY' }],
});
const stream = [driftStart(of, [{ address: urn }]), driftLine(record), driftSettle(of, [record])].map(encodeDriftLine).join('');
const line = { tool: 'pulumi', root: { path: 'infra', stack: 'dev', varFiles: [] } } as const;

it('reads a project whose backend is plunge’s by plunge, and never by Pulumi (R3.19)', async () => {
  const { asked, calls } = played(line, [['plunge drift', printed(stream)]], { folder, read: 'refresh' });
  const { records, engine } = await readPulumi(asked);
  expect([engine, records.map(({ member, status, node }) => [member, status, node])]).toEqual([
    'plunge',
    [['network', 'drifted', 'network/aws:s3/bucket:Bucket::logs']],
  ]);
  expect(JSON.stringify(records)).not.toContain('CANARY');
  expect(calls.map(({ line: said }) => said)).toEqual(['plunge drift --stream --stack dev']);
});

it.each([
  ['not-reached', printed([driftStart(of, []), driftSettle(of, [])].map(encodeDriftLine).join(''))],
  ['read-failed', failed('CANARY', 'no stream')],
])('of one resource, of which its stream says nothing that can be read, is %s (R3.19)', async (reason, answer) => {
  const { asked, calls } = played(line, [['plunge drift', answer]], { folder, read: 'refresh', resource: urn });
  expect((await readPulumi(asked)).records).toEqual([expect.objectContaining({ address: urn, status: 'not-observed', unobserved: { reason } })]);
  expect(calls.map(({ line: said }) => said)).toEqual([`plunge drift --resource ${urn} --stream --stack dev`]);
});

it('says that plunge is missing', async () => {
  const { asked } = played(line, [['plunge drift', { end: 'missing' }]], { folder, read: 'refresh' });
  expect((await readPulumi(asked)).unread).toContain('plunge is not installed');
});
