import { describe, expect, it } from 'vitest';
import { requireCredential } from './credential.ts';

const spec = { variable: 'ACME_KEY', createAt: 'https://acme.example/keys' };

describe('a credential', () => {
  it('is the value of its variable', () => {
    expect(requireCredential(spec, { ACME_KEY: 'k-1' }, 'db')).toBe('k-1');
  });

  it.each([{}, { ACME_KEY: '' }, { ACME_KEY: '  ' }])('that is missing names the variable, where to create it, and the line: %j', (values) => {
    expect(() => requireCredential(spec, values, 'db')).toThrow(
      expect.objectContaining({ code: 'PROVIDER_AUTH', message: 'Line `db` needs ACME_KEY, which is not set. Create one at https://acme.example/keys.' }),
    );
  });

  it('that was copied with a line break is refused without being shown', () => {
    expect(() => requireCredential(spec, { ACME_KEY: 'k-1\n' }, 'db')).toThrow(
      expect.objectContaining({ code: 'PROVIDER_AUTH', message: expect.not.stringContaining('k-1') }),
    );
  });

  it('is not found on the prototype', () => {
    expect(() => requireCredential({ ...spec, variable: 'constructor' }, {}, 'db')).toThrow(expect.objectContaining({ code: 'PROVIDER_AUTH' }));
  });
});
