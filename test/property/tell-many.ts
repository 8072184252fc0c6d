import fc from 'fast-check';
import { keep } from './found.ts';
import { tell } from './play.ts';
import { setStage } from './stage.ts';
import type { Story } from './story.ts';
import { type Tally, tally } from './tally.ts';

/** How many stories are told in all, over both places. */
const runs = Number(process.env['LOCKKEEPER_PROPERTY_RUNS'] ?? 1000);
/** The same stories every time, so that what breaks them is a change of the code; another number, or `random`, tells others. */
const given = process.env['LOCKKEEPER_PROPERTY_SEED'] ?? '5';

export interface Told {
  readonly tally: Tally;
  readonly stories: number;
}

/**
 * Tells a share of all stories; one in which nothing was written does not count. What breaks is shrunk and kept as a file.
 *
 * @throws Error that names seed, file, and every sentence that does not hold.
 */
export async function tellMany(stories: fc.Arbitrary<Story>, share: number): Promise<Told> {
  const told = tally();
  const numRuns = Math.ceil(runs * share);
  const seed = given === 'random' ? undefined : Number(given);
  const property = fc.asyncProperty(stories, async (story) => {
    const stage = await tell(story, setStage(story));
    fc.pre(stage.sent.length > 0);
    told.add(stage);
  });
  const result = await fc.check(property, { numRuns, ...(seed === undefined ? {} : { seed }) });
  console.log(`seed ${result.seed}: ${told.toString()}`);
  if (!result.failed) return { tally: told, stories: numRuns };
  const [counterexample] = result.counterexample ?? [];
  const why = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
  const file = counterexample && keep(counterexample, why.split('\n')[0] as string);
  throw new Error(`seed ${result.seed}, path ${result.counterexamplePath}, kept as ${file}:\n${why}`, { cause: result.errorInstance });
}
