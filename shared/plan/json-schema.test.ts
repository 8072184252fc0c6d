import { describe, expect, it } from 'vitest';
import { planJsonSchema } from './json-schema.ts';
import { sampleRegistry } from './sample-registry.ts';

type Json = { readonly [key: string]: Json } & readonly Json[];
const schema = planJsonSchema(sampleRegistry) as unknown as Json;

describe('the JSON Schema of the plan file', () => {
  it('is one of draft 2020-12', () => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  it('takes no other top-level keys, and asks for version and changes', () => {
    expect(schema['additionalProperties']).toBe(false);
    expect(Object.keys(schema['properties'] ?? {})).toEqual(['version', 'environments', 'providers', 'receipts', 'changes']);
    expect(schema['required']).toEqual(['version', 'changes']);
  });

  it('holds a line of a known op to that op’s parameters and the keys of every line', () => {
    const rule = schema['$defs']?.['line']?.['allOf']?.find((one) => JSON.stringify(one['if']).includes('"redirect_allow"'));
    const line = schema['$defs']?.['clerk.redirect_allow'];

    expect(rule).toEqual({
      if: { properties: { adapter: { const: 'clerk' }, op: { const: 'redirect_allow' } }, required: ['adapter', 'op'] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema; the object is data and never awaited.
      then: { $ref: '#/$defs/clerk.redirect_allow' },
    });
    expect(Object.keys(line?.['properties'] ?? {}).sort()).toEqual(['adapter', 'depends_on', 'environments', 'id', 'op', 'url']);
    expect(line?.['additionalProperties']).toBe(false);
    expect(line?.['required']).toEqual(['url']);
  });

  it('holds a provider block of a known adapter to its keys', () => {
    expect(schema['properties']?.['providers']?.['properties']?.['neon']).toMatchObject({ required: ['project'], additionalProperties: false });
  });

  it('refers to nothing it does not define', () => {
    const named = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map((match) => match[1]);

    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => schema['$defs']?.[name ?? ''] === undefined)).toEqual([]);
  });

  it('has patterns for secret-looking names, pasted text and unknown variables that match as the reader judges', () => {
    const value = schema['$defs']?.['value']?.['anyOf'];
    const [text, map] = [value?.[0], value?.at(-1)];
    const patterns = text?.['not']?.['anyOf']?.map((one) => new RegExp(String(one['pattern']))) ?? [];
    const secretName = new RegExp(Object.keys(map?.['patternProperties'] ?? {})[0] ?? '(?!)');
    const refused = (written: string) => patterns.some((pattern) => pattern.test(written));

    expect(['(pending ← a.b)', '<secret>', '${ctx.Env}', '${env.X}', '${'].map(refused)).toEqual([true, true, true, true, true]);
    expect(['${lines.db}', '${db.host}', '${lines.Db.x}', '$${a} ${b}'].map(refused)).toEqual([true, true, true, true]);
    expect(['pending', '${ctx.env}', '$5', 'a ${ctx.pr.number} b'].map(refused)).toEqual([false, false, false, false]);
    expect(['${lines.db.host}/x', '$${HOME}', '${ctx.env}$${', '$$${x}'].map(refused)).toEqual([false, false, false, false]);
    expect(['a_key', 'DB_PASSWORD', 'KEY', 'KEYS'].map((name) => secretName.test(name))).toEqual([true, true, false, false]);
  });

  it('can be made without ops, for a file whose adapters are not known', () => {
    expect(planJsonSchema()).not.toHaveProperty('$defs.line.allOf');
  });
});
