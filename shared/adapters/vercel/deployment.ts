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
    name: z.string().optional(),
    url: z.string().nullish(),
    created: z.number().optional(),
    createdAt: z.number().optional(),
    state: z.string().optional(),
    readyState: z.string().optional(),
    target: z.string().nullish(),
    source: z.string().nullish(),
    meta: z.record(z.string(), z.unknown()).nullish(),
    alias: z.array(z.string()).nullish(),
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
        branchAlias: branchAliasOf(record.meta ?? {}, record.name, record.alias ?? []),
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

/** How Vercel marks a build that was asked for through its API. */
export const isAskedFor = (deployment: Deployment): boolean => deployment.source === 'api-trigger-git-deploy';

/**
 * The outputs with the address Vercel gives the branch, which stays over its commits (V15). A list may leave it out: then the one deployment
 * is asked for. Where Vercel gives none, there is none.
 */
export async function withBranchUrl(outputs: Outputs, listed: Deployment, call: VercelCall): Promise<Outputs> {
  const alias = listed.branchAlias ?? (await findDeployment(call, listed.id))?.branchAlias;
  return alias === undefined ? outputs : { ...outputs, branch_url: `https://${alias}` };
}

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

/** Named among what Vercel tells of the commit; else the one alias that is made from the branch. */
function branchAliasOf(meta: Readonly<Record<string, unknown>>, project: string | undefined, aliases: readonly string[]): string | undefined {
  const named = meta['branchAlias'];
  return typeof named === 'string' && named !== '' ? named : aliases.find((alias) => alias.startsWith(`${project}-git-`));
}

function shaOf(meta: Readonly<Record<string, unknown>>): string | undefined {
  const sha = meta['githubCommitSha'] ?? meta['gitlabCommitSha'] ?? meta['bitbucketCommitSha'];
  return typeof sha === 'string' ? sha : undefined;
}
