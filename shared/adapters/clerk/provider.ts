import { z } from 'zod';
import type { CredentialSpec, OpCall } from '../../engine/op.ts';
import { path } from '../http/path.ts';

export const credential: CredentialSpec = { variable: 'CLERK_SECRET_KEY', createAt: 'https://dashboard.clerk.com/last-active?path=api-keys' };
export const baseUrl = { variable: 'CLERK_API_URL', default: 'https://api.clerk.com/v1' };

/** Nothing to name: the secret key belongs to exactly one instance. */
export const provider = z.strictObject({});

const instance = z.object({ id: z.string().min(1) });

/**
 * The instance the key belongs to, by Clerk's own id. It is what tells development from production: a digest of the key
 * would do so too, and would make every resource a stranger when the key is rotated.
 */
export async function identity(call: Pick<OpCall, 'http'>): Promise<Record<string, string>> {
  const { id } = await call.http.send({ method: 'GET', path: path`/instance`, answer: instance });
  return { instance: id };
}
