import { z } from 'zod';
import { orAbsent } from '../http/absent.ts';
import { everyPage } from '../http/pages.ts';
import { path } from '../http/path.ts';
import {
  type BranchRecord,
  branchPage,
  type CreatedBranch,
  connectionUri,
  createdBranch,
  type DatabaseRecord,
  databaseList,
  type EndpointRecord,
  endpointList,
  oneBranch,
} from './answers.ts';
import { type NeonCall, projectOf } from './provider.ts';

/** Branches a page; Neon allows up to 10,000. */
const pageSize = 1_000;

export function listBranches(call: NeonCall): Promise<BranchRecord[]> {
  return everyPage(
    'Neon branches',
    (found) => found.id,
    async (cursor) => {
      const page = await call.http.send({
        method: 'GET',
        path: path`/projects/${projectOf(call)}/branches`,
        query: { limit: pageSize, cursor },
        answer: branchPage,
      });
      return { items: page.branches, next: page.pagination?.next || undefined };
    },
  );
}

export async function findBranch(call: NeonCall, id: string): Promise<BranchRecord | undefined> {
  return (await orAbsent(call.http.send({ method: 'GET', path: path`/projects/${projectOf(call)}/branches/${id}`, answer: oneBranch })))?.branch;
}

/** Creates a branch with one endpoint that takes writes. Not sent twice by the client: Neon knows no idempotency key. */
export function createBranch(call: NeonCall, name: string, parentId: string): Promise<CreatedBranch> {
  const body = { branch: { name, parent_id: parentId }, endpoints: [{ type: 'read_write' }] };
  return call.http.send({ method: 'POST', path: path`/projects/${projectOf(call)}/branches`, body, answer: createdBranch });
}

/** Absent is success. */
export async function deleteBranch(call: NeonCall, id: string): Promise<void> {
  await orAbsent(call.http.send({ method: 'DELETE', path: path`/projects/${projectOf(call)}/branches/${id}`, answer: z.unknown() }));
}

export async function listEndpoints(call: NeonCall, id: string): Promise<EndpointRecord[]> {
  return (await call.http.send({ method: 'GET', path: path`/projects/${projectOf(call)}/branches/${id}/endpoints`, answer: endpointList })).endpoints;
}

export async function listDatabases(call: NeonCall, id: string): Promise<DatabaseRecord[]> {
  return (await call.http.send({ method: 'GET', path: path`/projects/${projectOf(call)}/branches/${id}/databases`, answer: databaseList })).databases;
}

export async function connectionUriOf(call: NeonCall, branchId: string, endpointId: string, database: DatabaseRecord): Promise<string> {
  const query = { branch_id: branchId, endpoint_id: endpointId, database_name: database.name, role_name: database.owner_name };
  return (await call.http.send({ method: 'GET', path: path`/projects/${projectOf(call)}/connection_uri`, query, answer: connectionUri })).uri;
}
