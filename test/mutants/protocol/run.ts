/**
 * Plays the case of each mutant over the product with its edits, and prints what is broken then, by mutant: all in one process.
 * `node test/mutants/protocol/run.ts` or `… 'name of one'`.
 */
import { cases } from '../../crash/cases/cases.ts';
import { moduleGraphs } from '../graphs.ts';
import { protocolMutants } from './protocol.ts';

const load = moduleGraphs(protocolMutants.map(({ edits }) => edits));

const [only] = process.argv.slice(2);
const found: Record<string, readonly string[]> = {};
for (const [at, { name, caught }] of protocolMutants.entries()) {
  if ((only !== undefined && only !== name) || !('case' in caught)) continue;
  const place = cases.findIndex((one) => one.name === caught.case);
  if (place < 0) throw new Error(`${name}: there is no case ‘${caught.case}’`);
  const { cases: own } = await load<typeof import('../../crash/cases/cases.ts')>(at, 'test/crash/cases/cases.ts');
  const { playCase } = await load<typeof import('../../crash/cases/case.ts')>(at, 'test/crash/cases/case.ts');
  found[name] = await playCase(own[place] as (typeof cases)[number]);
}
if (only !== undefined && Object.keys(found).length === 0) throw new Error(`there is no mutant ${only} with a case of its own`);
console.log(JSON.stringify(found));
