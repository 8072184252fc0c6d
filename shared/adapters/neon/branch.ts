import { z } from 'zod';
import type { Applied, LiveResource, Op, Outputs, Reading, ResourceChange } from '../../engine/op.ts';
import { fieldHashes, type Side, sideOf, type Value } from '../../engine/value.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { value } from '../../plan/value-forms.ts';
import { stateDigest } from '../digest.ts';
import { refusedAsExisting } from '../http/refused-create.ts';
import { invalid, keyText, known, oneValue } from '../param.ts';
import type { BranchRecord } from './answers.ts';
import { connectionOf, connectionOfCreated } from './connection.ts';
import { isDefault, isRoot, parentOf } from './parent.ts';
import { baseUrl, credential, type NeonCall, projectOf, provider } from './provider.ts';
import { createBranch, deleteBranch, findBranch, listBranches } from './requests.ts';

/** What a read found: the branch, or the one a new branch would grow from; neither while the parent's name is pending. */
interface LiveBranch {
  readonly branch?: BranchRecord;
  readonly parent?: BranchRecord;
}

const keyPrefix = 'branch:';
const keyOf = (name: string): string => keyPrefix + name;

/**
 * `neon.branch`: a database branch with one endpoint that takes writes. The parent counts at the create only: a branch that
 * exists under another one is unchanged, because Neon cannot move it. The project's default, root and protected branches can
 * be used by a line and are never deleted.
 */
export const branch: Op<LiveBranch> = {
  adapter: 'neon',
  name: 'branch',
  version: 1,
  credentials: [credential],
  baseUrl,
  provider,
  params: z.strictObject({
    name: value(z.string().min(1).max(256)).optional().describe('The branch; default `lockkeeper/<environment>/<scope>`.'),
    parent: value(z.string().min(1))
      .optional()
      .describe('Name or id of the branch it grows from; default `main`, else the default branch. Used at the create only.'),
  }),
  outputs: {
    branch_id: { available: 'immediate', about: "The branch's id." },
    connection_string: { available: 'immediate', sensitive: true, about: "Connection URI of the branch's database, with its owner's password." },
    host: { available: 'immediate', about: 'Host of the endpoint that takes writes.' },
  },
  keyParams: ['name'],
  nothingLive: {},
  defaults: (params, context) => ({ name: `lockkeeper/${context.environment}/${context.scope}`, ...params }),
  writesEnvironment: () => undefined,
  identity: async (call) => ({ project: String(call.provider['project']) }),
  read,
  diff,
  apply,
  lookup: async (resource, call) => {
    const found = resource.id === undefined ? (await listBranches(call)).find((one) => keyOf(one.name) === resource.key) : await findBranch(call, resource.id);
    return found === undefined ? undefined : { ...resourceOf(found), key: resource.key };
  },
  destroy,
  listParams: [],
  list: async (_params, call) => (await listBranches(call)).filter((found) => !isRoot(found)).map(resourceOf),
  adopt: (keys) => keys.map((key) => ({ id: `branch-${key.slice(keyPrefix.length)}`, params: { name: key.slice(keyPrefix.length) }, keys: [key] })),
};

async function read(params: Parameters<Op['read']>[0], call: NeonCall): Promise<Reading<LiveBranch>> {
  const name = keyText(params, 'name');
  const branches = await listBranches(call);
  const found = branches.find((one) => one.name === name);
  if (found !== undefined) {
    const outputs = { branch_id: found.id, ...(await connectionOf(call, found.id)) };
    return { resources: [resourceOf(found)], outputs, live: { branch: found } };
  }
  const wanted = oneValue(params, 'parent');
  if (wanted !== undefined && isOpen(wanted)) return { resources: [], outputs: {}, live: {} };
  return { resources: [], outputs: {}, live: { parent: parentOf(branches, wanted === undefined ? undefined : known(wanted, 'parent')) } };
}

function diff(params: Parameters<Op['diff']>[0], { live }: Reading<LiveBranch>): readonly ResourceChange[] {
  const name = keyText(params, 'name');
  const base = { key: keyOf(name), label: labelOf(name) };
  if (live.branch !== undefined) return [{ ...base, kind: 'unchanged', hash: hashOf(name, live.branch.parent_id), fields: [] }];
  const wanted = oneValue(params, 'parent');
  const parent: Side = live.parent === undefined && wanted !== undefined ? sideOf(wanted) : { state: 'literal', value: live.parent?.name ?? '' };
  const fields: ResourceChange['fields'] = [
    { path: 'name', before: { state: 'absent' }, after: { state: 'literal', value: name }, ...fieldHashes(undefined, oneValue(params, 'name')) },
    { path: 'parent', before: { state: 'absent' }, after: parent, ...fieldHashes(undefined, wanted) },
  ];
  return [{ ...base, kind: 'create', ...(live.parent === undefined ? {} : { hash: hashOf(name, live.parent.id) }), fields }];
}

async function apply(
  params: Parameters<Op['apply']>[0],
  { live, resources, outputs }: Reading<LiveBranch>,
  changes: readonly ResourceChange[],
  call: NeonCall,
): Promise<Applied> {
  if (!changes.some((change) => change.kind === 'create')) return { done: true, resources, created: [], outputs };
  const name = keyText(params, 'name');
  if (live.parent === undefined)
    throw new LockkeeperError({ code: 'INTERNAL', message: `The branch \`${name}\` was to be created before its parent was known.` });
  const created = await refusedAsExisting(createBranch(call, name, live.parent.id));
  const made: LiveResource = resourceOf(created.branch);
  const reached: Outputs = await connectionOfCreated(call, created);
  return { done: true, resources: [made], created: [made.key], outputs: { branch_id: made.id, ...reached } };
}

/** Looks before it deletes: a branch that became the default or was protected since is somebody's by now. */
async function destroy(resource: LiveResource, call: NeonCall): Promise<void> {
  const found = await findBranch(call, resource.id);
  if (found === undefined) return;
  const why = isRoot(found) ? 'the root branch' : isDefault(found) ? 'the default branch' : found.protected === true ? 'protected' : undefined;
  if (why === undefined) return deleteBranch(call, found.id);
  throw new LockkeeperError({
    code: 'PROVIDER_CONFLICT',
    message: `Neon branch \`${found.name}\` is ${why} of project \`${projectOf(call)}\`: Lockkeeper never deletes such a branch.`,
    details: { adapter: 'neon', key: resource.key, id: found.id },
  });
}

function resourceOf(found: BranchRecord): LiveResource {
  const createdAt = Date.parse(found.created_at ?? '');
  return {
    key: keyOf(found.name),
    id: found.id,
    hash: hashOf(found.name, found.parent_id),
    label: labelOf(found.name),
    ...(Number.isNaN(createdAt) ? {} : { createdAt }),
  };
}

const hashOf = (name: string, parentId: string | undefined): string => stateDigest({ name, parent_id: parentId ?? null });
const labelOf = (name: string): string => `Neon branch ${name}`;

/** Not known yet. `keep` has no meaning for a parent. */
function isOpen(wanted: Value): boolean {
  if (wanted.kind === 'keep') throw invalid('`parent` cannot be `keep`: leave it out to grow from the default branch.');
  return wanted.kind !== 'known';
}
