import type { Outputs } from '../../engine/op.ts';
import type { CreatedBranch, DatabaseRecord, EndpointRecord } from './answers.ts';
import type { NeonCall } from './provider.ts';
import { connectionUriOf, listDatabases, listEndpoints } from './requests.ts';

/** The database Neon creates by itself; where somebody made others too, it is the one that is meant. */
const usualDatabase = 'neondb';

/**
 * How to reach a branch that exists: `host` of its endpoint, `connection_string` for the owner of its database. A branch
 * without an endpoint or a database gives the outputs it can.
 */
export async function connectionOf(call: NeonCall, branchId: string): Promise<Outputs> {
  const [endpoints, databases] = [await listEndpoints(call, branchId), await listDatabases(call, branchId)];
  return connect(call, branchId, endpoints, databases);
}

/** The same for a branch just created, out of the answer where it says so: most answers need no further request. */
export async function connectionOfCreated(call: NeonCall, created: CreatedBranch): Promise<Outputs> {
  const uris = created.connection_uris ?? [];
  const uri = uris.find((found) => found.connection_parameters.database === usualDatabase) ?? uris[0];
  if (uri !== undefined) return { host: writable(created.endpoints)?.host ?? uri.connection_parameters.host, connection_string: uri.connection_uri };
  return connect(call, created.branch.id, created.endpoints, created.databases ?? (await listDatabases(call, created.branch.id)));
}

async function connect(call: NeonCall, branchId: string, endpoints: readonly EndpointRecord[], databases: readonly DatabaseRecord[]): Promise<Outputs> {
  const endpoint = writable(endpoints);
  if (endpoint === undefined) return {};
  const database = databases.find((found) => found.name === usualDatabase) ?? databases[0];
  if (database === undefined) return { host: endpoint.host };
  return { host: endpoint.host, connection_string: await connectionUriOf(call, branchId, endpoint.id, database) };
}

const writable = (endpoints: readonly EndpointRecord[]): EndpointRecord | undefined => endpoints.find((found) => found.type === 'read_write') ?? endpoints[0];
