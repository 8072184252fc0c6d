import { z } from 'zod';
import { edit } from '../control/edit.ts';
import { neonProject, one } from '../control/places.ts';
import type { Scene } from '../world/world.ts';
import { dropBranch, makeBranch, password } from './branches.ts';
import type { NeonBranch, NeonProject } from './state.ts';

const project = z.string().optional();
/** A branch by name or id. */
const branch = z.string();

/** What somebody can do in Neon's console. */
export const neonEdits = {
  'neon.create': edit(z.strictObject({ project, name: z.string(), parent: branch.optional(), endpoint: z.boolean().default(true) }), (input, scene) => {
    const owner = neonProject(scene, input.project);
    return { id: grow(scene, owner, input.name, input.parent, input.endpoint).id };
  }),
  'neon.rename': edit(z.strictObject({ project, branch, to: z.string() }), (input, scene) => {
    const found = branchIn(neonProject(scene, input.project), input.branch);
    found.name = input.to;
    found.updatedAt = scene.now;
    return { id: found.id };
  }),
  'neon.delete': edit(z.strictObject({ project, branch }), (input, scene) => {
    const owner = neonProject(scene, input.project);
    const found = branchIn(owner, input.branch);
    dropBranch(scene, owner, found);
    return { id: found.id };
  }),
  /** Deletes the branch and makes another of the same name: another id, another password. */
  'neon.recreate': edit(z.strictObject({ project, branch }), (input, scene) => {
    const owner = neonProject(scene, input.project);
    const found = branchIn(owner, input.branch);
    dropBranch(scene, owner, found);
    return { id: grow(scene, owner, found.name, found.parentId, found.endpoints.length > 0).id };
  }),
  'neon.rotate': edit(z.strictObject({ project, branch }), (input, scene) => {
    const found = branchIn(neonProject(scene, input.project), input.branch);
    for (const role of found.roles) role.password = password(scene);
    return { id: found.id };
  }),
} as const;

function grow(scene: Scene, owner: NeonProject, name: string, parent: string | undefined, endpoint: boolean): NeonBranch {
  const from = parent === undefined ? one('default branch', owner.branches, (each) => each.isDefault) : branchIn(owner, parent);
  return makeBranch(scene, owner, { name, parent: from, endpoints: endpoint ? ['read_write'] : [], protected: false, annotation: {} }).branch;
}

function branchIn(owner: NeonProject, wanted: string): NeonBranch {
  return one(`branch ${wanted} in ${owner.id}`, owner.branches, (each) => each.name === wanted || each.id === wanted);
}
