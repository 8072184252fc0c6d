/**
 * The product many times in one process, each time with other edits. Each is a graph of modules of its own, told apart by a query behind the
 * address of each file, in which the files that it edits are edited; every file is read and stripped once. What imports nothing edited, however
 * far down, is shared, as is what comes from packages.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { edited } from './edited.ts';
import type { Edit } from './mutants.ts';

const root = new URL('../../', import.meta.url).href;
const queryOf = (address: string | undefined): string => /\?graph=\d+$/.exec(address ?? '')?.[0] ?? '';
const graphOf = (query: string): number => Number(query.split('=')[1]);

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

  const stood = new Map(Object.entries(standIns).map(([name, file]) => [name, root + file]));

  /** Our own files that a file names in its imports, those that stand in for packages among them. What a text says beside them is harmless. */
  function importsOf(file: string): string[] {
    const names = [...sourceOf(file, -1).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name as string);
    return names.flatMap((name) => stood.get(name) ?? (name.startsWith('.') && name.endsWith('.ts') ? new URL(name, file).href : []));
  }

  /** Every file that was walked, with those that import it. */
  const importers = new Map<string, string[]>();

  /** Walks everything that a file comes to. */
  function walk(entry: string): void {
    importers.set(entry, []);
    const ahead = [entry];
    for (const file of ahead) {
      for (const imported of importsOf(file).filter((one) => existsSync(fileURLToPath(one)))) {
        if (!importers.has(imported)) ahead.push(imported);
        importers.set(imported, [...(importers.get(imported) ?? []), file]);
      }
    }
  }

  /** What each graph has for itself: what is edited or stands in, and all that come to it. */
  const own = new Map<number, ReadonlySet<string>>();

  function ownOf(graph: number): ReadonlySet<string> {
    const known = own.get(graph);
    if (known) return known;
    const found = new Set([...(edits[graph] ?? []).map(({ file }) => root + file), ...stood.values()]);
    for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
    own.set(graph, found);
    return found;
  }

  registerHooks({
    resolve(specifier, context, nextResolve) {
      const query = queryOf(context.parentURL);
      const standIn = query !== '' && Object.hasOwn(standIns, specifier) ? `${root}${standIns[specifier]}${query}` : undefined;
      if (standIn !== undefined && context.parentURL !== standIn) return { url: standIn, shortCircuit: true };
      const found = nextResolve(specifier, context);
      const ours = found.url.startsWith(root) && found.url.endsWith('.ts') && !found.url.includes('/node_modules/');
      return query !== '' && ours && ownOf(graphOf(query)).has(found.url) ? { ...found, url: found.url + query } : found;
    },
    load(url, context, nextLoad) {
      const query = queryOf(url);
      if (query === '') return nextLoad(url, context);
      return { format: 'module', source: sourceOf(url.slice(0, -query.length), graphOf(query)), shortCircuit: true };
    },
  });

  return (graph, file) => {
    const address = root + file;
    if (!importers.has(address)) {
      walk(address);
      own.clear();
    }
    return import(ownOf(graph).has(address) ? `${address}?graph=${graph}` : address);
  };
}
