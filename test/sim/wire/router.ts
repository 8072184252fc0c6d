import type { Answer, Incoming } from './answer.ts';

/** Answers one request. It runs in one piece: nothing else happens in the cloud between its first line and its last. */
export type Handler<Context> = (request: Incoming, context: Context) => Answer;

/**
 * Routes by `METHOD /pattern`. A part `:name` takes one segment, `:name+` takes the rest of the path, slashes included.
 * The first pattern in the order written wins.
 */
export type Routes<Context> = Readonly<Record<string, Handler<Context>>>;

export interface Found<Context> {
  readonly handler: Handler<Context>;
  readonly params: Record<string, string>;
}

export function route<Context>(routes: Routes<Context>, method: string, path: string): Found<Context> | undefined {
  for (const [key, handler] of Object.entries(routes)) {
    const [wanted, pattern] = key.split(' ');
    if (wanted !== method || pattern === undefined) continue;
    const params = match(pattern, path);
    if (params !== undefined) return { handler, params };
  }
  return undefined;
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(':') && part.endsWith('+')) {
      const rest = given.slice(index).join('/');
      if (rest === '') return undefined;
      params[part.slice(1, -1)] = decodeURIComponent(rest);
      return params;
    }
    const segment = given[index];
    if (segment === undefined) return undefined;
    if (!part.startsWith(':') && part !== segment) return undefined;
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(segment);
  }
  return wanted.length === given.length ? params : undefined;
}
