import { z } from 'zod';
import type { OpCall } from '../../engine/op.ts';
import { path } from '../http/path.ts';
import { teamQuery } from './provider.ts';

/** The repository a project is built from, with the fields that start a build of it. */
const gitLink = z.union([
  z.object({ type: z.enum(['github', 'github-limited']), repoId: z.union([z.number(), z.string()]) }),
  z.object({ type: z.literal('gitlab'), projectId: z.union([z.number(), z.string()]) }),
  z.object({ type: z.literal('bitbucket'), uuid: z.string(), workspaceUuid: z.string() }),
]);
export type GitLink = z.infer<typeof gitLink>;

/** `accountId` is the owner: a team's id, or the person's. A link of another kind is no link here. */
const projectRecord = z.object({ id: z.string().min(1), name: z.string().min(1), accountId: z.string().min(1), link: gitLink.nullish().catch(undefined) });
export type ProjectRecord = z.infer<typeof projectRecord>;

export function findProject(call: Pick<OpCall, 'http' | 'provider'>, idOrName: string): Promise<ProjectRecord> {
  return call.http.send({ method: 'GET', path: path`/v9/projects/${idOrName}`, query: teamQuery(call), answer: projectRecord });
}

/** Project and owner by Vercel's ids: named by id or by name, with a default team or without, one project is one identity. */
export async function identity(call: Pick<OpCall, 'http' | 'provider'>): Promise<Record<string, string>> {
  const found = await findProject(call, String(call.provider['project'] ?? ''));
  return { project: found.id, team: found.accountId };
}
