import { z } from 'zod';
import { edit } from '../control/edit.ts';
import { one, repositoryOf } from '../control/places.ts';
import { buildPush } from '../vercel/builds.ts';
import { numeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import { addComment } from './comments.ts';
import { makeCommit, resolve } from './commits.ts';
import { editBody, issuesOf } from './issues.ts';
import type { Issue, PullRequest, Repository } from './state.ts';

const repository = z.string().optional();
const fork = z.strictObject({ owner: z.string(), name: z.string() });

/** What people do on GitHub: push, open, close, write. */
export const githubEdits = {
  /**
   * A commit on a branch. A new branch grows from `from` (a branch or commit; the default branch when absent); `force` puts it on `from`
   * in place of what is there. Open pull requests of the branch follow. `files`: path → text, null takes a file away.
   */
  'github.push': edit(
    z.strictObject({
      repository,
      branch: z.string(),
      files: z.record(z.string(), z.string().nullable()).default({}),
      message: z.string().default('Change the storefront'),
      from: z.string().optional(),
      force: z.boolean().default(false),
      /** Accounts of whoever wrote and committed it: kim, unless it is said; null for an address that is nobody's. */
      author: z.string().nullable().optional(),
      committer: z.string().nullable().optional(),
      sha: z
        .string()
        .regex(/^[0-9a-f]{40}$/)
        .optional(),
    }),
    (input, scene) => {
      const place = repositoryOf(scene, input.repository);
      const before = place.branches[input.branch];
      const ground = input.force || before === undefined ? (input.from ?? place.defaultBranch) : before;
      const made = makeCommit(scene, resolve(place, ground), input.files, input.message, input.sha);
      const by = { ...(input.author !== undefined && { author: input.author }), ...(input.committer !== undefined && { committer: input.committer }) };
      const commit = { ...made, ...by };
      place.commits[commit.sha] = commit;
      place.branches[input.branch] = commit.sha;
      moveHeads(scene, place, input.branch, commit.sha, (pull) => pull.fork === undefined);
      buildPush(scene, place.id, input.branch, commit.sha);
      return { sha: commit.sha, before };
    },
  ),
  /** A commit on a branch of a fork: seen here only through a pull request. Vercel builds none of it before a member allows that. */
  'github.forkPush': edit(
    z.strictObject({
      repository,
      fork,
      branch: z.string(),
      files: z.record(z.string(), z.string().nullable()).default({}),
      message: z.string().default('Propose a change'),
    }),
    (input, scene) => {
      const place = repositoryOf(scene, input.repository);
      const mine = (pull: PullRequest): boolean => pull.fork?.owner === input.fork.owner;
      const former = place.pulls.find((pull) => pull.open && pull.branch === input.branch && mine(pull))?.head;
      const commit = makeCommit(scene, resolve(place, former ?? place.defaultBranch), input.files, input.message);
      place.commits[commit.sha] = commit;
      moveHeads(scene, place, input.branch, commit.sha, mine);
      return { sha: commit.sha, before: former };
    },
  ),
  'github.deleteBranch': edit(z.strictObject({ repository, branch: z.string() }), (input, scene) => {
    delete repositoryOf(scene, input.repository).branches[input.branch];
    return {};
  }),
  'github.rename': edit(z.strictObject({ repository, owner: z.string().optional(), name: z.string().optional() }), (input, scene) => {
    const place = repositoryOf(scene, input.repository);
    place.formerNames = [...(place.formerNames ?? []), `${place.owner}/${place.name}`];
    place.owner = input.owner ?? place.owner;
    place.name = input.name ?? place.name;
    return { id: place.id };
  }),
  /** Opens a pull request of a branch; with `fork`, of a branch there, whose commit is `sha`. */
  'github.open': edit(
    z.strictObject({
      repository,
      branch: z.string(),
      base: z.string().optional(),
      title: z.string().optional(),
      fork: fork.optional(),
      sha: z.string().optional(),
    }),
    (input, scene) => {
      const place = repositoryOf(scene, input.repository);
      const head = one(
        `commit ${input.sha ?? input.branch}`,
        Object.values(place.commits),
        (each) => each.sha === (input.sha ?? place.branches[input.branch]),
      ).sha;
      const at = scene.moment();
      const pull: PullRequest = {
        id: numeric(scene.world.source, 2_100_000_000),
        number: Math.max(0, ...place.pulls.map((each) => each.number), ...(place.issues ?? []).map((each) => each.number)) + 1,
        title: input.title ?? `Change ${input.branch}`,
        base: input.base ?? place.defaultBranch,
        branch: input.branch,
        head,
        open: true,
        merged: false,
        fork: input.fork === undefined ? undefined : { id: numeric(scene.world.source, 810_000_000), ...input.fork },
        createdAt: at,
        updatedAt: at,
        closedAt: undefined,
      };
      place.pulls.push(pull);
      return { number: pull.number, sha: head };
    },
  ),
  /** Says when a pull request, or every attempt at a delivery, was: so many minutes ago. */
  'github.age': edit(z.strictObject({ repository, minutes: z.number(), pull: z.int().optional(), delivery: z.string().optional() }), (input, scene) => {
    const at = scene.now - input.minutes * 60_000;
    if (input.pull !== undefined) pullIn(repositoryOf(scene, input.repository), input.pull).updatedAt = at;
    const { github } = scene.world;
    github.deliveries = (github.deliveries ?? []).map((each) => (each.guid === input.delivery ? { ...each, at } : each));
    return {};
  }),
  'github.close': edit(z.strictObject({ repository, number: z.int(), merged: z.boolean().default(false) }), (input, scene) => {
    const pull = pullIn(repositoryOf(scene, input.repository), input.number);
    pull.open = false;
    pull.merged = input.merged;
    pull.closedAt = scene.moment();
    pull.updatedAt = pull.closedAt;
    return { sha: pull.head };
  }),
  /** Squashes a pull request into its base as one commit, and closes it. */
  'github.merge': edit(z.strictObject({ repository, number: z.int(), author: z.string().optional() }), (input, scene) => {
    const place = repositoryOf(scene, input.repository);
    const pull = pullIn(place, input.number);
    const before = resolve(place, pull.base);
    const changes = { ...Object.fromEntries(Object.keys(before?.files ?? {}).map((path) => [path, null])), ...place.commits[pull.head]?.files };
    const made = makeCommit(scene, before, changes, `${pull.title} (#${pull.number})`);
    const commit = { ...made, ...(input.author === undefined ? {} : { author: input.author }) };
    place.commits[commit.sha] = commit;
    place.branches[pull.base] = commit.sha;
    const at = scene.moment();
    Object.assign(pull, { open: false, merged: true, closedAt: at, updatedAt: at, mergedAs: { commit: commit.sha, base: before?.sha ?? '' } });
    buildPush(scene, place.id, pull.base, commit.sha);
    return { sha: commit.sha, before: before?.sha };
  }),
  'github.reopen': edit(z.strictObject({ repository, number: z.int() }), (input, scene) => {
    const pull = pullIn(repositoryOf(scene, input.repository), input.number);
    pull.open = true;
    pull.closedAt = undefined;
    pull.updatedAt = scene.moment();
    return { sha: pull.head };
  }),
  'github.comment': edit(z.strictObject({ repository, number: z.int(), body: z.string(), author: z.string().default('kim') }), (input, scene) => {
    const place = repositoryOf(scene, input.repository);
    return { id: addComment(scene, place, pullIn(place, input.number).number, input.body, input.author).id };
  }),
  'github.deleteComment': edit(z.strictObject({ repository, id: z.int() }), (input, scene) => {
    const place = repositoryOf(scene, input.repository);
    place.comments.splice(place.comments.indexOf(one(`comment ${input.id}`, place.comments, (each) => each.id === input.id)), 1);
    return {};
  }),
  /**
   * Somebody edits an issue's body: `body` is put in its place, or the first open box with `tick` in its line is ticked, and every tick of it
   * taken back with `untick`. A browser ends lines with CR LF. Returns what the body was.
   */
  'github.editIssue': edit(
    z.strictObject({
      repository,
      number: z.int(),
      author: z.string().default('kim'),
      body: z.string().optional(),
      tick: z.string().optional(),
      untick: z.string().optional(),
    }),
    ({ number, author, body, tick, untick, ...input }, scene) => {
      const issue = issueIn(repositoryOf(scene, input.repository), number);
      const from = issue.body;
      const lines = from.replaceAll('\r\n', '\n').split('\n');
      const ticked =
        tick === undefined ? -1 : one(`box with ${tick}`, [...lines.keys()], (at) => (lines[at] ?? '').startsWith('- [ ]') && (lines[at] ?? '').includes(tick));
      const edited = lines.map((line, at) => {
        if (at === ticked) return line.replace('- [ ]', '- [x]');
        return untick !== undefined && line.includes(untick) ? line.replace('- [x]', '- [ ]') : line;
      });
      editBody(scene, issue, body ?? edited.join('\r\n'), author);
      return { from };
    },
  ),
  'github.closeIssue': edit(z.strictObject({ repository, number: z.int() }), (input, scene) => {
    Object.assign(issueIn(repositoryOf(scene, input.repository), input.number), { open: false, updatedAt: scene.moment() });
    return {};
  }),
  /** Deletes an issue, or moves it to another repository. */
  'github.removeIssue': edit(z.strictObject({ repository, number: z.int() }), (input, scene) => {
    issueIn(repositoryOf(scene, input.repository), input.number).gone = true;
    return {};
  }),
  /** Turns issues off, or on. */
  'github.issues': edit(z.strictObject({ repository, on: z.boolean() }), (input, scene) => {
    const place = repositoryOf(scene, input.repository);
    if (input.on) delete place.issuesOff;
    else place.issuesOff = true;
    return {};
  }),
  /** What an account may do in the repository; null takes its access away. */
  'github.role': edit(z.strictObject({ repository, login: z.string(), role: z.string().nullable() }), (input, scene) => {
    const place = repositoryOf(scene, input.repository);
    const { [input.login.toLowerCase()]: _former, ...others } = place.people ?? {};
    place.people = input.role === null ? others : { ...others, [input.login.toLowerCase()]: input.role };
    return {};
  }),
  /** How an account belongs to a team, which is made where it is not there; null takes it out. `parent`: the team it is part of. */
  'github.team': edit(
    z.strictObject({
      organization: z.string().optional(),
      team: z.string(),
      parent: z.string().optional(),
      login: z.string(),
      state: z.enum(['active', 'pending']).nullable(),
    }),
    ({ team: slug, parent, login, state, ...input }, scene) => {
      const organization = input.organization ?? repositoryOf(scene, undefined).owner;
      scene.world.github.teams ??= [];
      const { teams } = scene.world.github;
      const known = teams.find((team) => team.organization === organization && team.slug === slug);
      const team = known ?? { organization, slug, ...(parent !== undefined && { parent }), members: {} };
      if (known === undefined) teams.push(team);
      const { [login.toLowerCase()]: _former, ...others } = team.members;
      team.members = state === null ? others : { ...others, [login.toLowerCase()]: state };
      return {};
    },
  ),
  /** Where the app's webhook goes from now on. */
  'github.hook': edit(z.strictObject({ url: z.string() }), (input, scene) => {
    scene.world.github.hook = input;
    return {};
  }),
  'github.install': edit(z.strictObject({ repository, installed: z.boolean() }), (input, scene) => {
    repositoryOf(scene, input.repository).installed = input.installed;
    return {};
  }),
} as const;

function moveHeads(scene: Scene, place: Repository, branch: string, sha: string, mine: (pull: PullRequest) => boolean): void {
  for (const pull of place.pulls) {
    if (!pull.open || pull.branch !== branch || !mine(pull)) continue;
    pull.head = sha;
    pull.updatedAt = scene.moment();
  }
}

function issueIn(place: Repository, number: number): Issue {
  return one(`issue ${number} in ${place.owner}/${place.name}`, issuesOf(place), (each) => each.number === number && !each.gone);
}

function pullIn(place: Repository, number: number): PullRequest {
  return one(`pull request ${number} in ${place.owner}/${place.name}`, place.pulls, (each) => each.number === number);
}
