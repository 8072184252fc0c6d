import { describe, expect, it } from 'vitest';
import { branch } from './neon/branch.ts';
import { createRegistry, registry } from './registry.ts';

describe('the registry', () => {
  it('finds an op by adapter and name, and nothing else', () => {
    expect(registry.find('neon', 'branch')).toBe(branch);
    expect(registry.find('neon', 'constructor')).toBeUndefined();
    expect(registry.find('toString', 'branch')).toBeUndefined();
  });

  it('lists adapters and ops for a message that says what there is', () => {
    expect(registry.adapters()).toEqual(['clerk', 'http', 'manual', 'neon', 'pulumi', 'terraform', 'vercel']);
    expect(registry.ops('vercel')).toEqual(['deploy', 'env']);
    expect(registry.ops('netlify')).toEqual([]);
  });

  it('refuses two ops of one name', () => {
    expect(() => createRegistry([branch, branch])).toThrow('neon.branch');
  });
});
