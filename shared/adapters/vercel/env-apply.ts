import type { Applied, LiveResource, OpCall, Reading, ResourceChange } from '../../engine/op.ts';
import type { Value } from '../../engine/value.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { sha256 } from '../digest.ts';
import { mentionsExisting } from '../http/classify.ts';
import { known } from '../param.ts';
import { isAt, keyOf, type LiveVariables, placeOf, resourceAt, type VariableRecord } from './variable.ts';
import { createVariables, type RefusedVariable, updateVariable, type VariableWrite } from './variable-requests.ts';

type Written = { readonly write: VariableWrite; readonly record: VariableRecord };

/**
 * Writes what a line's changes say. What is deployed takes the values with the redeploy that follows the run's last write (P8).
 *
 * New variables go into one POST *without* `upsert`: with it, a variable that somebody made since the read would be overwritten
 * in silence. A changed one is a PATCH of the very record that was read: `upsert` finds its record by name, so it would create
 * one, without an intent, where somebody deleted it since, and fail halfway where somebody widened it. The price is one request
 * for every changed value, which are few; the creates of a new preview, which are many, stay one.
 */
export async function applyVariables(
  values: readonly [string, Value][],
  reading: Reading<LiveVariables>,
  changes: readonly ResourceChange[],
  call: OpCall,
): Promise<Applied> {
  const creates = writesOf('create', values, changes);
  const updates = writesOf('update', values, changes);
  const written = [...(await create(creates, call)), ...(await update(updates, reading.live, call))];
  const resources = [...new Map([...reading.resources, ...written.map(resourceOf)].map((resource) => [resource.key, resource])).values()];
  return { done: true, resources, created: creates.map(({ place }) => keyOf(place)), outputs: {} };
}

function writesOf(kind: ResourceChange['kind'], values: readonly [string, Value][], changes: readonly ResourceChange[]): VariableWrite[] {
  const byName = new Map(values);
  return changes.flatMap((change) => {
    const place = change.kind === kind ? placeOf(change.key) : undefined;
    const value = place && byName.get(place.name);
    return place === undefined || value === undefined ? [] : [{ place, value: known(value, `values.${place.name}`) }];
  });
}

async function create(writes: readonly VariableWrite[], call: OpCall): Promise<Written[]> {
  if (writes.length === 0) return [];
  const { records, refused } = await sendCreates(writes, call);
  const written = writes.flatMap((write) => {
    const record = records.find((one) => isAt(one, write.place));
    return record === undefined ? [] : [{ write, record }];
  });
  if (refused.length > 0) throw refusal(refused, written);
  if (written.length === writes.length) return written;
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: 'vercel: some variables were neither created nor refused, says the answer.' });
}

/** Where one of several creates is refused for the whole request, the others may stand all the same: then "exists" is not certain for any. */
async function sendCreates(writes: readonly VariableWrite[], call: OpCall): ReturnType<typeof createVariables> {
  try {
    return await createVariables(call, writes);
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError) || thrown.code !== 'PROVIDER_CONFLICT') throw thrown;
    const { exists: _, ...details } = thrown.problem.details ?? {};
    throw new LockkeeperError({ ...thrown.problem, details: writes.length === 1 ? { ...details, exists: true } : details }, { cause: thrown });
  }
}

/** Names variables and codes, not what Vercel says about them: its sentences can quote a value. */
function refusal(refused: readonly RefusedVariable[], written: readonly Written[]): LockkeeperError {
  const taken = refused.every(({ error }) => mentionsExisting(`${error.code} ${error.message ?? ''}`));
  const named = refused.map(({ error }) => `${error.envVarKey ?? error.key ?? 'a variable'} (${/^\w{1,60}$/.test(error.code) ? error.code : 'refused'})`);
  return new LockkeeperError({
    code: taken ? 'PROVIDER_CONFLICT' : 'PROVIDER_INVALID',
    message: `vercel: POST of ${refused.length + written.length} variables was refused for ${named.join(', ')}.`,
    details: { adapter: 'vercel', created: written.map(({ write }) => keyOf(write.place)), ...(taken && written.length === 0 ? { exists: true } : {}) },
  });
}

async function update(writes: readonly VariableWrite[], live: LiveVariables, call: OpCall): Promise<Written[]> {
  const written: Written[] = [];
  for (const write of writes) {
    const record = live[write.place.name];
    if (record === undefined)
      throw new LockkeeperError({ code: 'INTERNAL', message: `vercel: ${write.place.name} was to be updated without having been read.` });
    written.push({ write, record: await patched(record, write, call) });
  }
  return written;
}

async function patched(record: VariableRecord, write: VariableWrite, call: OpCall): Promise<VariableRecord> {
  try {
    return await updateVariable(call, record, write.value);
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError) || thrown.code !== 'PROVIDER_NOT_FOUND') throw thrown;
    throw new LockkeeperError(
      {
        code: 'PROVIDER_CONFLICT',
        message: `vercel: variable \`${write.place.name}\` was deleted since it was read.`,
        hint: 'Run again: it is created anew.',
        details: { adapter: 'vercel' },
      },
      { cause: thrown },
    );
  }
}

/** The answer to a write may show ciphertext; what was sent is what the value is. A record that came out as `sensitive` stays unreadable. */
function resourceOf({ write, record }: Written): LiveResource {
  const resource = resourceAt(record, write.place);
  return record.type === 'encrypted' ? { ...resource, hash: sha256(write.value) } : resource;
}
