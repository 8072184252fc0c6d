/** What Neon answers, as far as it is read here (API v2, `/projects/{id}/branches…`). */
import { z } from 'zod';

export const branchRecord = z.object({
  id: z.string().min(1),
  name: z.string(),
  /** Absent on the project's root branch. */
  parent_id: z.string().optional(),
  default: z.boolean().optional(),
  /** The former name of `default`. */
  primary: z.boolean().optional(),
  protected: z.boolean().optional(),
  created_at: z.string().optional(),
});
export type BranchRecord = z.infer<typeof branchRecord>;

export const endpointRecord = z.object({ id: z.string().min(1), host: z.string().min(1), type: z.string() });
export type EndpointRecord = z.infer<typeof endpointRecord>;

export const databaseRecord = z.object({ name: z.string().min(1), owner_name: z.string().min(1) });
export type DatabaseRecord = z.infer<typeof databaseRecord>;

export const connectionRecord = z.object({
  connection_uri: z.string().min(1),
  connection_parameters: z.object({ database: z.string(), host: z.string().min(1) }),
});

export const branchPage = z.object({ branches: z.array(branchRecord), pagination: z.object({ next: z.string().nullish() }).nullish() });
export const oneBranch = z.object({ branch: branchRecord });
export const endpointList = z.object({ endpoints: z.array(endpointRecord) });
export const databaseList = z.object({ databases: z.array(databaseRecord) });
export const connectionUri = z.object({ uri: z.string().min(1) });

export const createdBranch = z.object({
  branch: branchRecord,
  endpoints: z.array(endpointRecord).default([]),
  databases: z.array(databaseRecord).optional(),
  connection_uris: z.array(connectionRecord).optional(),
});
export type CreatedBranch = z.infer<typeof createdBranch>;
