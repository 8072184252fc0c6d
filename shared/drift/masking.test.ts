import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spellingsOf } from '../../test/canaries/spellings.ts';
import { driftRecord } from './drift-record.ts';
import { createMasking } from './masking.ts';
import type { DriftFields } from './record.ts';

const canary = 'CANARY-hunter2/über+"quoted"&more';
const fields: DriftFields = {
  member: 'shop',
  engine: 'tofu',
  address: 'restapi_object.one',
  node: null,
  observedAt: '2026-11-30T10:00:00Z',
  read: 'plan',
  status: 'drifted',
};

/** What is told of an attribute once something was marked. */
function told(marked: unknown, attribute: object): object | undefined {
  const masking = createMasking();
  masking.mark(marked);
  return driftRecord(masking.mask({ ...fields, attributes: [attribute as never] })).attributes?.[0];
}

describe('what a tool marked is told nowhere (R3.9, I1)', () => {
  it.each([
    ['as a whole', canary, canary],
    ['inside a text', canary, `before ${canary} after`],
    ['inside a map', canary, { deep: [{ text: canary }] }],
    ['as the name of a field', canary, { [canary]: 1 }],
    ['as a leaf of a marked map', { a: [{ b: canary }] }, `x${canary}`],
    ['as a leaf of marked JSON text', JSON.stringify({ a: [{ b: canary }] }), canary],
    ['as a leaf of JSON text in marked JSON text', JSON.stringify({ body: JSON.stringify([canary]) }), { api_response: canary }],
    ['as a short text of its own', 'ab', 'ab'],
    ['as a number', { port: 5432 }, 5432],
    ['as a number written as text', 5432, '5432'],
    ['as a text that is a number elsewhere', '123456', { pin: 123456 }],
  ])('%s', (_, marked, after) => {
    expect(told(marked, { path: 'data', before: 1, after })).toEqual({ path: 'data', sensitive: true });
    expect(told(marked, { path: 'data', before: after })).toEqual({ path: 'data', sensitive: true });
  });

  it.each(spellingsOf(canary))('spelt as %s', (spelling) => {
    expect(told(canary, { path: 'data', after: `a ${spelling} b` })).toEqual({ path: 'data', sensitive: true });
  });

  it('and what was not marked is', () => {
    expect(told([canary, true, null, ''], { path: 'enabled', before: true, after: null })).toEqual({ path: 'enabled', before: true, after: null });
    expect(told(canary, { path: 'size', before: 'small', after: 'large' })).toEqual({ path: 'size', before: 'small', after: 'large' });
  });
});

describe('everything else of a record', () => {
  const masking = createMasking();
  masking.mark(JSON.stringify({ token: canary, name: 'service', id: 'ab' }));

  it('has no marked value in it either, in whatever field (I1)', () => {
    const record = driftRecord(
      masking.mask({
        ...fields,
        address: `restapi_object.one["${canary}"]`,
        resourceType: canary,
        node: `shop/${canary}`,
        instanceOf: `shop/${canary}`,
        fellBackFrom: 'plan',
        attributes: [{ path: `tags["${canary}"]`, after: 1 }],
        attributesUnobserved: { reason: 'read-failed', detail: `GET ${canary}`, queried: encodeURIComponent(canary) },
        ownership: { verdict: 'foreign', by: 'label', ownedBy: canary, adopt: canary },
        evidence: { tool: canary, version: canary, command: canary, engineCode: canary },
        ...({ later: { note: canary, [canary]: [canary] } } as object),
      }),
    );
    const text = JSON.stringify(record);
    expect(spellingsOf(canary).filter((spelling) => text.includes(spelling))).toEqual([]);
    expect(record).toMatchObject({ status: 'drifted', ownership: { verdict: 'foreign', by: 'label' }, attributesUnobserved: { reason: 'read-failed' } });
    expect(masking.maskText(`no such object: ${canary}`)).toBe('no such object: [REDACTED]');
  });

  it('keeps names of plain words and short ones, so that an address is the same in every read', () => {
    expect(masking.mask({ ...fields, address: 'restapi_object.service["ab"]' }).address).toBe('restapi_object.service["ab"]');
  });

  it('leaves two addresses two, and one address one', () => {
    const two = createMasking();
    two.mark([`${canary}1`, `${canary}2`]);
    const masked = [`a["${canary}1"]`, `a["${canary}2"]`, `a["${canary}1"]`].map((address) => two.mask({ ...fields, address }).address);
    expect(new Set(masked).size).toBe(2);
    expect(masked[2]).toBe(masked[0]);
  });
});

describe('more than can be looked for', () => {
  const masking = createMasking();
  masking.mark(Array.from({ length: 20_000 }, (_, index) => `CANARY-${index}`));

  it('leaves nothing told but plain names: rather nothing than too much', () => {
    const masked = driftRecord(
      masking.mask({
        ...fields,
        address: 'a_b.service["CANARY-19999"]',
        attributes: [{ path: 'x', before: 'anything', after: 3 }],
        evidence: { tool: 'CANARY-19998' },
        ...({ later: 'CANARY-19997' } as object),
      }),
    );
    expect(JSON.stringify(masked)).not.toContain('CANARY');
    expect(masked).toMatchObject({ address: 'a_b.service["[REDACTED]"]', attributes: [{ path: 'x', sensitive: true }] });
    expect(masking.maskText('CANARY-19996')).toBe('[REDACTED]');
  });

  it('so does a value nested beyond what anybody follows', () => {
    const deep = createMasking();
    deep.mark(JSON.parse(`${'['.repeat(80)}"CANARY-deep"${']'.repeat(80)}`));
    expect(deep.mask({ ...fields, attributes: [{ path: 'x', after: 'CANARY-deep' }] }).attributes).toEqual([{ path: 'x', sensitive: true }]);
  });
});

it('no leaf of four characters or more of whatever was marked is in a value or a text of a record (I1)', () => {
  const leaf = fc.string({ minLength: 4, maxLength: 24, unit: 'grapheme' }).filter((text) => text.trim().length >= 4);
  const marked = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b'), leaf, { maxKeys: 2 }));
  const wrapped = fc.constantFrom<(text: string) => unknown>(
    (text) => text,
    (text) => `around ${text} it`,
    (text) => JSON.stringify({ body: text }),
    (text) => [{ deep: text }],
    (text) => encodeURIComponent(text),
    (text) => Buffer.from(text).toString('base64'),
  );
  fc.assert(
    fc.property(marked, fc.boolean(), wrapped, (value, asText, wrap) => {
      const masking = createMasking();
      masking.mark(asText ? JSON.stringify(value) : value);
      const leaves = typeof value === 'string' ? [value] : Object.values(value);
      for (const one of leaves) {
        const text = String(wrap(one));
        const record = driftRecord(
          masking.mask({
            ...fields,
            attributes: [{ path: 'data', after: wrap(one) as never }],
            attributesUnobserved: { reason: 'read-failed', detail: text },
            evidence: { command: text },
          }),
        );
        expect(record.attributes).toEqual([{ path: 'data', sensitive: true }]);
        expect([record.attributesUnobserved?.detail, record.evidence?.command].filter((told) => told?.includes(one))).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});
