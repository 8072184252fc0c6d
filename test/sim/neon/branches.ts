import { alphanumeric, numeric, uuid, wordy } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import type { NeonBranch, NeonOperation, NeonProject } from './state.ts';

/** What a request for a new branch may say. */
export interface BranchWish {
  readonly name: string | undefined;
  readonly parent: NeonBranch;
  readonly endpoints: readonly ('read_write' | 'read_only')[];
  readonly protected: boolean;
  readonly annotation: Record<string, string>;
}

/** Makes a branch: databases and roles come from the parent, every password is new, and operations begin. */
export function makeBranch(scene: Scene, project: NeonProject, wish: BranchWish): { branch: NeonBranch; operations: NeonOperation[] } {
  const { source, neon } = scene.world;
  const at = scene.now;
  const id = `br-${wordy(source)}`;
  const branch: NeonBranch = {
    id,
    name: wish.name ?? id,
    parentId: wish.parent.id,
    isDefault: false,
    protected: wish.protected,
    createdAt: at,
    updatedAt: at,
    readyAt: at + neon.settings.operationMs,
    annotation: wish.annotation,
    endpoints: wish.endpoints.map((type) => ({ id: `ep-${wordy(source)}`, type, createdAt: at })),
    roles: wish.parent.roles.map((role) => ({ name: role.name, password: password(scene), createdAt: at })),
    databases: wish.parent.databases.map((database) => ({ ...database, id: numeric(source, 900_000), createdAt: at })),
  };
  project.branches.push(branch);
  const operations = [
    begin(scene, project, branch.id, 'create_branch'),
    ...branch.endpoints.map((endpoint) => begin(scene, project, branch.id, 'start_compute', endpoint.id)),
  ];
  return { branch, operations };
}

/** A password as Neon makes them. */
export function password(scene: Scene): string {
  return `npg_${alphanumeric(scene.world.source, 16)}`;
}

/** Takes a branch away; its endpoints stop. */
export function dropBranch(scene: Scene, project: NeonProject, branch: NeonBranch): NeonOperation[] {
  project.branches.splice(project.branches.indexOf(branch), 1);
  return [
    ...branch.endpoints.map((endpoint) => begin(scene, project, branch.id, 'suspend_compute', endpoint.id)),
    begin(scene, project, branch.id, 'delete_timeline'),
  ];
}

function begin(scene: Scene, project: NeonProject, branchId: string, action: NeonOperation['action'], endpointId?: string): NeonOperation {
  const at = scene.now;
  const operation = { id: uuid(scene.world.source), branchId, endpointId, action, createdAt: at, doneAt: at + scene.world.neon.settings.operationMs };
  project.operations.push(operation);
  return operation;
}

/** Whether operations still run, so that the project takes no further change. */
export function busy(scene: Scene, project: NeonProject): boolean {
  return project.operations.some((operation) => operation.doneAt > scene.now);
}
