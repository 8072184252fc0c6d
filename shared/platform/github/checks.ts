import { z } from 'zod';
import { orAbsent } from '../../adapters/http/absent.ts';
import type { CheckRun, Repository } from '../../ports/code-host.ts';
import type { RepositoryApi } from './api.ts';
import { orFound } from './or-found.ts';

const checkAnswer = z.object({ id: z.int(), name: z.string(), external_id: z.string().nullish() });
const page = z.object({ check_runs: z.array(checkAnswer) });
const written = z.object({ id: z.int() });

/**
 * Writes one check run: the known one, else the one of that name, commit and external id, else a new one.
 *
 * @returns its id.
 */
export async function upsertCheck(api: RepositoryApi, check: CheckRun, known?: number): Promise<number> {
  const content = contentOf(check);
  const update = (id: number) => orAbsent(api.ask({ route: 'PATCH /check-runs/{id}', parameters: { id, ...content } }, written));
  const find = async (): Promise<number | undefined> => {
    const parameters = { commit: check.commit, check_name: check.name, filter: 'all' };
    for await (const each of api.list({ route: 'GET /commits/{commit}/check-runs', parameters }, page, (one) => one.check_runs)) {
      if (each.name === check.name && each.external_id === check.externalId) return each.id;
    }
    return undefined;
  };

  if (known !== undefined && (await update(known))) return known;
  const found = await find();
  if (found !== undefined && (await update(found))) return found;
  const create = api.ask({ route: 'POST /check-runs', parameters: { head_sha: check.commit, ...content } }, written);
  return (await orFound(create, find)).id;
}

/**
 * https://docs.github.com/en/rest/checks/runs#create-a-check-run; a conclusion is what completes a run. Buttons are said every time: whether
 * an update without them leaves the old ones standing is not documented.
 */
function contentOf({ name, externalId, status, conclusion, title, summary, text, actions = [] }: CheckRun): Record<string, unknown> {
  const output = { title, summary, ...(text === undefined ? {} : { text }) };
  return { name, external_id: externalId, status, ...(status === 'completed' ? { conclusion: conclusion ?? 'neutral' } : {}), output, actions };
}

/**
 * The page of a check run. GitHub's own API has a host of its own; an Enterprise Server has its API below `/api/v3` of the site.
 * https://docs.github.com/en/enterprise-server/rest/using-the-rest-api/getting-started-with-the-rest-api
 */
export const checkUrl = (apiUrl: string, repository: Repository, id: number): string => `${repositoryUrl(apiUrl, repository)}/runs/${id}`;

/** The page of a repository. */
export function repositoryUrl(apiUrl: string, { owner, name }: Repository): string {
  const { origin, hostname } = new URL(apiUrl);
  const site = hostname === 'api.github.com' ? 'https://github.com' : origin;
  return `${site}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}
