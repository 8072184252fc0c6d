import { createHash } from 'node:crypto';

/** What makes a resource one thing: adapter, provider block resolved to the provider's own ids, and the adapter's key (R1.74). */
export interface Identity {
  readonly adapter: string;
  readonly account: Readonly<Record<string, string>>;
  readonly key: string;
}

/** SHA-256, hex, of the identity with its account's fields in order: the name of its claim. */
export function identityHash(identity: Identity): string {
  const account = Object.entries(identity.account).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([identity.adapter, account, identity.key]))
    .digest('hex');
}
