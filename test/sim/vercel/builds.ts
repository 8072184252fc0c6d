import { alphanumeric, mixed } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import type { ReadyState, VercelDeployment, VercelProject } from './state.ts';

/** What is built, and as what. */
export interface BuildWish {
  readonly sha: string;
  readonly branch: string;
  readonly target: VercelDeployment['target'];
  readonly source: VercelDeployment['source'];
}

/** Starts a build. The settings decide whether it ends by itself. */
export function startBuild(scene: Scene, project: VercelProject, wish: BuildWish): VercelDeployment {
  const { source, vercel } = scene.world;
  const at = scene.moment();
  const waits = vercel.settings.outcome === 'wait';
  const deployment: VercelDeployment = {
    ...wish,
    id: `dpl_${mixed(source, 28)}`,
    url: `${project.name}-${alphanumeric(source, 9)}-acme.vercel.app`,
    createdAt: at,
    state: 'BUILDING',
    finishAt: waits ? undefined : at + vercel.settings.outcomeMs,
    outcome: vercel.settings.outcome === 'wait' ? 'READY' : vercel.settings.outcome,
    errorMessage: undefined,
  };
  project.deployments.push(deployment);
  return deployment;
}

/** Ends a build now. */
export function finishBuild(scene: Scene, deployment: VercelDeployment, outcome: ReadyState): void {
  deployment.state = outcome;
  deployment.outcome = outcome;
  deployment.finishAt = scene.moment();
  if (outcome === 'ERROR') deployment.errorMessage = 'Command "npm run build" exited with 1';
}

/** Brings every build up to this moment: what was due is done. */
export function settleBuilds(scene: Scene, project: VercelProject): void {
  for (const deployment of project.deployments) {
    if (deployment.state === 'BUILDING' && deployment.finishAt !== undefined && deployment.finishAt <= scene.now) {
      deployment.state = deployment.outcome;
      if (deployment.outcome === 'ERROR') deployment.errorMessage = 'Command "npm run build" exited with 1';
    }
  }
}

/** A pushed commit reaches every project that is linked to its repository. */
export function buildPush(scene: Scene, repositoryId: number, branch: string, sha: string): void {
  if (scene.world.vercel.settings.builds === 'never') return;
  for (const project of scene.world.vercel.projects) {
    if (project.link?.repoId !== repositoryId) continue;
    startBuild(scene, project, { sha, branch, target: branch === project.link.productionBranch ? 'production' : null, source: 'git' });
  }
}
