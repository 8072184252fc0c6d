/**
 * Loads the product with the edits of one mutant. Given to node with `--import`; the variable that names the mutant is read here
 * and nowhere else, and processes that are forked from this one load it too.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { dearer } from './dearer.ts';
import { edited } from './edited.ts';
import { mutants } from './mutants.ts';
import { weaveMutants } from './weave-mutants.ts';

const name = process.env['LOCKKEEPER_MUTANT'];
const mutant = [...mutants, ...dearer, ...weaveMutants].find((one) => one.name === name);
if (!mutant) throw new Error(`there is no mutant ${name}`);

const root = new URL('../../', import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    const edits = mutant.edits.filter((edit) => url === root + edit.file);
    if (edits.length === 0) return nextLoad(url, context);
    const source = edits.reduce(edited, readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
