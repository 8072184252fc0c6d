/**
 * Explores every beginning, or those that are named, five times as far as the tests or as often as is said, and prints what was seen: `npm run model`, `npm run model -- 10 'time passes'`;
 * `npm run model -- tool-jobs` the model of work that outlives a function. Exits
 * with 1 where anything is broken, and tells the shortest way there.
 */
import { type Explored, explore } from './explore.ts';
import { settings } from './settings.ts';
import { storyText } from './story.ts';
import { printToolJobs } from './tool-jobs/print.ts';

const [times = '5', ...names] = process.argv.slice(2);
if (times === 'tool-jobs') process.exit(printToolJobs() ? 0 : 1);
const worlds = new Set<string>();
const all: Explored[] = [];
for (const setting of settings) {
  if (names.length > 0 && !names.includes(setting.name)) continue;
  const began = performance.now();
  const explored = await explore(setting, { states: setting.states * Number(times), worlds });
  all.push(explored);
  const { added, moves, depth, whole, rests, found } = explored;
  const ways = whole ? `every way to its end (${depth} moves)` : `every way of ${depth} moves`;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${setting.name}: ${added} new states, ${moves} moves, ${ways}, ${rests} states at rest, ${found.length} broken, ${seconds} s`);
  for (const one of found.slice(0, 3)) console.log(storyText(one));
}
const actors = new Set(all.flatMap((one) => one.actors));
console.log(`${worlds.size} distinct states; ${actors.size} actors: ${[...actors].sort().join(', ')}`);
process.exitCode = all.some(({ found }) => found.length > 0) ? 1 : 0;
