import type { Answer, Incoming } from '../wire/answer.ts';
import { numberOf, objectOf, stringOf } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { settleBuilds, startBuild } from './builds.ts';
import { vercelError } from './errors.ts';
import { findProject } from './projects.ts';
import { deploymentShape, listedDeployment } from './shapes.ts';
import type { VercelDeployment, VercelProject } from './state.ts';

type Placed = { readonly project: VercelProject; readonly deployment: VercelDeployment };

export function listDeployments(request: Incoming, scene: Scene): Answer {
  const { query } = request;
  const wanted = query.get('projectId');
  const only = wanted === null ? undefined : findProject(scene, wanted, query.get('teamId'));
  if (only !== undefined) noticePush(query, scene, only);
  const projects = wanted === null ? scene.world.vercel.projects : only === undefined ? [] : [only];
  const until = numberOf(query, 'until', Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER);
  const since = numberOf(query, 'since', -1, 0, Number.MAX_SAFE_INTEGER);
  const found = every(scene, projects)
    .filter(({ deployment }) => deployment.createdAt < until && deployment.createdAt > since && passes(query, deployment))
    .toSorted((a, b) => b.deployment.createdAt - a.deployment.createdAt);
  const page = found.slice(0, Math.min(numberOf(query, 'limit', 20, 1, 100), scene.world.vercel.settings.pageSize));
  const last = page.at(-1);
  return {
    status: 200,
    body: {
      deployments: page.map(({ project, deployment }) => listedDeployment(project, deployment)),
      pagination: {
        count: page.length,
        next: page.length < found.length && last !== undefined ? last.deployment.createdAt : null,
        prev: page[0]?.deployment.createdAt ?? null,
      },
    },
  };
}

export function getDeployment(request: Incoming, scene: Scene): Answer {
  const wanted = request.params['deployment'];
  const found = every(scene, scene.world.vercel.projects).find(({ deployment }) => deployment.id === wanted || deployment.url === wanted);
  return found === undefined ? unknown() : { status: 200, body: deploymentShape(found.project, found.deployment) };
}

export function createDeployment(request: Incoming, scene: Scene): Answer {
  const body = objectOf(request.body) ?? {};
  const wanted = stringOf(body, 'project') ?? stringOf(body, 'name');
  const target = stringOf(body, 'target') === 'production' ? 'production' : null;
  const again = stringOf(body, 'deploymentId');
  if (again !== undefined) {
    const found = every(scene, scene.world.vercel.projects).find(({ deployment }) => deployment.id === again);
    if (found === undefined) return unknown();
    const { sha, branch, target: former } = found.deployment;
    return started(scene, found.project, { sha, branch, target: target ?? former, source: 'redeploy' });
  }
  const project = wanted === undefined ? undefined : findProject(scene, wanted, request.query.get('teamId'));
  if (project === undefined) return vercelError(404, 'not_found', 'Project not found.');
  const git = objectOf(body['gitSource']);
  const sha = stringOf(git, 'sha');
  const branch = stringOf(git, 'ref');
  if (git === undefined || branch === undefined || sha === undefined)
    return vercelError(400, 'bad_request', 'Invalid request: `gitSource` needs type, ref and sha.');
  if (project.link === undefined) return vercelError(400, 'bad_request', 'The project has no linked repository.');
  if (stringOf(git, 'type') !== 'github' || !linked(project, git)) {
    return vercelError(400, 'incorrect_git_source_info', 'The provided git source is not the linked repository.');
  }
  return started(scene, project, { sha, branch, target, source: 'api-trigger-git-deploy' });
}

function linked(project: VercelProject, git: Record<string, unknown>): boolean {
  const { link } = project;
  if (link === undefined) return false;
  if (git['repoId'] !== undefined) return String(git['repoId']) === String(link.repoId);
  return git['org'] === link.org && git['repo'] === link.repo;
}

function started(scene: Scene, project: VercelProject, wish: Parameters<typeof startBuild>[2]): Answer {
  return { status: 200, body: deploymentShape(project, startBuild(scene, project, wish)) };
}

/** The first question about a commit nobody pushed here starts its build (V13). */
function noticePush(query: URLSearchParams, scene: Scene, project: VercelProject): void {
  const sha = query.get('sha');
  if (sha === null || project.link === undefined || scene.world.vercel.settings.builds === 'never') return;
  if (project.deployments.some((each) => each.sha === sha)) return;
  const target = query.get('target') === 'production' ? 'production' : null;
  startBuild(scene, project, { sha, branch: query.get('branch') ?? 'unknown', target, source: 'git' });
}

function passes(query: URLSearchParams, deployment: VercelDeployment): boolean {
  const target = query.get('target');
  const states = query.get('state')?.split(',');
  return (
    (query.get('sha') ?? deployment.sha) === deployment.sha &&
    (query.get('branch') ?? deployment.branch) === deployment.branch &&
    (target === null || target === (deployment.target ?? 'preview')) &&
    (states === undefined || states.includes(deployment.state))
  );
}

/** All deployments of these projects, each as it is now. */
function every(scene: Scene, projects: readonly VercelProject[]): Placed[] {
  return projects.flatMap((project) => {
    settleBuilds(scene, project);
    return project.deployments.map((deployment) => ({ project, deployment }));
  });
}

const unknown = (): Answer => vercelError(404, 'not_found', 'The deployment could not be found.');
