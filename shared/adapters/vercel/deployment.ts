import { z } from 'zod';
import type { OpCall, Outputs } from '../../engine/op.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { orAbsent } from '../http/absent.ts';
import { path } from '../http/path.ts';
import { projectOf, teamQuery, type VercelCall } from './provider.ts';

/** A deployment, out of a list (`uid`, `created`) or asked for alone (`id`, `createdAt`). Its target is null for a preview. */
const deploymentRecord = z
  .object({
    uid: z.string().optional(),
    id: z.string().optional(),
    url: z.string().nullish(),
    created: z.number().optional(),
    createdAt: z.number().optional(),
    state: z.string().optional(),
    readyState: z.string().optional(),
    target: z.string().nullish(),
    source: z.string().nullish(),
    meta: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform((record, context) => {
    const id = record.uid ?? record.id;
    const createdAt = record.created ?? record.createdAt;
    const state = record.readyState ?? record.state;
    if (id !== undefined && createdAt !== undefined && state !== undefined) {
      return {
        id,
        createdAt,
        state,
        url: record.url || undefined,
        target: record.target ?? 'preview',
        source: record.source ?? undefined,
        sha: shaOf(record.meta ?? {}),
      };
    }
    context.addIssue({ code: 'custom', message: 'a deployment has an id, a time and a state' });
    return z.NEVER;
  });
export type Deployment = z.infer<typeof deploymentRecord>;

const listing = z.object({ deployments: z.array(deploymentRecord) });
const newestListed = 20;
const failedStates = new Set(['ERROR', 'CANCELED', 'BLOCKED', 'DELETED']);

export const isReady = (deployment: Deployment): boolean => deployment.state === 'READY';
export const isFailed = (deployment: Deployment): boolean => failedStates.has(deployment.state);

/** Where a deployment answers, and its id. */
export const outputsOf = (deployment: Deployment): Outputs => ({
  deployment_id: deployment.id,
  ...(deployment.url === undefined ? {} : { preview_url: `https://${deployment.url}` }),
});

export const deploymentFailed = (deployment: Deployment): LockkeeperError =>
  new LockkeeperError({
    code: 'EXTERNAL_FAILED',
    message: `Vercel deployment ${deployment.id} ended as ${deployment.state}. Redeploy it at Vercel, or push again.`,
    details: { adapter: 'vercel', deployment: deployment.id },
  });

/**
 * Deployments of one commit for one target, newest first. Where an answer names commit and target they are judged again:
 * somebody else's deployment would be taken for ours if the filter were ignored.
 */
export async function deploymentsOf(call: VercelCall, sha: string, target: string): Promise<Deployment[]> {
  const query = { ...teamQuery(call), projectId: projectOf(call), sha, target, limit: newestListed };
  const { deployments } = await call.http.send({ method: 'GET', path: path`/v7/deployments`, query, answer: listing });
  return deployments.filter((found) => (found.sha ?? sha) === sha && found.target === target).sort((a, b) => b.createdAt - a.createdAt);
}

export function findDeployment(call: Pick<OpCall, 'http' | 'provider'>, id: string): Promise<Deployment | undefined> {
  return orAbsent(call.http.send({ method: 'GET', path: path`/v13/deployments/${id}`, query: teamQuery(call), answer: deploymentRecord }));
}

/** Starts a build. Not sent twice by the client: every request is a deployment of its own. */
export function createDeployment(call: VercelCall, body: Readonly<Record<string, unknown>>): Promise<Deployment> {
  return call.http.send({ method: 'POST', path: path`/v13/deployments`, query: { ...teamQuery(call), forceNew: 1 }, body, answer: deploymentRecord });
}

function shaOf(meta: Readonly<Record<string, unknown>>): string | undefined {
  const sha = meta['githubCommitSha'] ?? meta['gitlabCommitSha'] ?? meta['bitbucketCommitSha'];
  return typeof sha === 'string' ? sha : undefined;
}
