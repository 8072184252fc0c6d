/**
 * Vercel's REST API, as far as variables and deployments go. What it assumes (verified: against the schemas Vercel publishes with its SDK 1.28):
 *
 * - V1  Bearer authentication; errors are `{error: {code, message}}`. Shape verified. No token is 401, not verified.
 * - V2  `teamId` names the team that owns the project; another team's id answers 403 `forbidden`; without one the token's default
 *       team is meant. Parameter verified, behaviour not.
 * - V3  `GET /v10/projects/{p}/env` answers `{envs, pagination: {count, next, prev}}`; `next` is a moment that goes into `until`.
 *       Shape verified; the parameters `until` and `limit` are not in the description.
 * - V4  `decrypt=true` puts plain values into the list, with `decrypted: true`; without it an encrypted value is ciphertext. The
 *       parameter is verified (and deprecated there). One variable: `GET /v1/projects/{p}/env/{id}`, decrypted. Verified.
 * - V5  A `sensitive` value is never shown again. Verified for one variable (the value is absent), not for lists (it is empty).
 * - V6  `POST /v10/projects/{p}/env` takes one object or an array and answers 201 `{created, failed}`: `created` is an object or an
 *       array as the body was, `failed` is `[{error: {code, message, key, …}}]`. Verified.
 * - V7  A variable conflicts with one of the same key and branch that shares a target. `upsert=true` overwrites it in place, under its
 *       id, when the targets are the same, and fails otherwise. Not verified.
 * - V8  Without upsert a conflict is 400 `ENV_CONFLICT` for one object, and an entry under `failed` for an array. Not verified.
 * - V9  `DELETE /v9/projects/{p}/env/{id}` answers 200 with the variable that was removed; 404 when it is gone. Not verified.
 * - V10 `GET /v7/deployments` (and v6) lists newest first, filtered by `projectId`, `sha`, `branch`, `target`, `state`, `until`, `since`,
 *       `limit` (20, to 100); a preview has target null and is found by `target=preview`. Parameters verified, the last part not.
 * - V11 `GET /v13/deployments/{id or host name}` answers one; its `readyState` and `status` are the same. Verified.
 * - V12 `POST /v13/deployments` starts a build: of `gitSource` (type, repoId or org and repo, ref, sha), or of the commit of
 *       `deploymentId`. Path and answer verified, the rules not.
 * - V13 Vercel builds every pushed commit of a linked repository by itself. For a commit nobody pushed here (a plan run from somebody's
 *       terminal) the first question about it counts as the push: that is the fake's own convenience. Not verified.
 * - V14 `PATCH /v9/projects/{p}/env/{id}` changes value and type of the one variable and answers it, its value as ciphertext. Path, body and
 *       answer verified. A sensitive variable stays one. Not verified.
 * - V15 A deployment of a branch has a host name of the branch beside its own, `<project>-git-<branch>-<owner>.vercel.app`, which goes over to
 *       the branch's newest ready deployment: in `meta.branchAlias`, and in `alias` of the one deployment once it is ready. That `alias` is
 *       a list of names is verified. That Vercel shortens names over 63 characters is left out here. The rest: Not verified.
 */
import type { Answer, Incoming } from '../wire/answer.ts';
import type { Routes } from '../wire/router.ts';
import type { Scene } from '../world/world.ts';
import { createDeployment, getDeployment, listDeployments } from './deploy-routes.ts';
import { changeVariable, createVariables, getVariable, listVariables, removeVariable } from './env-routes.ts';
import { vercelError } from './errors.ts';
import { findProject } from './projects.ts';
import { projectShape } from './shapes.ts';
import type { VercelProject } from './state.ts';

export const vercelRoutes: Routes<Scene> = {
  'GET /v9/projects/:project': inProject((_request, _scene, project) => ({ status: 200, body: projectShape(project) })),
  'GET /v10/projects/:project/env': inProject(listVariables),
  'POST /v10/projects/:project/env': inProject(createVariables),
  'GET /v1/projects/:project/env/:variable': inProject(getVariable),
  'PATCH /v9/projects/:project/env/:variable': inProject(changeVariable),
  'DELETE /v9/projects/:project/env/:variable': inProject(removeVariable),
  'GET /v7/deployments': listDeployments,
  'GET /v6/deployments': listDeployments,
  'GET /v13/deployments/:deployment': getDeployment,
  'POST /v13/deployments': createDeployment,
};

/** Finds the project by id or name, for the team that asks. */
function inProject(then: (request: Incoming, scene: Scene, project: VercelProject) => Answer) {
  return (request: Incoming, scene: Scene): Answer => {
    const team = request.query.get('teamId');
    const project = findProject(scene, request.params['project'] ?? '', team);
    if (team !== null && !scene.world.vercel.projects.some((each) => each.accountId === team)) return vercelError(403, 'forbidden', 'Not authorized');
    if (project === undefined || (team !== null && project.accountId !== team)) return vercelError(404, 'not_found', 'Project not found.');
    return then(request, scene, project);
  };
}
