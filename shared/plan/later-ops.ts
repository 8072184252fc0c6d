/** Adapters and ops of the plan format that this version does not have yet: a plan may name them rightly, so they are no misspellings. */
export const laterOps: Readonly<Record<string, readonly string[]>> = {
  cloudflare: ['pages_env'],
  launchdarkly: ['flag_target'],
  netlify: ['env'],
  planetscale: ['branch', 'password'],
  supabase: ['branch', 'auth_redirect'],
};

export const isLaterAdapter = (adapter: string): boolean => Object.hasOwn(laterOps, adapter);
export const isLaterOp = (adapter: string, op: string): boolean => isLaterAdapter(adapter) && (laterOps[adapter] ?? []).includes(op);
