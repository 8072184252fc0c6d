/**
 * Plays the case or the story of each mutant over the product with its edits, and prints what is broken then, by mutant: all in one process.
 * `node test/mutants/protocol/run.ts` or `… 'name of one'`.
 */
import { cases } from '../../crash/cases/cases.ts';
import { moduleGraphs } from '../graphs.ts';
import { further } from './further.ts';
import type { ProtocolMutant } from './mutant.ts';
import { protocolMutants } from './protocol.ts';

const all = [...protocolMutants, ...further];
/** Several mutants may be the same edits, shown by another case each. */
const edits = [...new Map(all.map((mutant) => [JSON.stringify(mutant.edits), mutant.edits])).entries()];
const load = moduleGraphs(edits.map(([, one]) => one));
const graphOf = (mutant: ProtocolMutant): number => edits.findIndex(([text]) => text === JSON.stringify(mutant.edits));

/** What is broken, a sentence each; undefined: a test of its own shows it. */
async function broken(mutant: ProtocolMutant): Promise<readonly string[] | undefined> {
  const { name, caught } = mutant;
  const graph = graphOf(mutant);
  if ('test' in caught) return undefined;
  if ('story' in caught) {
    const { tellNamed } = await load<typeof import('../../crash/enumerate.ts')>(graph, 'test/crash/enumerate.ts');
    return (await tellNamed(caught.story, caught.at, caught.fault, caught.nth)).broken;
  }
  const place = cases.findIndex((one) => one.name === caught.case);
  if (place < 0) throw new Error(`${name}: there is no case ‘${caught.case}’`);
  const { cases: own } = await load<typeof import('../../crash/cases/cases.ts')>(graph, 'test/crash/cases/cases.ts');
  const { playCase } = await load<typeof import('../../crash/cases/case.ts')>(graph, 'test/crash/cases/case.ts');
  return playCase(own[place] as (typeof cases)[number]);
}

const [only] = process.argv.slice(2);
const found: Record<string, readonly string[]> = {};
for (const mutant of all) {
  if (only !== undefined && only !== mutant.name) continue;
  const sentences = await broken(mutant);
  if (sentences) found[mutant.name] = sentences;
}
if (only !== undefined && Object.keys(found).length === 0) throw new Error(`there is no mutant ${only} with a case of its own`);
console.log(JSON.stringify(found));
