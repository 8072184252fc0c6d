import { expect, it } from 'vitest';
import { fakeVariables } from './fake-cloud.ts';

const urls = { neon: 'n', vercel: 'v', clerk: 'c', github: 'g', rest: 'r', slack: 's' };

it('says where the fakes are, and gives them credentials that are none', () => {
  expect(fakeVariables({ urls })).toEqual({
    SECRETS_SOURCE: 'simulated',
    NEON_API_KEY: 'simulated-neon-key',
    VERCEL_TOKEN: 'simulated-vercel-token',
    CLERK_SECRET_KEY: 'simulated-clerk-key',
    NEON_API_URL: 'n',
    VERCEL_API_URL: 'v',
    CLERK_API_URL: 'c',
    SIMULATED_APIS_URL: 'r',
  });
});
