/** Values that must be seen nowhere: planted into every scenario. */

export const credentials: readonly (readonly [string, string])[] = [
  ['preview/NEON_API_KEY', 'canary-neon-7f3b9a1c5d'],
  ['preview/VERCEL_TOKEN', 'canary-vercel-2e8d4f6a0b'],
  ['preview/CLERK_SECRET_KEY', 'canary-clerk-9c1e7b3d5f'],
  ['staging/NEON_API_KEY', 'canary-neon-staging-41b7'],
  ['staging/VERCEL_TOKEN', 'canary-vercel-staging-90cd'],
  ['staging/CLERK_SECRET_KEY', 'canary-clerk-staging-e3f2'],
  ['production/NEON_API_KEY', 'canary-neon-production-a77e'],
  ['production/VERCEL_TOKEN', 'canary-vercel-production-5b1d'],
  ['production/CLERK_SECRET_KEY', 'canary-clerk-production-08f4'],
];

/** What somebody had put where a scenario's line writes over it. */
export const foundSecrets: readonly (readonly [string, string])[] = [['a value that was found', 'canary-found-8e1c4b7a60']];

/** Secrets that a plan of any scenario may use. */
export const plantedSecrets: readonly (readonly [string, string])[] = [
  ['STRIPE_KEY', 'canary-stripe-4a6c8e0b2d'],
  ['HOOKS_TOKEN', 'canary-hooks-3d5f7a9c1e'],
  ['LOGIN_APIKEY', 'canary-login-6b8d0f2a4c'],
  ['HOOKS_SIGNING', 'canary-signing-1f3b5d7e9a'],
];
