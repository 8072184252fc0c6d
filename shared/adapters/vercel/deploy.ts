import { z } from 'zod';
import type { Applied, LiveResource, Op, OpCall, Reading, ResourceChange } from '../../engine/op.ts';
import { fieldHashes, sideOf, type Value } from '../../engine/value.ts';
import type { ReleaseContext } from '../../plan/types.ts';
import { stateDigest } from '../digest.ts';
import { startBuild } from './build.ts';
import { type Deployment, deploymentFailed, deploymentsOf, findDeployment, isAskedFor, isFailed, isReady, outputsOf } from './deployment.ts';
import { identity } from './project.ts';
import { baseUrl, credential, provider } from './provider.ts';
import { usualTarget } from './target.ts';

type Live = { readonly newest?: Deployment };

/**
 * `vercel.deploy`: the deployment of the run's commit. One that exists is watched, else one is started; nothing waits in place,
 * `apply` comes back until it is ready. A deployment still being built counts as "to be created": there is nothing to use yet.
 * Destroy does nothing: a deployment is a record of what was online, and Vercel keeps or expires it by its own rules.
 */
export const deploy: Op<Live> = {
  adapter: 'vercel',
  name: 'deploy',
  version: 1,
  credentials: [credential],
  baseUrl,
  provider,
  params: z.strictObject({}),
  outputs: {
    preview_url: { available: 'immediate', about: 'Address of this one deployment.' },
    deployment_id: { available: 'immediate', about: "The deployment's id." },
  },
  keyParams: [],
  nothingLive: {},
  defaults: (params) => params,
  writesEnvironment: (_params, _provider, context) => usualTarget(context),
  identity,
  read: async (_params, call) => readingOf(call.context, await deploymentsOf(call, call.context.sha, usualTarget(call.context))),
  diff: (_params, reading, context) => diff(reading, context),
  apply: (_params, reading, changes, call) => apply(reading, changes, call),
  lookup: async (resource, call) => {
    const [target, sha] = partsOf(resource.key);
    const found = resource.id === undefined ? (await deploymentsOf(call, sha, target)).find((one) => !isFailed(one)) : await findDeployment(call, resource.id);
    return found === undefined || isFailed(found) ? undefined : { ...resourceOf(found, target, sha), key: resource.key };
  },
  destroy: async () => {},
};

function readingOf(context: ReleaseContext, found: readonly Deployment[]): Reading<Live> {
  const newest = found.find((one) => !isFailed(one)) ?? found[0];
  if (newest === undefined) return { resources: [], outputs: {}, live: {} };
  if (!isReady(newest)) return { resources: [], outputs: {}, live: { newest } };
  return { resources: [resourceOf(newest, usualTarget(context), context.sha)], outputs: outputsOf(newest), live: { newest } };
}

function diff({ live }: Reading<Live>, context: ReleaseContext): readonly ResourceChange[] {
  const target = usualTarget(context);
  const base = { key: keyOf(target, context.sha), label: labelOf(target, context.sha), hash: hashOf(target, context.sha) };
  if (live.newest !== undefined && isReady(live.newest)) return [{ ...base, kind: 'unchanged', fields: [] }];
  const commit: Value = { kind: 'known', value: context.sha, sensitive: false };
  return [{ ...base, kind: 'create', fields: [{ path: 'commit', before: { state: 'absent' }, after: sideOf(commit), ...fieldHashes(undefined, commit) }] }];
}

async function apply({ live, resources, outputs }: Reading<Live>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied> {
  const { newest } = live;
  const target = usualTarget(call.context);
  if (newest !== undefined && isReady(newest)) {
    const ours = isAskedFor(newest) && changes.some((change) => change.kind === 'create');
    return { done: true, resources, created: ours ? [keyOf(target, call.context.sha)] : [], outputs };
  }
  // Vercel's own build that failed is tried once more; one that was asked for is not, or a broken commit would be built for ever.
  if (newest !== undefined && isFailed(newest) && isAskedFor(newest)) throw deploymentFailed(newest);
  const watched = newest === undefined || isFailed(newest) ? await startBuild(call, target) : newest;
  return { done: false, seconds: pauseFor(watched, call.now()), why: `Vercel builds deployment ${watched.id} (${watched.state.toLowerCase()}).` };
}

/** Seconds until the next look: often while a build is young, at most every 15. */
const pauseFor = (deployment: Deployment, now: number): number => Math.min(Math.max(Math.round((now - deployment.createdAt) / 4_000), 2), 15);

const keyOf = (target: string, sha: string): string => `deployment:${target}:${sha}`;
const labelOf = (target: string, sha: string): string => `Vercel ${target} deployment of ${sha.slice(0, 7)}`;
const hashOf = (target: string, sha: string): string => stateDigest({ target, sha });
const resourceOf = (found: Deployment, target: string, sha: string): LiveResource => ({
  key: keyOf(target, sha),
  id: found.id,
  hash: hashOf(target, sha),
  label: labelOf(target, sha),
  createdAt: found.createdAt,
});

function partsOf(key: string): [target: string, sha: string] {
  const [, target = '', sha = ''] = key.split(':');
  return [target, sha];
}
