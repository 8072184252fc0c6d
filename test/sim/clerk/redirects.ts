import { mixed } from '../world/ids.ts';
import type { Scene } from '../world/world.ts';
import type { ClerkRedirect } from './state.ts';

/** Puts a URL on the list, under an id of its own. */
export function addRedirect(scene: Scene, url: string): ClerkRedirect {
  const at = scene.moment();
  const redirect = { id: `ru_${mixed(scene.world.source, 27)}`, url, createdAt: at, updatedAt: at };
  scene.world.clerk.redirects.push(redirect);
  return redirect;
}
