import { z } from 'zod';
import type { CredentialSpec, OpCall } from '../../engine/op.ts';

export const credential: CredentialSpec = { variable: 'VERCEL_TOKEN', createAt: 'https://vercel.com/account/settings/tokens' };
export const baseUrl = { variable: 'VERCEL_API_URL', default: 'https://api.vercel.com' };

export const provider = z.strictObject({
  project: z.string().min(1).describe("The project's id or name."),
  team: z.string().min(1).optional().describe("The team's id or slug; without it the token's default team."),
});

/** What requests below a project need of a call. */
export type VercelCall = Pick<OpCall, 'http' | 'provider' | 'identity'>;
export const projectOf = (call: VercelCall): string => call.identity['project'] ?? '';

/** Vercel takes a team's id and its slug under different names. */
export function teamQuery(call: Pick<OpCall, 'provider'>): Record<string, string> {
  const team = call.provider['team'];
  if (team === undefined) return {};
  return String(team).startsWith('team_') ? { teamId: String(team) } : { slug: String(team) };
}
