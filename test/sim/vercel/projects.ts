import { mixed, numeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import type { VercelProject } from './state.ts';

/** The project of that id or name. One nobody has heard of is made on the spot when the settings say so. */
export function findProject(scene: Scene, wanted: string, team: string | null): VercelProject | undefined {
  const { projects, settings } = scene.world.vercel;
  const found = projects.find((each) => each.id === wanted || each.name === wanted);
  return found ?? (settings.unknownProjects === 'make' ? makeProject(scene, wanted, team) : undefined);
}

/** A project that is linked to a repository of its name. */
function makeProject(scene: Scene, wanted: string, team: string | null): VercelProject {
  const { source, vercel } = scene.world;
  const isId = wanted.startsWith('prj_');
  const name = isId ? wanted.slice('prj_'.length).toLowerCase() : wanted;
  const project: VercelProject = {
    id: isId ? wanted : `prj_${mixed(source, 28)}`,
    name,
    accountId: team ?? `team_${mixed(source, 24)}`,
    createdAt: scene.moment(),
    link: { org: 'acme', repo: name, repoId: numeric(source, 720_000_000), productionBranch: 'main' },
    variables: [],
    deployments: [],
  };
  vercel.projects.push(project);
  return project;
}
