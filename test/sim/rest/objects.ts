import type { Json } from '../wire/answer.ts';
import { alphanumeric } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import type { RestObject } from './state.ts';

const all = ({ world }: Scene): RestObject[] => world.rest.objects;

export const objectAt = (scene: Scene, path: string): RestObject | undefined => all(scene).find((each) => each.path === path && !each.deleted);
export const wasThere = (scene: Scene, path: string): boolean => all(scene).some((each) => each.path === path);

/** The objects right below a path, oldest first. */
export const objectsIn = (scene: Scene, path: string): RestObject[] =>
  all(scene).filter((each) => !each.deleted && each.path.startsWith(`${path}/`) && !each.path.slice(path.length + 1).includes('/'));

/** Puts an object at a path. */
export function put(scene: Scene, path: string, body: Json): RestObject {
  scene.moment();
  const there = objectAt(scene, path);
  if (there) {
    there.body = body;
    return there;
  }
  const { readyMs } = scene.world.rest.settings;
  const made: RestObject = { path, body, readyAt: scene.now + readyMs, deleted: false };
  all(scene).push(made);
  return made;
}

/** Adds an object to a list, under an id and with a token of its own. */
export function add(scene: Scene, path: string, body: Json): RestObject {
  const id = `obj_${alphanumeric(scene.world.source, 10)}`;
  return put(scene, `${path}/${id}`, { ...body, id, token: `tok_${alphanumeric(scene.world.source, 24)}` });
}

/** RFC 7396: maps are merged, null removes, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...(target as Json) } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete base[name];
    else base[name] = mergePatch(base[name], value);
  }
  return base;
}

/** An object as it is shown. One with a token has a status. */
export function shape(scene: Scene, { body, readyAt }: RestObject, fresh = false): Json {
  const { hidden, once, outcome } = scene.world.rest.settings;
  const shown = Object.entries(body).filter(([name]) => !hidden.includes(name) && (fresh || !once.includes(name)));
  const status = body['token'] === undefined || body['status'] !== undefined ? {} : { status: scene.now < readyAt ? 'provisioning' : outcome };
  return { ...Object.fromEntries(shown), ...status };
}
