import { faces } from '../../sim/provider-table.ts';
import { description } from '../../sim/published/conform.ts';
import type { Exchange } from '../../sim/wire/exchange.ts';
import { route } from '../../sim/wire/router.ts';
import type { Provider } from '../../sim/wire/rule.ts';
import type { Judge } from './judge.ts';
import { openapiJudge } from './openapi.ts';
import { vercelJudge } from './vercel.ts';

/** What the published descriptions say of a record of exchanges. */
export interface Verdict {
  readonly requests: number;
  readonly answers: number;
  /** `<provider> <route>: <departure>` of requests and `<provider> <route> <status>: <departure>` of answers, each once, sorted. */
  readonly departures: readonly string[];
  /** Requests and answers nobody publishes, as `<provider> <route>` and `<provider> <route> <status>`, each once, sorted. */
  readonly unchecked: readonly string[];
}

export async function judgesOf(): Promise<Readonly<Record<Provider, Judge>>> {
  return {
    github: openapiJudge(description('github')),
    neon: openapiJudge(description('neon')),
    clerk: openapiJudge(description('clerk')),
    vercel: await vercelJudge(),
    // Slack publishes no description of its Web API any more; habits of many APIs nobody does.
    slack: { request: () => 'unchecked', answer: () => 'unchecked' },
    rest: { request: () => 'unchecked', answer: () => 'unchecked' },
  };
}

export function verdictOf(exchanges: readonly Exchange[], judges: Readonly<Record<Provider, Judge>>): Verdict {
  const departures = new Set<string>();
  const unchecked = new Set<string>();
  let answers = 0;
  const note = (what: string, judgement: readonly string[] | 'unchecked') => {
    if (judgement === 'unchecked') unchecked.add(what);
    else for (const departure of judgement) departures.add(`${what}: ${departure.replaceAll(/\[\d+\]/g, '[]')}`);
  };
  for (const { provider, request, answer } of exchanges) {
    const what = `${provider} ${routeOf(provider, request.method, request.path)}`;
    note(what, judges[provider].request(request));
    if (answer === undefined) continue;
    answers += 1;
    note(`${what} ${answer.status}${answer.raw === undefined ? '' : ' raw'}`, judges[provider].answer(request, answer));
  }
  return { requests: exchanges.length, answers, departures: [...departures].sort(), unchecked: [...unchecked].sort() };
}

/** The fake's route that takes a request, or the request itself where none does. */
function routeOf(provider: Provider, method: string, path: string): string {
  const routes = Object.entries(faces[provider].routes);
  return routes.find(([key, handler]) => route({ [key]: handler }, method, path) !== undefined)?.[0] ?? `${method} ${path}`;
}
