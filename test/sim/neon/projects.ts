import { numeric, wordy } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { password } from './branches.ts';
import type { NeonProject } from './state.ts';

/** The project of that id. One nobody has heard of is made on the spot when the settings say so. */
export function findProject(scene: Scene, id: string): NeonProject | undefined {
  const { projects, settings } = scene.world.neon;
  return projects.find((each) => each.id === id) ?? (settings.unknownProjects === 'make' ? makeProject(scene, id) : undefined);
}

/** A project as a new one is at Neon: a default branch `main` with an endpoint, one role and its database. */
function makeProject(scene: Scene, id: string): NeonProject {
  const { source, neon } = scene.world;
  const at = scene.now;
  const project: NeonProject = {
    id,
    name: id,
    region: 'aws-eu-central-1',
    createdAt: at,
    operations: [],
    branches: [
      {
        id: `br-${wordy(source)}`,
        name: 'main',
        parentId: undefined,
        isDefault: true,
        protected: false,
        createdAt: at,
        updatedAt: at,
        readyAt: at,
        annotation: {},
        endpoints: [{ id: `ep-${wordy(source)}`, type: 'read_write', createdAt: at }],
        roles: [{ name: 'neondb_owner', password: password(scene), createdAt: at }],
        databases: [{ id: numeric(source, 900_000), name: 'neondb', owner: 'neondb_owner', createdAt: at }],
      },
    ],
  };
  neon.projects.push(project);
  return project;
}
