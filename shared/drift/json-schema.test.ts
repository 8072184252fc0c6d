import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { driftDocument, driftSchemaId } from './document.ts';
import { driftRecord } from './drift-record.ts';
import { driftJsonSchema } from './json-schema.ts';
import { fieldOrder } from './rules.ts';

/** The schema read back into a judge. It knows no `$id` of its own kind. */
const { $id, ...rest } = driftJsonSchema();
const judge = z.fromJSONSchema(rest as Parameters<typeof z.fromJSONSchema>[0]);

const record = driftRecord({
  member: 'shop',
  engine: 'lockkeeper',
  address: 'web["k"]',
  resourceType: 'vercel.env',
  node: 'shop/web["k"]',
  instanceOf: 'shop/web',
  observedAt: '2026-11-30T10:00:00Z',
  read: 'live-read',
  fellBackFrom: 'plan',
  status: 'drifted',
  attributes: [{ path: 'a', before: null, after: [1], fingerprints: { key: 'k', after: 'ff' } }, { path: 'b_token' }],
  attributesUnobserved: { reason: 'read-failed', detail: 'x', queried: 'y' },
  ownership: { verdict: 'owned', by: 'record', markerOnObject: false, ownedBy: 'me', adopt: false },
  evidence: { tool: 'lockkeeper', version: '1', command: 'drift', engineCode: 'X' },
});
const document = driftDocument([record], '1.0.0');

describe('the JSON Schema of the document (R3.13)', () => {
  it('names the document it is of, and every field of a record', () => {
    expect($id).toBe(driftSchemaId);
    const defined = (driftJsonSchema()['$defs'] as { record: { properties: object } }).record.properties;
    expect(Object.keys(defined)).toEqual(fieldOrder);
  });

  it('takes what is written: a document, one with the head of a read, one with an error, one with fields of later', () => {
    const error = { code: 'env-required', message: 'name one' };
    for (const one of [document, { ...document, contract: 1, member: 'shop' }, { ...driftDocument([]), error }, { ...document, later: [1] }])
      expect(judge.safeParse(one).error?.issues).toBeUndefined();
  });

  it.each([
    ['another version', { ...document, drift: 'v2' }],
    ['a status left out of the counts', { ...document, counts: { drifted: 1 } }],
    ['a status that is none', { ...document, records: [{ ...record, status: 'fine' }] }],
    ['an engine that is none', { ...document, records: [{ ...record, engine: 'ansible' }] }],
    ['a record without a node', { ...document, records: [{ ...record, node: undefined }] }],
    ['a reason that is none', { ...document, records: [{ ...record, attributesUnobserved: { reason: 'because' } }] }],
  ])('refuses %s', (_, one) => {
    expect(judge.safeParse(JSON.parse(JSON.stringify(one))).success).toBe(false);
  });
});
