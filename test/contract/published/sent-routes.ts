import { globSync, readFileSync } from 'node:fs';
import type { Exchange } from '../../sim/wire/exchange.ts';
import type { Provider } from '../../sim/wire/rule.ts';

/**
 * One place in the source that sends a request: `github POST /check-runs`, with `*` where a value stands, and `**` where one does that
 * may hold slashes: a file's path and a branch are put together here, everything else by the client.
 */
interface Sent {
  readonly name: string;
  readonly provider: Provider;
  readonly method: string;
  readonly path: string;
}

const root = new URL('../../../', import.meta.url).pathname;
/** Where each provider is spoken to, and how a request reads there. */
const places: readonly { provider: Provider; files: string; request: RegExp }[] = [
  ...(['neon', 'vercel', 'clerk'] as const).map((provider) => ({
    provider,
    files: `shared/adapters/${provider}/*.ts`,
    request: /method: '([A-Z]+)',\s*path: path`([^`]+)`/g,
  })),
  // Every text that reads like a request, wherever it stands; a repository itself is asked for as `GET ` alone.
  { provider: 'github', files: 'shared/platform/github/*.ts', request: /['`](GET|POST|PATCH|PUT|DELETE) (\/[^'`\s]*|(?='))['`]/g },
];

/** Every request that the source of adapters and GitHub client sends. */
export function sentRoutes(): Sent[] {
  const all = places.flatMap(({ provider, files, request }) =>
    globSync(files, { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(`${root}${file}`, 'utf8').matchAll(request)])
      .map(([, method = '', template = '']) => {
        const value = provider === 'github' ? '**' : '*';
        const path = template
          .replaceAll(/\$\{[^}]*\}/g, value)
          .replaceAll(/\{[^}]*\}/g, '*')
          .replace(/^\/repos\/\*\/\*(?=\/|$)/, '');
        return { name: `${provider} ${method} ${path}`, provider, method, path };
      }),
  );
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

/** Those of them that no exchange of the record is one of. */
export const undriven = (sent: readonly Sent[], exchanges: readonly Exchange[]): string[] =>
  sent.filter((one) => !exchanges.some((exchange) => isOne(one, exchange))).map(({ name }) => name);

function isOne({ provider, method, path }: Sent, { provider: to, request }: Exchange): boolean {
  const below = provider === 'github' ? request.path.replace(/^\/repos\/[^/]+\/[^/]+(?=\/|$)/, '') : request.path;
  const pattern = path.split('**').map((part) => part.replaceAll(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+'));
  return to === provider && request.method === method && new RegExp(`^${pattern.join('.+')}$`).test(below);
}
