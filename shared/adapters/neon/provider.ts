import { z } from 'zod';
import type { CredentialSpec, OpCall } from '../../engine/op.ts';

export const credential: CredentialSpec = { variable: 'NEON_API_KEY', createAt: 'https://console.neon.tech/app/settings/api-keys' };
export const baseUrl = { variable: 'NEON_API_URL', default: 'https://console.neon.tech/api/v2' };

/** A Neon project has one id and no other address, so the block's text is the identity. */
export const provider = z.strictObject({ project: z.string().min(1).describe("The project's id, as in its console address.") });

/** What requests below a project need of a call. */
export type NeonCall = Pick<OpCall, 'http' | 'identity'>;
export const projectOf = (call: NeonCall): string => call.identity['project'] ?? '';
