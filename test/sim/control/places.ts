import type { Repository } from '../github/state.ts';
import type { NeonProject } from '../neon/state.ts';
import type { VercelProject } from '../vercel/state.ts';
import type { Scene } from '../world/world.ts';

/** Says what an edit asked for and what there is. The control endpoint answers 400 with it. */
export class NoSuchThing extends Error {
  override readonly name = 'NoSuchThing';
}

/** Picks by id or name; the only one there is when nothing is said. */
function pick<T>(what: string, all: readonly T[], wanted: string | undefined, names: (item: T) => readonly string[]): T {
  const found = wanted === undefined ? (all.length === 1 ? all[0] : undefined) : all.find((item) => names(item).includes(wanted));
  if (found !== undefined) return found;
  const known = all.map((item) => names(item).at(-1)).join(', ');
  throw new NoSuchThing(wanted === undefined ? `say which ${what}: ${known}` : `there is no ${what} ${wanted}; there is: ${known === '' ? 'none' : known}`);
}

export function neonProject(scene: Scene, wanted: string | undefined): NeonProject {
  return pick('Neon project', scene.world.neon.projects, wanted, (each) => [each.name, each.id]);
}

export function vercelProject(scene: Scene, wanted: string | undefined): VercelProject {
  return pick('Vercel project', scene.world.vercel.projects, wanted, (each) => [each.id, each.name]);
}

export function repositoryOf(scene: Scene, wanted: string | undefined): Repository {
  return pick('repository', scene.world.github.repositories, wanted, (each) => [String(each.id), `${each.owner}/${each.name}`]);
}

/** The item a test passes, or a failure that names what was looked for. */
export function one<T>(what: string, all: readonly T[], matches: (item: T) => boolean): T {
  const found = all.find(matches);
  if (found === undefined) throw new NoSuchThing(`there is no ${what}`);
  return found;
}
