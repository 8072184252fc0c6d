import { z } from 'zod';
import { edit } from '../control/edit.ts';
import { one } from '../control/places.ts';
import type { Scene } from '../world/world.ts';
import { addRedirect } from './redirects.ts';
import type { ClerkRedirect } from './state.ts';

const url = z.string();

/** What somebody can do in Clerk's dashboard. */
export const clerkEdits = {
  'clerk.add': edit(z.strictObject({ url }), (input, scene) => ({ id: addRedirect(scene, input.url).id })),
  'clerk.set': edit(z.strictObject({ url, to: z.string() }), (input, scene) => {
    const found = redirectIn(scene, input.url);
    found.url = input.to;
    found.updatedAt = scene.moment();
    return { id: found.id };
  }),
  'clerk.delete': edit(z.strictObject({ url }), (input, scene) => ({ id: take(scene, input.url).id })),
  /** Takes the URL off the list and puts it back, under another id. */
  'clerk.recreate': edit(z.strictObject({ url }), (input, scene) => {
    take(scene, input.url);
    return { id: addRedirect(scene, input.url).id };
  }),
} as const;

function redirectIn(scene: Scene, wanted: string): ClerkRedirect {
  return one(`redirect URL ${wanted}`, scene.world.clerk.redirects, (each) => each.url === wanted);
}

function take(scene: Scene, wanted: string): ClerkRedirect {
  const { redirects } = scene.world.clerk;
  const found = redirectIn(scene, wanted);
  redirects.splice(redirects.indexOf(found), 1);
  return found;
}
