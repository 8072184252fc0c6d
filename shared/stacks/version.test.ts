import { describe, expect, it } from 'vitest';
import { versionFault } from './version.ts';

describe('the version of a tool', () => {
  it.each([
    ['terraform', '1.5.0', undefined],
    ['terraform', '1.4.99', 'too-old'],
    ['terraform', '0.99.9', 'too-old'],
    ['terraform', '2.0.0', undefined],
    ['tofu', '1.6.0-rc1', undefined],
    ['tofu', '1.5.7', 'too-old'],
    ['pulumi', 'v3.229.0', undefined],
    ['pulumi', 'v3.228.9', 'too-old'],
    ['pulumi', 'unknown', 'unknown'],
    ['pulumi', undefined, 'unknown'],
  ] as const)('%s %s is used, or says what is wrong with it', (tool, version, fault) => {
    expect(versionFault(tool, version, undefined)).toBe(fault);
  });

  it('is exactly the one that a line pins, however new another is', () => {
    expect(versionFault('terraform', '1.11.4', '1.11.4')).toBeUndefined();
    expect(versionFault('pulumi', 'v3.259.0', '3.259.0')).toBeUndefined();
    expect(versionFault('terraform', '1.12.0', '1.11.4')).toBe('wrong');
    expect(versionFault('terraform', '1.4.0', '1.4.0')).toBe('too-old');
  });
});
