import type { DriftPolicy } from '../policy/types.ts';

/** The paths that policy lists of what an op makes: those of its entries `<adapter>.<op>#<path>`. */
export function shownPaths({ show = [] }: Pick<DriftPolicy, 'show'>, { adapter, op }: { readonly adapter: string; readonly op: string }): string[] {
  const type = `${adapter}.${op}#`;
  return show.filter((one) => one.startsWith(type)).map((one) => one.slice(type.length));
}
