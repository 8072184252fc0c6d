import { expect, it } from 'vitest';
import { absorbInto } from './absorb.ts';

it('makes nothing of a stack the plan: what its resources are stands in its own files', () => {
  const plan = Buffer.from('version: 1\nchanges:\n  - { id: net, adapter: terraform, op: root, path: infra }\n');
  const line = { id: 'net', adapter: 'terraform', op: 'root', status: 'update', outputs: {}, changes: [] };
  const drift = [
    { kind: 'changed', adapter: 'terraform', op: 'root', line: 'net', resource: { key: 'infra/a.b', label: 'a.b' }, message: 'a.b was edited outside.' },
  ];
  expect(() => absorbInto(plan, 'release.plan.yaml', 'net', { document: { lines: [line], drift } })).toThrow(
    expect.objectContaining({ code: 'CANNOT_ABSORB', message: expect.stringContaining('it is a stack') }),
  );
});
