import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ClockedCloud, openCloud } from '../house/cloud.ts';
import { play } from './play.ts';
import { readScenario } from './scenario.ts';

/** Every scenario's file, sorted, from this folder. */
export const scenarioFiles = (): string[] => globSync('**/*.yaml', { cwd: import.meta.dirname }).sort();

/** Plays every second scenario, from the first or the second on: two files share the work. */
export function playHalf(half: 0 | 1): void {
  let cloud: ClockedCloud;
  beforeAll(async () => {
    cloud = await openCloud();
  });
  afterAll(() => cloud.stop());

  const mine = scenarioFiles().filter((_, index) => index % 2 === half);
  for (const [area, files] of Map.groupBy(mine, (file) => file.split('/')[0] ?? '')) {
    describe(area, () => {
      for (const file of files) {
        const scenario = readScenario(join(import.meta.dirname, file));
        it(`${scenario.name} (${scenario.rules.join(', ')})`, () => play(cloud, scenario));
      }
    });
  }
}
