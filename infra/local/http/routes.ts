import type { RouteMatch } from './payload.ts';

/** Which function a method and a path belong to. */
export interface Routes {
  /** `key` as the template has it: `POST /webhook`, `ANY /runs/{run}`, `GET /files/{rest+}` or `$default`. */
  addRoute(key: string, functionId: string): void;
  /** Everything below `prefix` belongs to a function URL. */
  addUrl(prefix: string, functionId: string): void;
  match(method: string, path: string): RouteMatch | undefined;
}

interface Route {
  readonly key: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly functionId: string;
}

export function createRoutes(): Routes {
  const routes: Route[] = [];
  const urls: { prefix: string; functionId: string }[] = [];
  return {
    addRoute(key, functionId) {
      routes.push({ ...parse(key), functionId });
      // The fewer variables, the more specific; a greedy one and $default come last.
      routes.sort((a, b) => weight(a) - weight(b));
    },
    addUrl: (prefix, functionId) => void urls.push({ prefix, functionId }),
    match(method, path) {
      const url = urls.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
      if (url) return { functionId: url.functionId, routeKey: '$default', path: path.slice(url.prefix.length) || '/', failureStatus: 502 };
      for (const route of routes) {
        const found = route.method === 'ANY' || route.method === method ? route.pattern.exec(path) : null;
        if (found) return matchOf(route, path, found);
      }
      return undefined;
    },
  };
}

function parse(key: string): Omit<Route, 'functionId'> {
  if (key === '$default') return { key, method: 'ANY', pattern: /^.*$/, names: [] };
  const [method = 'ANY', path = '/'] = key.split(' ');
  const names = [...path.matchAll(/\{([\w-]+)\+?\}/g)].map(([, name]) => name ?? '');
  const pattern = path
    .split(/(\{[\w-]+\+?\})/)
    .map((part) => (part.startsWith('{') ? (part.endsWith('+}') ? '(.+)' : '([^/]+)') : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')))
    .join('');
  return { key, method, pattern: new RegExp(`^${pattern}$`), names };
}

const weight = (route: Route): number => (route.key === '$default' ? 1000 : route.names.length + (route.key.includes('+}') ? 100 : 0));

function matchOf(route: Route, path: string, found: RegExpExecArray): RouteMatch {
  const parameters = Object.fromEntries(route.names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
  return {
    functionId: route.functionId,
    routeKey: route.key,
    path,
    failureStatus: 500,
    ...(route.names.length > 0 ? { pathParameters: parameters } : {}),
  };
}
