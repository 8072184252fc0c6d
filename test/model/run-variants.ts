/**
 * Looks for what each variant breaks, and prints what it finds first, by variant: all in one process, which reads and strips every file once.
 * `node test/model/run-variants.ts` or, with the way there, `… 'name of one'`.
 */
import { moduleGraphs } from '../mutants/graphs.ts';
import { storyText } from './story.ts';
import { survivors, variants } from './variants.ts';

const all = [...variants, ...survivors];
const load = moduleGraphs(all.map(({ edits }) => edits));

const [only] = process.argv.slice(2);
const found: Record<string, readonly string[]> = {};
for (const [at, { name, setting }] of all.entries()) {
  if (only !== undefined && only !== name) continue;
  const { explore } = await load<typeof import('./explore.ts')>(at, 'test/model/explore.ts');
  const explored = await explore(setting, { states: setting.states, first: true });
  found[name] = explored.found.map(({ breaks }) => breaks);
  if (only !== undefined) for (const one of explored.found.slice(0, 1)) console.error(storyText(one));
}
if (only !== undefined && Object.keys(found).length === 0) throw new Error(`there is no variant ${only}`);
console.log(JSON.stringify(found));
