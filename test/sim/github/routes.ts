/**
 * GitHub's REST API, as far as a release needs it. What it assumes (verified: against the published description's structure):
 *
 * - G1  Errors are `{message, documentation_url, status}`, validation errors add `errors: [{resource, field, code, message}]`.
 *       Not verified: not in the excerpt; from the documentation.
 * - G2  A repository is found by owner and name, or by number under `/repositories/{id}`, which also works after a rename. The first
 *       is verified, the second is not. A former name is redirected to the number, as the documentation says.
 * - G3  Contents of a file: base64 in lines of 60 characters, or the bytes themselves for `application/vnd.github.raw+json`; above
 *       1 MiB the JSON has no content and `encoding: none`. Shape verified, limit not.
 * - G4  Lists have `per_page` (30, to 100) and `page`, and a Link header with `next` and `last` while there is more. Verified.
 * - G5  A comment's body has at most 65,536 characters, else 422. Not verified.
 * - G6  A check run's summary and text have at most 65,535 characters, else 422; `completed` needs a conclusion, and a conclusion
 *       completes. Limits verified.
 *       At most three buttons, each with a label and an identifier of at most 20 characters and a description of at most 40: verified. What
 *       an update without buttons makes of those that stand there is not documented: here they stay.
 * - G7  Checks of a commit: `filter=latest` (the default) keeps the newest of each name, `all` keeps every one. Parameter verified.
 * - G8  Pull requests of a commit are the merged one that brought it to the default branch, or was merged as it; else those that bring
 *       it: in the head's history and not in the base's. Not verified: from the documentation.
 * - G9  `compare` says how head stands to base: identical, ahead, behind, diverged; 404 when they share nothing. Verified, the 404 not.
 * - G10 App routes take a JSON web token of at most ten minutes, all others any token; installation tokens run out after an hour.
 *       Not verified; the signature of the web token is not checked here.
 * - G11 Commits of a fork's pull request can be read through the repository they are proposed to. Not verified.
 * - G12 `permission` has `maintain` as `write` and `triage` as `read`; `role_name` tells them apart, and holds the name of a role that an
 *       organization made. An account without access has `none` (`read` where the repository is public), one that does not exist is 404.
 *       Not verified: from the documentation; the description has both as plain text.
 * - G13 Deliveries are listed newest first, with a cursor in the Link header; another attempt is accepted with 202 and has the same guid.
 *       No answer is status 0. Shape verified, the rest not.
 * - G14 The app itself, its webhook's settings (the secret as asterisks) and its installations are as the documentation shows them; an
 *       installation has the verified shape of a repository's. The rest is not.
 * - G15 `GET /user` tells the login of the person whose token asks. Not verified, nor answered here: nothing deployed has
 *       such a token.
 * - G16 A team is found by the slugs of its organization and its own. Members of a team below it are its members; whoever was invited and
 *       has not accepted is `pending`; anybody else, and any other team, is 404. An app without the permission Members gets 403. Not
 *       verified: from the documentation.
 * - G17 Issues are listed by label and state; a create takes the names of labels that are not there yet. Issues that are turned off answer 410
 *       with a sentence that says `disabled`, and one that was deleted 410 with another. An App that may not write them gets 403. Not verified:
 *       the excerpt has no issues; from the documentation.
 * - G18 `userContentEdits` of an issue has the newest edit first; `diff` is the whole body as it was after that edit, null where the entry was
 *       deleted; the first edit adds an entry for what was there before; an App's login has no `[bot]`. An issue that nobody edited has none.
 *       Not verified: the schema names the fields, and others that read who ticked from it say so.
 * - G19 The files of a commit are at another host: 302 leads there with a token of its own in the address, which is good for some minutes and
 *       takes no other credential. Everything in the tar lies below one folder, named for the commit. Not verified: from the documentation.
 */
import type { Answer, Incoming } from '../wire/answer.ts';
import type { Handler, Routes } from '../wire/router.ts';
import type { Scene } from '../world/world.ts';
import { createToken, getApp, getHookConfig, getInstallation, listInstallations } from './app.ts';
import { createCheck, getCheck, listChecks, updateCheck } from './checks.ts';
import { createComment, deleteComment, getComment, listComments, updateComment } from './comments.ts';
import { commitShape, resolve } from './commits.ts';
import { compare } from './compare.ts';
import { getContents } from './contents.ts';
import { askAgain, listDeliveries } from './deliveries.ts';
import { githubError, notFound } from './errors.ts';
import { graphql } from './graphql.ts';
import { createIssue, getIssue, listIssues, updateIssue } from './issues.ts';
import { pageOf } from './pages.ts';
import { nodeId } from './people.ts';
import { getPermission } from './permission.ts';
import { pullShape, pullsWith, simplePullShape } from './pulls.ts';
import { fullRepositoryShape } from './repository-shape.ts';
import type { Repository } from './state.ts';
import { download, getTarball } from './tarball.ts';
import { getMembership } from './teams.ts';

type InRepository = (request: Incoming, scene: Scene, repository: Repository) => Answer;

const inRepository: Record<string, InRepository> = {
  'GET ': (_request, scene, repository) => ({ status: 200, body: fullRepositoryShape(scene.urls.github, repository) }),
  'GET /installation': getInstallation,
  'GET /contents/:path+': getContents,
  'GET /tarball/:ref+': getTarball,
  'GET /pulls': listPulls,
  'GET /pulls/:number': getPull,
  'GET /commits/:sha/pulls': pullsOfCommit,
  'GET /commits/:ref/check-runs': listChecks,
  'GET /commits/:ref+': getCommit,
  'GET /branches/:branch+': getBranch,
  'GET /git/ref/:ref+': getRef,
  'GET /collaborators/:login/permission': getPermission,
  'GET /compare/:basehead+': compare,
  'GET /issues': listIssues,
  'POST /issues': createIssue,
  'GET /issues/:number': getIssue,
  'PATCH /issues/:number': updateIssue,
  'GET /issues/comments/:comment': getComment,
  'PATCH /issues/comments/:comment': updateComment,
  'DELETE /issues/comments/:comment': deleteComment,
  'GET /issues/:number/comments': listComments,
  'POST /issues/:number/comments': createComment,
  'POST /check-runs': createCheck,
  'GET /check-runs/:check': getCheck,
  'PATCH /check-runs/:check': updateCheck,
};

export const githubRoutes: Routes<Scene> = {
  'POST /graphql': graphql,
  'GET /codeload/:owner/:repo/legacy.tar.gz/:sha': download,
  'GET /app': getApp,
  'GET /app/hook/config': getHookConfig,
  'GET /app/installations': listInstallations,
  'GET /app/hook/deliveries': listDeliveries,
  'POST /app/hook/deliveries/:delivery/attempts': askAgain,
  'POST /app/installations/:installation/access_tokens': createToken,
  'GET /orgs/:org/teams/:team/memberships/:login': getMembership,
  ...under('/repos/:owner/:repo', (request, scene) =>
    scene.world.github.repositories.find(
      (each) => each.owner.toLowerCase() === request.params['owner']?.toLowerCase() && each.name.toLowerCase() === request.params['repo']?.toLowerCase(),
    ),
  ),
  ...under('/repositories/:id', (request, scene) => scene.world.github.repositories.find((each) => each.id === Number(request.params['id']))),
};

/** A name that a repository went by leads to its number: 301 for what only reads, 307 for what writes. */
function moved(request: Incoming, scene: Scene): Answer {
  const former = `${request.params['owner']}/${request.params['repo']}`.toLowerCase();
  const repository = scene.world.github.repositories.find((each) => each.formerNames?.some((name) => name.toLowerCase() === former));
  if (repository === undefined) return notFound();
  const rest = request.path.split('/').slice(4).join('/');
  const query = request.query.size === 0 ? '' : `?${request.query}`;
  const location = `${scene.urls.github}/repositories/${repository.id}${rest === '' ? '' : `/${rest}`}${query}`;
  return { status: request.method === 'GET' ? 301 : 307, headers: { location }, body: { message: 'Moved Permanently', url: location } };
}

/** The routes of a repository under one way of naming it. */
function under(base: string, find: (request: Incoming, scene: Scene) => Repository | undefined): Routes<Scene> {
  const handlers = Object.entries(inRepository).map(([key, handle]): [string, Handler<Scene>] => {
    const [method, rest] = key.split(' ');
    return [
      `${method} ${base}${rest}`,
      (request, scene) => {
        const repository = find(request, scene);
        return repository === undefined ? moved(request, scene) : handle(request, scene, repository);
      },
    ];
  });
  return Object.fromEntries(handlers);
}

function listPulls(request: Incoming, scene: Scene, repository: Repository): Answer {
  const state = request.query.get('state') ?? 'open';
  const head = request.query.get('head');
  const base = request.query.get('base');
  const found = repository.pulls
    .filter((pull) => state === 'all' || pull.open === (state === 'open'))
    .filter((pull) => head === null || head === `${pull.fork?.owner ?? repository.owner}:${pull.branch}`)
    .filter((pull) => base === null || base === pull.base)
    .toReversed();
  if (request.query.get('sort') === 'updated') found.sort((a, b) => (request.query.get('direction') === 'asc' ? 1 : -1) * (a.updatedAt - b.updatedAt));
  const { items, headers } = pageOf(request, scene, found);
  return { status: 200, headers, body: items.map((pull) => simplePullShape(scene.urls.github, repository, pull)) };
}

function getPull(request: Incoming, scene: Scene, repository: Repository): Answer {
  const pull = repository.pulls.find((each) => each.number === Number(request.params['number']));
  return pull === undefined ? notFound() : { status: 200, body: pullShape(scene.urls.github, repository, pull) };
}

function pullsOfCommit(request: Incoming, scene: Scene, repository: Repository): Answer {
  const sha = request.params['sha'] ?? '';
  if (repository.commits[sha] === undefined) return githubError(422, `No commit found for SHA: ${sha}`);
  const { items, headers } = pageOf(request, scene, pullsWith(repository, sha));
  return { status: 200, headers, body: items.map((pull) => simplePullShape(scene.urls.github, repository, pull)) };
}

function getCommit(request: Incoming, scene: Scene, repository: Repository): Answer {
  const ref = request.params['ref'] ?? '';
  const commit = resolve(repository, ref);
  if (commit === undefined) return githubError(422, `No commit found for SHA: ${ref}`);
  return { status: 200, body: { ...commitShape(scene.urls.github, repository, commit), stats: { additions: 0, deletions: 0, total: 0 }, files: [] } };
}

function getBranch(request: Incoming, scene: Scene, repository: Repository): Answer {
  const name = request.params['branch'] ?? '';
  const commit = repository.commits[repository.branches[name] ?? ''];
  if (commit === undefined) return githubError(404, 'Branch not found');
  const self = `${scene.urls.github}/repos/${repository.owner}/${repository.name}/branches/${name}`;
  return {
    status: 200,
    body: {
      name,
      commit: commitShape(scene.urls.github, repository, commit),
      _links: { self, html: `https://github.com/${repository.owner}/${repository.name}/tree/${name}` },
      protected: false,
      protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
      protection_url: `${self}/protection`,
    },
  };
}

function getRef(request: Incoming, scene: Scene, repository: Repository): Answer {
  const ref = request.params['ref'] ?? '';
  const sha = ref.startsWith('heads/') ? repository.branches[ref.slice('heads/'.length)] : undefined;
  if (sha === undefined) return notFound();
  const api = `${scene.urls.github}/repos/${repository.owner}/${repository.name}`;
  return {
    status: 200,
    body: {
      ref: `refs/${ref}`,
      node_id: nodeId('REF', ref),
      url: `${api}/git/refs/${ref}`,
      object: { sha, type: 'commit', url: `${api}/git/commits/${sha}` },
    },
  };
}
