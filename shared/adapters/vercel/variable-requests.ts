import { z } from 'zod';
import { orAbsent } from '../http/absent.ts';
import { everyPage } from '../http/pages.ts';
import { path } from '../http/path.ts';
import { projectOf, teamQuery, type VercelCall } from './provider.ts';
import { everyBranch } from './target.ts';
import { type VariablePlace, type VariableRecord, variableRecord } from './variable.ts';

const listing = z.object({ envs: z.array(variableRecord), pagination: z.object({ next: z.number().nullish() }).nullish() });

/** One entry of `failed`: which variable, and Vercel's code for why. */
const refusedVariable = z.object({
  error: z.object({ code: z.string(), message: z.string().optional(), key: z.string().optional(), envVarKey: z.string().optional() }),
});
export type RefusedVariable = z.infer<typeof refusedVariable>;

const created = z.object({
  created: z.union([z.array(variableRecord), variableRecord]).nullish(),
  failed: z.array(refusedVariable).default([]),
});

export interface VariableWrite {
  readonly place: VariablePlace;
  readonly value: string;
}

/** Every variable of the project, with values where Vercel gives them in a list. */
export function listVariables(call: VercelCall): Promise<VariableRecord[]> {
  return everyPage(
    'Vercel variables',
    (record) => record.id,
    async (until) => {
      const query = { ...teamQuery(call), decrypt: true, until };
      const page = await call.http.send({ method: 'GET', path: path`/v10/projects/${projectOf(call)}/env`, query, answer: listing });
      return { items: page.envs, next: page.pagination?.next == null ? undefined : String(page.pagination.next) };
    },
  );
}

/** One variable with its value; undefined when it is gone. */
export function findVariable(call: VercelCall, id: string): Promise<VariableRecord | undefined> {
  return orAbsent(call.http.send({ method: 'GET', path: path`/v1/projects/${projectOf(call)}/env/${id}`, query: teamQuery(call), answer: variableRecord }));
}

/** Creates all in one request and overwrites none: a name that is taken by now comes back under `refused`. */
export async function createVariables(call: VercelCall, writes: readonly VariableWrite[]): Promise<{ records: VariableRecord[]; refused: RefusedVariable[] }> {
  const body = writes.map(({ place, value }) => ({
    key: place.name,
    value,
    type: 'encrypted',
    target: [place.target],
    ...(place.branch === everyBranch ? {} : { gitBranch: place.branch }),
  }));
  const answer = await call.http.send({ method: 'POST', path: path`/v10/projects/${projectOf(call)}/env`, query: teamQuery(call), body, answer: created });
  const records = answer.created ?? [];
  return { records: Array.isArray(records) ? records : [records], refused: answer.failed };
}

/**
 * Gives a record another value, as type `encrypted` or, to put back what was there, `plain`; one that somebody made `sensitive` stays so, since Vercel takes no way back.
 * The same request twice does no harm.
 */
export function updateVariable(call: VercelCall, record: VariableRecord, value: string, type: 'encrypted' | 'plain' = 'encrypted'): Promise<VariableRecord> {
  const body = record.type === 'sensitive' ? { value } : { value, type };
  return call.http.send({
    method: 'PATCH',
    path: path`/v9/projects/${projectOf(call)}/env/${record.id}`,
    query: teamQuery(call),
    body,
    idempotent: true,
    answer: variableRecord,
  });
}

/** Absent is success. */
export async function deleteVariable(call: VercelCall, id: string): Promise<void> {
  await orAbsent(call.http.send({ method: 'DELETE', path: path`/v9/projects/${projectOf(call)}/env/${id}`, query: teamQuery(call), answer: z.unknown() }));
}
