/**
 * The product many times in one process, each time with other edits. Each is a graph of modules of its own, told apart by a query behind the
 * address of each file, in which the files that it edits are edited; every file is read and stripped once, and what comes from packages is shared.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { edited } from './edited.ts';
import type { Edit } from './mutants.ts';

const root = new URL('../../', import.meta.url).href;
const queryOf = (address: string | undefined): string => /\?graph=\d+$/.exec(address ?? '')?.[0] ?? '';

/**
 * Installs the hooks, once a process.
 *
 * @param edits of each graph, by its number. @param standIns files, named from the root, that take the places of packages in every graph but
 * for themselves. @returns loads a file, named from the root, of one of them.
 */
export function moduleGraphs(
  edits: readonly (readonly Edit[])[],
  standIns: Readonly<Record<string, string>> = {},
): <Module>(graph: number, file: string) => Promise<Module> {
  const stripped = new Map<string, string>();

  /** What a file says in a graph, without its types. */
  function sourceOf(file: string, graph: number): string {
    const own = edits[graph]?.filter((edit) => file === root + edit.file) ?? [];
    const read = (): string => readFileSync(fileURLToPath(file), 'utf8');
    if (own.length > 0) return stripTypeScriptTypes(own.reduce(edited, read()));
    const source = stripped.get(file) ?? stripTypeScriptTypes(read());
    stripped.set(file, source);
    return source;
  }

  registerHooks({
    resolve(specifier, context, nextResolve) {
      const query = queryOf(context.parentURL);
      const standIn = query !== '' && Object.hasOwn(standIns, specifier) ? `${root}${standIns[specifier]}${query}` : undefined;
      if (standIn !== undefined && context.parentURL !== standIn) return { url: standIn, shortCircuit: true };
      const found = nextResolve(specifier, context);
      const ours = found.url.startsWith(root) && found.url.endsWith('.ts') && !found.url.includes('/node_modules/');
      return query !== '' && ours ? { ...found, url: found.url + query } : found;
    },
    load(url, context, nextLoad) {
      const query = queryOf(url);
      if (query === '') return nextLoad(url, context);
      return { format: 'module', source: sourceOf(url.slice(0, -query.length), Number(query.split('=')[1])), shortCircuit: true };
    },
  });

  return (graph, file) => import(`${root}${file}?graph=${graph}`);
}
