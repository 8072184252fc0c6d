import type { Answer, Incoming } from '../../sim/wire/answer.ts';

/**
 * What a provider's published description says about a request or an answer: where it departs from it, or `unchecked`, where the
 * description says nothing.
 */
export type Judgement = readonly string[] | 'unchecked';

/** One provider's published description, as a judge of what goes over the wire. */
export interface Judge {
  request(request: Incoming): Judgement;
  answer(request: Incoming, answer: Answer): Judgement;
}

/** The published operation that a request is for, and what stands in the places of its path. */
export interface Place<T> {
  readonly operation: T;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the operation by method and path. Of several that fit, the one with the most fixed text is meant. */
export function placeOf<T>(
  operations: readonly { readonly method: string; readonly path: string; readonly operation: T }[],
  request: Incoming,
): Place<T> | undefined {
  const fitting = operations
    .filter(({ method }) => method === request.method)
    .map(({ path, operation }) => ({ operation, fixed: path.replaceAll(/\{\w+\}/g, '').length, parameters: match(path, request.path) }))
    .filter((one): one is typeof one & { parameters: Record<string, string> } => one.parameters !== undefined);
  return fitting.toSorted((a, b) => b.fixed - a.fixed)[0];
}

/** Parameters whose values hold slashes: GitHub takes files and refs so, and its description has no word for it. */
const withSlashes = ['path', 'ref', 'basehead', 'branch'];

function match(template: string, path: string): Record<string, string> | undefined {
  const source = template
    .replaceAll(/[.+^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${withSlashes.includes(name) ? '.+' : '[^/]+'})`);
  const groups = new RegExp(`^${source}$`).exec(path);
  return groups === null ? undefined : Object.fromEntries(Object.entries(groups.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]));
}
