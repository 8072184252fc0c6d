/** The repositories of the flood, in a fake cloud. */
import type { Repository } from '../sim/github/state.ts';
import { demo, demoSeed } from '../sim/seed.ts';
import type { World } from '../sim/world/world.ts';

export interface Place {
  readonly name: string;
  readonly id: number;
}

export const repositories: readonly Place[] = ['storefront', 'basket', 'billing', 'search', 'admin'].map((name, at) => ({ name, id: demo.repositoryId + at }));

/** Of ten pull requests in a row six are the first one's, and one is each other one's. */
export const placeOf = (at: number): Place => repositories[Math.max(0, (at % 10) - 5)] as Place;

export const fullName = ({ name }: Place): string => `${demo.owner}/${name}`;

/** The demo's cloud, in which four more repositories are as its only one. */
export function cloudOfAll(): World {
  const seed = demoSeed();
  const [first] = seed.github.repositories;
  const all = repositories.map(({ name, id }) => ({ ...structuredClone(first as Repository), name, id }));
  seed.github.repositories.splice(0, 1, ...all);
  return seed;
}
