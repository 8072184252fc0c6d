/** Looks for what a variant breaks, in a process that the variant was loaded into, and prints what it finds first. */
import { explore } from './explore.ts';
import { survivors, variants } from './variants.ts';

const name = process.argv[2];
const variant = [...variants, ...survivors].find((one) => one.name === name);
if (!variant) throw new Error(`there is no variant ${name}`);
const { found } = await explore(variant.setting, { states: variant.setting.states, first: true });
console.log(JSON.stringify(found.map(({ breaks }) => breaks)));
if (process.env['MODEL_STORY']) for (const one of found.slice(0, 1)) console.error(one.story.join('\n'));
