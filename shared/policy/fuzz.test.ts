import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damaged } from '../../test/property/damaged.ts';
import { isProtected, runsFor } from './policy.ts';
import { readPolicy } from './read.ts';

const sample = `version: 1
stack: releases
plans:
  - { name: main, path: release.plan.yaml }
  - name: billing
    path: services/billing/release.plan.yaml
    events: { push: [staging, production] }
events: { pull_request: [preview], push: [production] }
environments:
  staging: &block
    protected: true
    approvers:
      - { github: ada, aws: "arn:aws:iam::111122223333:role/ada" }
    secrets: ["env://STRIPE_*"]
  production:
    <<: *block
    expires: 12h
    providers: { vercel: [{ project: shop }], http: [{ status: { base_url: https://a.example.com } }] }
    http_hosts: [a.example.com]
`;

/** What a policy must give for any input: a policy or problems, each with its one code and a place inside the file. */
function judge(input: string | Uint8Array): void {
  const { policy, problems } = readPolicy(input, 'f');

  expect(policy === undefined).toBe(problems.length > 0);
  const lines = (typeof input === 'string' ? input : new TextDecoder().decode(input)).split('\n').length;
  for (const { code, message, at } of problems) {
    expect(code).toBe('POLICY_INVALID');
    expect(message).toMatch(/\S/);
    expect(at?.line).toBeGreaterThanOrEqual(1);
    expect(at?.line).toBeLessThanOrEqual(lines);
    expect(at?.column).toBeGreaterThanOrEqual(1);
  }
  if (policy === undefined) return;
  expect(isProtected(policy, 'production')).toBe(true);
  expect(policy.plans.length).toBeGreaterThan(0);
  expect(runsFor(policy, { kind: 'pull_request' }).map(({ environment }) => environment)).not.toContain('production');
}

describe('the reader of policy files', () => {
  it('takes the sample', () => {
    expect(readPolicy(sample, 'f').problems).toEqual([]);
  });

  it('answers with problems, and never throws, for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), judge), { numRuns: 500 });
  });

  it('never throws for any text of YAML’s own characters', () => {
    const yaml = fc.string({ unit: fc.constantFrom(...'-?:,[]{}#&*!|>\'"%@`<>=~ \n\t\\$ab01.ø'), maxLength: 120 });
    fc.assert(fc.property(yaml, judge), { numRuns: 1000 });
    fc.assert(
      fc.property(yaml, (text) => judge(`version: 1\nenvironments:\n  production:\n    approvers: ${text}`)),
      { numRuns: 500 },
    );
  });

  it('never throws for a policy with a part cut out, doubled, moved or replaced', () => {
    const patches = ['', 'null', '{}', '[]', '- ', ': ', '*block', '&b ', '"', '\n', '  ', '\t', '1e999', '!!str ', '__proto__: x', 'production', '/'];
    fc.assert(
      fc.property(damaged(sample, patches), (text) => judge(text)),
      { numRuns: 2000 },
    );
  });

  it('never throws for any JSON in any place of the file', () => {
    const place = fc.constantFrom('version', 'stack', 'plans', 'events', 'environments', 'else');
    const key = fc.constantFrom('protected', 'approvers', 'expires', 'secrets', 'providers', 'http_hosts', 'from');
    fc.assert(
      fc.property(place, key, fc.jsonValue({ maxDepth: 4 }), (top, inner, value) => {
        judge(JSON.stringify({ version: 1, [top]: value }));
        judge(JSON.stringify({ version: 1, environments: { production: { [inner]: value } } }));
        judge(JSON.stringify({ version: 1, environments: { production: { approvers: [{ github: 'ada', aws: value }] } } }));
        judge(JSON.stringify({ version: 1, plans: [{ name: 'main', path: 'a.yaml', events: { push: value } }] }));
        judge(JSON.stringify({ version: 1, plans: [{ name: value, path: value }] }));
      }),
      { numRuns: 500 },
    );
  });
});
