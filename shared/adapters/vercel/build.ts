import type { OpCall } from '../../engine/op.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { createDeployment, type Deployment } from './deployment.ts';
import { findProject, type GitLink } from './project.ts';
import { projectOf } from './provider.ts';

/**
 * Starts a build of the run's commit from the repository the project is linked to. Needs two requests: the link, then the build.
 *
 * @throws LockkeeperError PROVIDER_INVALID when the project is linked to no repository.
 */
export async function startBuild(call: OpCall, target: string): Promise<Deployment> {
  const project = await findProject(call, projectOf(call));
  if (!project.link) {
    throw new LockkeeperError({
      code: 'PROVIDER_INVALID',
      message: `Vercel project \`${project.name}\` is linked to no Git repository, so no commit of it can be built. Connect one under Settings, Git.`,
      details: { adapter: 'vercel' },
    });
  }
  const gitSource = { ...sourceOf(project.link), ref: call.context.branch, sha: call.context.sha };
  // A preview is what Vercel builds when no target is named.
  return createDeployment(call, { name: project.name, project: project.id, gitSource, ...(target === 'production' ? { target } : {}) });
}

function sourceOf(link: GitLink): Record<string, unknown> {
  switch (link.type) {
    case 'gitlab':
      return { type: link.type, projectId: link.projectId };
    case 'bitbucket':
      return { type: link.type, repoUuid: link.uuid, workspaceUuid: link.workspaceUuid };
    default:
      return { type: link.type, repoId: link.repoId };
  }
}
