/**
 * Looks for what each variant breaks, and prints what it finds first, by variant: all in one process, which reads and strips every file once.
 * Each variant is a graph of modules of its own, told apart by a query behind the address of each file, in which the files that it edits are
 * edited; what comes from packages is shared. `node test/model/run-variants.ts` or, with the way there, `… 'name of one'`.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { edited } from '../mutants/edited.ts';
import { storyText } from './story.ts';
import { survivors, variants } from './variants.ts';

const root = new URL('../../', import.meta.url).href;
const all = [...variants, ...survivors];
const stripped = new Map<string, string>();

const queryOf = (address: string | undefined): string => /\?variant=\d+$/.exec(address ?? '')?.[0] ?? '';

/** What a file says in a variant, without its types. */
function sourceOf(file: string, variant: number): string {
  const edits = all[variant]?.edits.filter((edit) => file === root + edit.file) ?? [];
  const read = (): string => readFileSync(fileURLToPath(file), 'utf8');
  if (edits.length > 0) return stripTypeScriptTypes(edits.reduce(edited, read()));
  const source = stripped.get(file) ?? stripTypeScriptTypes(read());
  stripped.set(file, source);
  return source;
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    const query = queryOf(context.parentURL);
    const ours = found.url.startsWith(root) && found.url.endsWith('.ts') && !found.url.includes('/node_modules/');
    return query !== '' && ours ? { ...found, url: found.url + query } : found;
  },
  load(url, context, nextLoad) {
    const query = queryOf(url);
    if (query === '') return nextLoad(url, context);
    return { format: 'module', source: sourceOf(url.slice(0, -query.length), Number(query.split('=')[1])), shortCircuit: true };
  },
});

const [only] = process.argv.slice(2);
const found: Record<string, readonly string[]> = {};
for (const [at, { name, setting }] of all.entries()) {
  if (only !== undefined && only !== name) continue;
  const { explore } = (await import(`${root}test/model/explore.ts?variant=${at}`)) as typeof import('./explore.ts');
  const explored = await explore(setting, { states: setting.states, first: true });
  found[name] = explored.found.map(({ breaks }) => breaks);
  if (only !== undefined) for (const one of explored.found.slice(0, 1)) console.error(storyText(one));
}
if (only !== undefined && Object.keys(found).length === 0) throw new Error(`there is no variant ${only}`);
console.log(JSON.stringify(found));
