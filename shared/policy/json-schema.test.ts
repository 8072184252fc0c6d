import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { policyJsonSchema } from './json-schema.ts';
import { policySchema } from './schema.ts';

/** The JSON Schema read back into a judge, so that what an editor takes can be held against what the reader takes. */
const editor = z.fromJSONSchema(policyJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);

const whole = {
  version: 1,
  stack: 'releases',
  checks: 'always',
  plans: [{ name: 'main', path: 'release.plan.yaml', events: { pull_request: ['preview'], push: ['production'] } }],
  events: { pull_request: ['preview'], push: [] },
  environments: {
    production: {
      protected: true,
      approvers: [{ github: 'ada', aws: 'arn:aws:iam::111122223333:role/ada', slack: 'U024BE7LH' }, { team: 'acme/releases' }],
      required: 2,
      allow_self: false,
      recheck: true,
      ci_only: false,
      expires: '12h',
      secrets: ['env://STRIPE_*'],
      providers: { vercel: [{ project: 'shop', nested: { on: true, list: [1] } }] },
      http_hosts: ['api.example.com:8443'],
      credentials: ['NEON_*'],
      read_credentials: { NEON_API_KEY: 'NEON_READ_KEY' },
      slack: { channel: 'C024BE91L', mention: 'S0614TZR7' },
      lease_ttl: '30m',
      drift: { enabled: true, schedule: '6h', notify: false, ignore: [{ line: 'db', path: 'tags', reason: 'set by the owner' }] },
      plan_on_pull_request: true,
    },
  },
};

/** Every way to the leaves and maps of a value. */
function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inside = Array.isArray(value) ? [...value.entries()] : typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inside.flatMap(([key, item]) => places(item, [...path, key]))];
}

function withAt(value: unknown, [step, ...rest]: readonly (string | number)[], wanted: unknown): unknown {
  if (step === undefined) return wanted;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[step] = withAt(copy[step], rest, wanted);
  return copy;
}

describe('the JSON Schema of the policy file', () => {
  it('is one of draft 2020-12 that takes the keys of the schema and no others', () => {
    const schema = policyJsonSchema() as { readonly [key: string]: object };

    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys(schema['properties'] ?? {})).toEqual(Object.keys(policySchema.shape));
    expect(schema['additionalProperties']).toBe(false);
    expect(schema['required']).toEqual(['version']);
  });

  it('says something about every key', () => {
    const silent: string[] = [];
    const walk = (node: unknown, name: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { properties } = node as { readonly properties?: Record<string, { readonly description?: string }> };
      for (const [key, property] of Object.entries(properties ?? {})) if (!property.description) silent.push(`${name}.${key}`);
      for (const [key, inside] of Object.entries(node)) walk(inside, `${name}.${key}`);
    };
    walk(policyJsonSchema(), '');
    expect(silent).toEqual([]);
  });

  it('takes what the reader takes', () => {
    expect(policySchema.safeParse(whole).success).toBe(true);
    expect(editor.safeParse(whole).success).toBe(true);
    expect(editor.safeParse({ version: 1 }).success).toBe(true);
  });

  it('agrees with the reader on each place of the file, whatever stands there', () => {
    const values = [null, true, 7, '', 'text', '@', '/a/../b.yaml', 'env://A', '12h', [], ['x', 'x y'], {}, { else: 1 }, [{}]];
    const judged = places(whole).flatMap((path) => values.map((value) => ({ path, value, file: withAt(whole, path, value) })));
    const verdicts = judged.map(({ path, value, file }) => ({
      at: `${path.join('.')} = ${JSON.stringify(value)}`,
      reader: policySchema.safeParse(file).success,
      editor: editor.safeParse(file).success,
    }));

    expect(verdicts.filter(({ reader, editor: theirs }) => reader !== theirs)).toEqual([]);
    expect(verdicts.filter(({ reader }) => reader).length).toBeGreaterThan(20);
    expect(verdicts.filter(({ reader }) => !reader).length).toBeGreaterThan(200);
  });
});
