import { globSync, readFileSync } from 'node:fs';
import type { Exchange } from '../../sim/wire/exchange.ts';
import type { Provider } from '../../sim/wire/rule.ts';

/** One place in the source that sends a request: `github POST /check-runs`, with `*` where a value stands. */
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
  { provider: 'github', files: 'shared/platform/github/*.ts', request: /(?:route: |route = |asApp\(|call\()['`]([A-Z]+) (\/[^'`]+|)['`]/g },
];

/** Every request that the source of adapters and GitHub client sends. */
export function sentRoutes(): Sent[] {
  const all = places.flatMap(({ provider, files, request }) =>
    globSync(files, { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(`${root}${file}`, 'utf8').matchAll(request)])
      .map(([, method = '', template = '']) => {
        const path = template.replaceAll(/\$?\{[^}]*\}/g, '*').replace(/^\/repos\/\*\/\*(?=\/)/, '');
        return { name: `${provider} ${method} ${path}`, provider, method, path };
      }),
  );
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

/** Those of them that no exchange of the record is one of. */
export const undriven = (sent: readonly Sent[], exchanges: readonly Exchange[]): string[] =>
  sent.filter((one) => !exchanges.some((exchange) => isOne(one, exchange))).map(({ name }) => name);

function isOne({ provider, method, path }: Sent, { provider: to, request }: Exchange): boolean {
  const below = provider === 'github' ? request.path.replace(/^\/repos\/[^/]+\/[^/]+(?=\/)/, '') : request.path;
  const pattern = path.replaceAll(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+');
  // What stands last in a path of GitHub's may hold slashes: a file, a branch.
  return to === provider && request.method === method && new RegExp(`^${pattern}${provider === 'github' ? '(/.*)?' : ''}$`).test(below);
}
