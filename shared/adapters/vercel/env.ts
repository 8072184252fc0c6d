import { z } from 'zod';
import type { LiveResource, Op, OpCall, Outputs, Previous, Reading, Remembered } from '../../engine/op.ts';
import type { ResolvedParams } from '../../engine/value.ts';
import type { Params, ReleaseContext } from '../../plan/types.ts';
import { scalar, value } from '../../plan/value-forms.ts';
import { invalid, keyText, manyValues } from '../param.ts';
import { applyVariables } from './env-apply.ts';
import { diffVariables } from './env-diff.ts';
import { keptLines } from './kept-lines.ts';
import { identity } from './project.ts';
import { baseUrl, credential, provider, type VercelCall } from './provider.ts';
import { deploymentOutputs, redeploy } from './redeploy.ts';
import { branchDefault, everyBranch, isTarget, targetOf, targets } from './target.ts';
import {
  isAt,
  isSealed,
  isShared,
  keptAt,
  type LiveVariables,
  placeOf,
  readable,
  resourceAt,
  sharedRecord,
  type VariablePlace,
  type VariableRecord,
} from './variable.ts';
import { deleteVariable, findVariable, listVariables, updateVariable } from './variable-requests.ts';

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'a variable is named with letters, digits and underscores, and starts with no digit' });

/**
 * `vercel.env`: environment variables of one target, for one branch or all. Values are always written as type `encrypted`.
 * After the last write of a run, this commit is built again where it was built before (P8). The outputs are those of the commit's
 * deployment, an outside event.
 */
export const env: Op<LiveVariables> = {
  adapter: 'vercel',
  name: 'env',
  version: 1,
  credentials: [credential],
  baseUrl,
  provider,
  params: z.strictObject({
    target: z
      .union([z.enum(targets), z.string().regex(/\$\{ctx\.[^}]*\}/)])
      .optional()
      .describe('Default: production under `production`, else preview.'),
    branch: value(z.string()).optional().describe('Target preview only. Default: the current branch; `*` means every branch.'),
    values: z.record(variableName, value(scalar)).default({}).describe('Name → value.'),
  }),
  outputs: {
    preview_url: { available: 'external', event: 'deploy', about: "Address of the commit's newest deployment." },
    branch_url: {
      available: 'external',
      event: 'deploy',
      about: "The branch's own address, which stays over its commits: what a callback is registered with. It answers once a deployment is ready.",
    },
    deployment_id: { available: 'external', event: 'deploy', about: "The newest deployment's id." },
  },
  keyParams: ['target', 'branch'],
  nothingLive: Object.freeze(Object.create(null)),
  defaults,
  writesEnvironment: (params, _provider, context) => targetOf(params, context),
  identity,
  read,
  diff: (params, reading) => diffVariables(placesOf(params), manyValues(params, 'values'), reading.live),
  apply: (params, reading, changes, call) => applyVariables(manyValues(params, 'values'), reading, changes, call),
  lookup,
  destroy: (resource, call) => deleteVariable(call, resource.id),
  capture,
  restore,
  awaitExternal,
  redeploy: { group: groupOf, run: redeploy, outputs: deploymentOutputs },
  list,
  listParams: ['target', 'branch'],
  adopt: keptLines,
};

function defaults(params: Params, context: ReleaseContext): Params {
  const target = targetOf(params, context);
  return { values: {}, ...params, target, branch: branchDefault(params, target, context) };
}

/** Where each name of the line lies. */
function placesOf(params: ResolvedParams): (name: string) => VariablePlace {
  const target = keyText(params, 'target');
  const branch = keyText(params, 'branch') || everyBranch;
  if (branch.includes(':')) throw invalid('`branch`: no branch has a colon in its name.');
  return (name) => ({ target, branch, name });
}

/** One list; a value that only came as ciphertext is asked for alone, unless it is kept whatever it is. */
async function read(params: ResolvedParams, call: VercelCall): Promise<Reading<LiveVariables>> {
  const values = manyValues(params, 'values');
  const placeFor = placesOf(params);
  const records = values.length === 0 ? [] : await listVariables(call);
  const live: Record<string, VariableRecord> = Object.create(null);
  const resources: LiveResource[] = [];
  for (const [name, wanted] of values) {
    const found = records.find((record) => isAt(record, placeFor(name)));
    const record = found === undefined || wanted.kind === 'keep' ? found : await unsealed(found, call);
    if (record === undefined) continue;
    live[name] = record;
    resources.push(wanted.kind === 'keep' ? keptAt(record, placeFor(name)) : resourceAt(record, placeFor(name)));
  }
  return { resources, outputs: {}, live };
}

async function unsealed(record: VariableRecord, call: VercelCall): Promise<VariableRecord | undefined> {
  return isSealed(record) ? alone(record.id, call) : record;
}

/** One record asked for alone: Vercel promises its value in clear there, and may leave the mark out. */
async function alone(id: string, call: VercelCall): Promise<VariableRecord | undefined> {
  const record = await findVariable(call, id);
  return record && { ...record, decrypted: record.decrypted ?? true };
}

/**
 * By id, or by place for an intent. A record that somebody gave another place is marked so, wherever it lies now: it may be live in
 * production. One that covers further environments beside its own is not handed out for deletion.
 *
 * @throws LockkeeperError PROVIDER_CONFLICT for such a record.
 */
async function lookup(resource: Remembered, call: VercelCall): Promise<LiveResource | undefined> {
  const place = placeOf(resource.key);
  if (place === undefined) return undefined;
  const listed = resource.id === undefined ? (await listVariables(call)).find((record) => isAt(record, place)) : undefined;
  const record = resource.id === undefined ? listed && (await unsealed(listed, call)) : await alone(resource.id, call);
  if (record === undefined) return undefined;
  if (isAt(record, place) && isShared(record)) throw sharedRecord(place);
  return resourceAt(record, place);
}

/** A variable's value where Vercel shows it, and its type: written by a line it has another. */
function capture(key: string, { live }: Reading<LiveVariables>): Previous | undefined {
  const record = live[placeOf(key)?.name ?? ''];
  const secret = record && readable(record);
  return secret === undefined ? undefined : { secret, form: { type: record?.type ?? 'encrypted' } };
}

async function restore(resource: LiveResource, { secret, form }: Previous, call: VercelCall): Promise<void> {
  const record = await findVariable(call, resource.id);
  if (record) await updateVariable(call, record, secret, form?.['type'] === 'plain' ? 'plain' : 'encrypted');
}

/** What lies in the line's target, for every branch or for its own; variables that Vercel sets by itself left out. */
async function list(params: ResolvedParams, call: VercelCall): Promise<readonly LiveResource[]> {
  const { target, branch } = placesOf(params)('');
  return (await listVariables(call)).flatMap((record) => {
    const found = [everyBranch, branch].map((each) => ({ target, branch: each, name: record.key })).find((place) => isAt(record, place));
    return found === undefined || record.type === 'system' ? [] : [resourceAt(record, found)];
  });
}

/** Nothing is deployed for target development. */
function groupOf(params: Params, context: ReleaseContext): string | undefined {
  const target = targetOf(params, context);
  return target === 'development' ? undefined : target;
}

async function awaitExternal(params: ResolvedParams, call: OpCall): Promise<Outputs | undefined> {
  const target = keyText(params, 'target');
  if (!isTarget(target) || target === 'development')
    throw invalid('Target development is deployed nowhere, so there is no address and no `deployment_id` to wait for.');
  return deploymentOutputs(target, call);
}
