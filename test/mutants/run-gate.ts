/**
 * Runs the test of each mutant over the product with its edits, and over the product itself, and prints how they end, by mutant: all in one
 * process. `node test/mutants/run-gate.ts` or `… 'name of one'`.
 */
import { gateMutants } from './gate-mutants.ts';
import { moduleGraphs } from './graphs.ts';

const standIn = 'test/mutants/named-tests.ts';
/** The last graph is the product itself. */
const load = moduleGraphs([...gateMutants.map(({ edits }) => edits), []], { vitest: standIn });
const itself = gateMutants.length;

async function failureIn(graph: number, { file, title }: (typeof gateMutants)[number]['test']): Promise<string | undefined> {
  await load(graph, file);
  const { failureOf } = await load<typeof import('./named-tests.ts')>(graph, standIn);
  return failureOf(title);
}

/** What the test of a mutant fails of, with it and without; nothing where it passes. */
export interface GateEnds {
  readonly mutated?: string;
  readonly itself?: string;
}

const [only] = process.argv.slice(2);
const ends: Record<string, GateEnds> = {};
for (const [graph, { name, test }] of gateMutants.entries()) {
  if (only !== undefined && only !== name) continue;
  const [mutated, unchanged] = [await failureIn(graph, test), await failureIn(itself, test)];
  ends[name] = { ...(mutated === undefined ? {} : { mutated }), ...(unchanged === undefined ? {} : { itself: unchanged }) };
}
if (only !== undefined && ends[only] === undefined) throw new Error(`there is no mutant ${only}`);
console.log(JSON.stringify(ends));
