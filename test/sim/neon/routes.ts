/**
 * Neon's API, as far as branches go. What it assumes (verified: against the published description, its structure or its text):
 *
 * - N1  Base path `/api/v2`; bearer authentication; errors are `{request_id, code, message}`. Path verified, error codes not.
 * - N2  Branches are listed with `cursor`, `limit` (to 10,000), `search`, `sort_by`, `sort_order`; the next page is named by
 *       `pagination.next`, absent on the last one. Verified.
 * - N3  Creating answers 201 with branch, endpoints, operations, roles, databases and, when a read-write endpoint was asked for,
 *       `connection_uris`. Verified. No endpoint is made unless it is asked for. Not verified.
 * - N4  A name that is taken in the project is 409 BRANCH_ALREADY_EXISTS. Not verified.
 * - N5  While operations of a project run, a further change answers 423. Verified by users' reports, not in the description.
 * - N6  Each branch's roles have passwords of their own. Not so at Neon today unless the parent is protected; it is kept so that
 *       a leaked password names the branch it came from. Not verified.
 * - N7  The default branch and a branch with children cannot be deleted. Verified; the status (422) is not.
 * - N8  Deleting a branch that is not there: 404. The description also knows 204 without saying when. Not verified.
 * - N9  Without `parent_id` a branch grows from the default branch; an unknown parent is 404. Not verified.
 */
import type { Answer, Incoming } from '../wire/answer.ts';
import { numberOf, objectOf, stringOf } from '../wire/answer.ts';
import type { Routes } from '../wire/router.ts';
import type { Scene } from '../world/world.ts';
import { busy, dropBranch, makeBranch } from './branches.ts';
import { locked, missing, neonError } from './errors.ts';
import { findProject } from './projects.ts';
import * as shape from './shapes.ts';
import type { NeonBranch, NeonProject } from './state.ts';

export const neonRoutes: Routes<Scene> = {
  'GET /projects/:project': (request, scene) => inProject(request, scene, (project) => ok({ project: shape.projectShape(project) })),
  'GET /projects/:project/branches': (request, scene) => inProject(request, scene, (project) => list(request, scene, project)),
  'POST /projects/:project/branches': (request, scene) => inProject(request, scene, (project) => create(request, scene, project)),
  'GET /projects/:project/branches/:branch': (request, scene) =>
    onBranch(request, scene, (project, branch) =>
      ok({ branch: shape.branchShape(scene, project, branch), annotation: { object: { type: 'console/branch', id: branch.id }, value: branch.annotation } }),
    ),
  'PATCH /projects/:project/branches/:branch': (request, scene) => onBranch(request, scene, (project, branch) => update(request, scene, project, branch)),
  'DELETE /projects/:project/branches/:branch': (request, scene) => onBranch(request, scene, (project, branch) => remove(scene, project, branch)),
  'GET /projects/:project/branches/:branch/endpoints': (request, scene) =>
    onBranch(request, scene, (project, branch) => ok({ endpoints: branch.endpoints.map((each) => shape.endpointShape(scene, project, branch, each)) })),
  'GET /projects/:project/branches/:branch/databases': (request, scene) =>
    onBranch(request, scene, (_project, branch) => ok({ databases: branch.databases.map((each) => shape.databaseShape(branch, each)) })),
  'GET /projects/:project/branches/:branch/roles': (request, scene) =>
    onBranch(request, scene, (_project, branch) => ok({ roles: branch.roles.map((each) => shape.roleShape(branch, each, false)) })),
  'GET /projects/:project/connection_uri': (request, scene) => inProject(request, scene, (project) => uri(request, project)),
  'GET /projects/:project/operations': (request, scene) => inProject(request, scene, (project) => operations(request, scene, project)),
  'GET /projects/:project/operations/:operation': (request, scene) =>
    inProject(request, scene, (project) => {
      const found = project.operations.find((each) => each.id === request.params['operation']);
      return found === undefined ? missing('operation') : ok({ operation: shape.operationShape(scene, project, found) });
    }),
};

const ok = (body: unknown, status = 200): Answer => ({ status, body });

function inProject(request: Incoming, scene: Scene, then: (project: NeonProject) => Answer): Answer {
  const project = findProject(scene, request.params['project'] ?? '');
  return project === undefined ? missing('project') : then(project);
}

function onBranch(request: Incoming, scene: Scene, then: (project: NeonProject, branch: NeonBranch) => Answer): Answer {
  return inProject(request, scene, (project) => {
    const branch = project.branches.find((each) => each.id === request.params['branch']);
    return branch === undefined ? missing('branch') : then(project, branch);
  });
}

function list(request: Incoming, scene: Scene, project: NeonProject): Answer {
  const search = request.query.get('search')?.toLowerCase();
  const by = request.query.get('sort_by') ?? 'updated_at';
  const direction = request.query.get('sort_order') ?? 'desc';
  const found = project.branches.filter((each) => search === undefined || each.name.toLowerCase().includes(search) || each.id.includes(search));
  found.sort((a, b) => (by === 'name' ? (a.name < b.name ? -1 : 1) : by === 'created_at' ? a.createdAt - b.createdAt : a.updatedAt - b.updatedAt));
  if (direction === 'desc') found.reverse();
  const limit = numberOf(request.query, 'limit', 10_000, 1, 10_000);
  const start = offsetOf(request.query.get('cursor'));
  const end = start + Math.min(limit, scene.world.neon.settings.pageSize);
  return ok({
    branches: found.slice(start, end).map((each) => shape.branchShape(scene, project, each)),
    annotations: {},
    pagination: { ...(end < found.length ? { next: cursorOf(end) } : {}), sort_by: by, sort_order: direction.toUpperCase() },
  });
}

function create(request: Incoming, scene: Scene, project: NeonProject): Answer {
  if (request.text !== '' && objectOf(request.body) === undefined) return neonError(400, '', 'request body is not a JSON object');
  if (busy(scene, project)) return locked();
  const wanted = objectOf(request.body) ?? {};
  const name = stringOf(wanted['branch'], 'name');
  if (name !== undefined && (name === '' || name.length > 256)) return neonError(400, 'INVALID_BRANCH_NAME', 'branch name must have 1 to 256 characters');
  const parentId = stringOf(wanted['branch'], 'parent_id');
  const parent = project.branches.find((each) => (parentId === undefined ? each.isDefault : each.id === parentId));
  if (parent === undefined) return neonError(404, 'BRANCH_NOT_FOUND', `parent branch ${parentId ?? ''} not found`);
  if (project.branches.some((each) => each.name === name)) return neonError(409, 'BRANCH_ALREADY_EXISTS', `branch with name "${name}" already exists`);
  const types = Array.isArray(wanted['endpoints']) ? wanted['endpoints'].map((each) => stringOf(each, 'type')) : [];
  if (types.some((type) => type !== 'read_write' && type !== 'read_only')) return neonError(400, '', 'endpoint type must be read_write or read_only');
  const { branch, operations: begun } = makeBranch(scene, project, {
    name,
    parent,
    endpoints: types.map((type) => (type === 'read_only' ? 'read_only' : 'read_write')),
    protected: objectOf(wanted['branch'])?.['protected'] === true,
    annotation: (objectOf(wanted['annotation_value']) ?? {}) as Record<string, string>,
  });
  const writer = branch.endpoints.find((each) => each.type === 'read_write');
  return ok(
    {
      branch: shape.branchShape(scene, project, branch),
      endpoints: branch.endpoints.map((each) => shape.endpointShape(scene, project, branch, each)),
      operations: begun.map((each) => shape.operationShape(scene, project, each)),
      roles: branch.roles.map((each) => shape.roleShape(branch, each, true)),
      databases: branch.databases.map((each) => shape.databaseShape(branch, each)),
      ...(writer === undefined ? {} : { connection_uris: shape.connectionDetails(project, branch, writer) }),
    },
    201,
  );
}

function update(request: Incoming, scene: Scene, project: NeonProject, branch: NeonBranch): Answer {
  if (busy(scene, project)) return locked();
  const wanted = objectOf(objectOf(request.body)?.['branch']);
  if (wanted === undefined) return neonError(400, '', 'branch is required');
  const name = stringOf(wanted, 'name');
  if (project.branches.some((each) => each !== branch && each.name === name))
    return neonError(409, 'BRANCH_ALREADY_EXISTS', `branch with name "${name}" already exists`);
  branch.name = name ?? branch.name;
  if (typeof wanted['protected'] === 'boolean') branch.protected = wanted['protected'];
  branch.updatedAt = scene.now;
  return ok({ branch: shape.branchShape(scene, project, branch), operations: [] });
}

function remove(scene: Scene, project: NeonProject, branch: NeonBranch): Answer {
  if (busy(scene, project)) return locked();
  if (branch.isDefault) return neonError(422, '', 'cannot delete the default branch');
  if (project.branches.some((each) => each.parentId === branch.id)) return neonError(422, '', 'cannot delete a branch that has children');
  const begun = dropBranch(scene, project, branch);
  return ok({ branch: shape.branchShape(scene, project, branch), operations: begun.map((each) => shape.operationShape(scene, project, each)) });
}

function uri(request: Incoming, project: NeonProject): Answer {
  const { query } = request;
  const branchId = query.get('branch_id');
  const branch = project.branches.find((each) => (branchId === null ? each.isDefault : each.id === branchId));
  if (branch === undefined) return missing('branch');
  const endpointId = query.get('endpoint_id');
  const endpoint = branch.endpoints.find((each) => (endpointId === null ? each.type === 'read_write' : each.id === endpointId));
  if (endpoint === undefined) return missing('endpoint');
  const database = branch.databases.find((each) => each.name === query.get('database_name'));
  if (database === undefined) return missing('database');
  const role = branch.roles.find((each) => each.name === query.get('role_name'));
  if (role === undefined) return missing('role');
  return ok({ uri: shape.connectionUri(project, endpoint, role, database.name, query.get('pooled') === 'true') });
}

function operations(request: Incoming, scene: Scene, project: NeonProject): Answer {
  const newestFirst = project.operations.toReversed();
  const limit = Math.min(numberOf(request.query, 'limit', 1000, 1, 1000), scene.world.neon.settings.pageSize);
  const start = offsetOf(request.query.get('cursor'));
  const page = newestFirst.slice(start, start + limit);
  const more = start + limit < newestFirst.length;
  return ok({
    operations: page.map((each) => shape.operationShape(scene, project, each)),
    ...(more ? { pagination: { cursor: cursorOf(start + limit) } } : {}),
  });
}

const cursorOf = (offset: number): string => Buffer.from(`offset:${offset}`).toString('base64url');

function offsetOf(cursor: string | null): number {
  const [, digits] = /^offset:(\d+)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? [];
  return digits === undefined ? 0 : Number(digits);
}
