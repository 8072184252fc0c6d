import { z } from 'zod';
import { edit } from '../control/edit.ts';
import { one, vercelProject } from '../control/places.ts';
import type { Scene } from '../world/world.ts';
import { finishBuild, settleBuilds, startBuild } from './builds.ts';
import type { VercelDeployment, VercelProject, VercelVariable } from './state.ts';
import { addVariable } from './variables.ts';

const project = z.string().optional();
const key = z.string();
const target = z.enum(['production', 'preview', 'development']).default('preview');
/** Names a variable; without `branch` the first of that name and target. */
const which = { project, key, target, branch: z.string().optional() };
const states = z.enum(['READY', 'ERROR', 'CANCELED', 'BLOCKED', 'DELETED']);

/** What somebody can do in Vercel's console, and what its builds do. */
export const vercelEdits = {
  'vercel.add': edit(
    z.strictObject({ ...which, value: z.string(), type: z.enum(['encrypted', 'sensitive', 'plain']).default('encrypted') }),
    (input, scene) => {
      const { value, type } = input;
      const wish = { key: input.key, value, type, target: [input.target], gitBranch: input.branch, comment: undefined };
      return { id: addVariable(scene, vercelProject(scene, input.project), wish).id };
    },
  ),
  /** With a type, it has that from then on: the console makes a variable sensitive in place. */
  'vercel.set': edit(z.strictObject({ ...which, value: z.string(), type: z.enum(['encrypted', 'sensitive', 'plain']).optional() }), (input, scene) => {
    const found = variableIn(vercelProject(scene, input.project), input);
    found.value = input.value;
    found.type = input.type ?? found.type;
    found.updatedAt = scene.moment();
    return { id: found.id };
  }),
  'vercel.delete': edit(z.strictObject(which), (input, scene) => {
    const owner = vercelProject(scene, input.project);
    const found = variableIn(owner, input);
    owner.variables.splice(owner.variables.indexOf(found), 1);
    return { id: found.id };
  }),
  /** Deletes the variable and adds it again with the same value, under another id. */
  'vercel.recreate': edit(z.strictObject(which), (input, scene) => {
    const owner = vercelProject(scene, input.project);
    const found = variableIn(owner, input);
    owner.variables.splice(owner.variables.indexOf(found), 1);
    return { id: addVariable(scene, owner, found).id };
  }),
  /** Gives the variable another place, or another name; it keeps its id. A branch belongs to the target preview alone. */
  'vercel.move': edit(
    z.strictObject({ ...which, to: z.strictObject({ key: key.optional(), target: z.array(z.enum(['production', 'preview', 'development'])).optional() }) }),
    (input, scene) => {
      const owner = vercelProject(scene, input.project);
      const found = variableIn(owner, input);
      const { key: name = found.key, target = found.target } = input.to;
      const gitBranch = input.to.target === undefined ? found.gitBranch : undefined;
      owner.variables.splice(owner.variables.indexOf(found), 1, { ...found, key: name, target, gitBranch, updatedAt: scene.moment() });
      return { id: found.id };
    },
  ),
  /** A build that nobody here pushed or asked for. */
  'vercel.build': edit(
    z.strictObject({ project, sha: z.string(), branch: z.string(), target: z.enum(['production', 'preview']).default('preview'), state: states.optional() }),
    (input, scene) => {
      const wish = { sha: input.sha, branch: input.branch, target: input.target === 'production' ? 'production' : null, source: 'git' } as const;
      const build = startBuild(scene, vercelProject(scene, input.project), wish);
      if (input.state !== undefined) finishBuild(scene, build, input.state);
      return { id: build.id, url: build.url };
    },
  ),
  /** Ends the newest build of a commit, or one build by id. */
  'vercel.finish': edit(z.strictObject({ project, sha: z.string().optional(), id: z.string().optional(), state: states.default('READY') }), (input, scene) => {
    const build = buildIn(scene, vercelProject(scene, input.project), input.sha, input.id);
    finishBuild(scene, build, input.state);
    return { id: build.id, url: build.url, sha: build.sha };
  }),
} as const;

function variableIn(owner: VercelProject, input: { key: string; target: VercelVariable['target'][number]; branch?: string | undefined }): VercelVariable {
  const where = `${input.key} for ${input.target}${input.branch === undefined ? '' : ` on ${input.branch}`}`;
  return one(
    `variable ${where} in ${owner.name}`,
    owner.variables,
    (each) => each.key === input.key && each.target.includes(input.target) && (input.branch === undefined || each.gitBranch === input.branch),
  );
}

function buildIn(scene: Scene, owner: VercelProject, sha: string | undefined, id: string | undefined): VercelDeployment {
  settleBuilds(scene, owner);
  const matches = (each: VercelDeployment): boolean => (id === undefined || each.id === id) && (sha === undefined || each.sha === sha);
  return one(`build of ${sha ?? id ?? 'anything'} in ${owner.name}`, owner.deployments.toReversed(), matches);
}
