import { z } from 'zod';
import { edit } from '../control/edit.ts';
import { one } from '../control/places.ts';
import type { Json } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { add, mergePatch, put } from './objects.ts';
import type { RestObject } from './state.ts';

/** Where an object is, host first: `/api.hooks.example/v1/webhooks/wh_1`. */
const path = z.string().regex(/^\/[^/]+\/.+$/);
const body = z.record(z.string(), z.unknown());
/** One of a list by a field, where its id is not known: `{ in: '/api.hooks.example/v1/webhooks', name: x }`. */
const which = { path: path.optional(), in: path.optional(), name: z.string().optional() };

/** What somebody does with objects behind Lockkeeper's back. */
export const restEdits = {
  'rest.put': edit(z.strictObject({ path, body }), (input, scene) => ({ path: put(scene, input.path, input.body).path })),
  'rest.add': edit(z.strictObject({ path, body }), (input, scene) => ({ path: add(scene, input.path, input.body).path })),
  'rest.set': edit(z.strictObject({ ...which, body }), (input, scene) => {
    const found = objectOf(scene, input);
    found.body = mergePatch(found.body, input.body) as Json;
    scene.moment();
    return { path: found.path };
  }),
  'rest.delete': edit(z.strictObject(which), (input, scene) => {
    const found = objectOf(scene, input);
    found.deleted = true;
    return { path: found.path };
  }),
  /** Deleted and made again with what it held, under another id. */
  'rest.recreate': edit(z.strictObject(which), (input, scene) => {
    const found = objectOf(scene, input);
    found.deleted = true;
    const { id: _id, token: _token, ...held } = found.body;
    return { path: add(scene, found.path.slice(0, found.path.lastIndexOf('/')), held).path };
  }),
} as const;

function objectOf(scene: Scene, wanted: { path?: string | undefined; in?: string | undefined; name?: string | undefined }): RestObject {
  const what = `object ${wanted.path ?? `${wanted.name} in ${wanted.in}`}`;
  return one(what, scene.world.rest.objects, (each) => {
    if (each.deleted) return false;
    if (wanted.path !== undefined) return each.path === wanted.path;
    return wanted.in !== undefined && each.path.startsWith(`${wanted.in}/`) && each.body['name'] === wanted.name;
  });
}
