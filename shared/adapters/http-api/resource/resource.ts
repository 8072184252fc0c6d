import { z } from 'zod';
import type { Applied, LiveResource, Op, OpCall, Outputs, Reading, ResourceChange } from '../../../engine/op.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import type { Scalar } from '../../../plan/types.ts';
import { identityOf, provider, providerFor, writesEnvironment } from '../api-block.ts';
import { connection, credentialsFor } from '../auth.ts';
import { orGone } from '../gone.ts';
import { valueAt } from '../pointer.ts';
import { asScalar } from '../value-tree.ts';
import { changeOf, notAsWanted } from './changes.ts';
import { fieldsBefore, putBack } from './first-value.ts';
import { type Found, locate, locateById, pathWith } from './locate.ts';
import { outputsFor, params } from './params.ts';
import { asRecall, hashOfItem, isMatch, type ResourceRecall, recallOf } from './recall.ts';
import { create, isReady, update } from './requests.ts';
import { type ResourceSpec, resourceSpec } from './spec.ts';

type Live = { readonly found?: Found };

/** Seconds between two looks at an object that is not ready. */
const betweenLooks = 5;

/** `http.resource`: one object of any JSON API, by the requests that find, make, change and remove it. */
export const resource: Op<Live> = {
  adapter: 'http',
  name: 'resource',
  version: 1,
  credentials: [],
  credentialsFor,
  connection,
  provider,
  providerFor,
  params,
  outputs: { id: { available: 'immediate', about: 'The object’s id, by `id_path`.' } },
  outputsFor,
  keyParams: ['api', 'vars', 'find', 'read'],
  nothingLive: {},
  defaults: (given) => given,
  writesEnvironment: (_params, block) => writesEnvironment(block),
  identity: async (call) => identityOf(call.provider),
  read,
  diff: (given, { resources, live }) => [changeOf(resourceSpec(given), resources.length > 0 ? live.found : undefined)],
  apply,
  lookup: async ({ key, id, recall }, call) => {
    const known = recallOf(recall, key);
    const found = id === undefined || id === key ? await orGone(locate(known, call), known.gone) : await locateById(known, id, call);
    if (found === undefined) return undefined;
    return { ...liveOf(key, key, known, found), ...(isMatch(known, found.item) ? {} : { moved: true as const }) };
  },
  destroy: async ({ key, id, recall }, call) => {
    const { remove, gone } = recallOf(recall, key);
    if (remove === undefined) return;
    await orGone(call.http.send({ method: remove.method, path: pathWith(remove.path, id), answer: z.unknown() }), gone);
  },
  capture: (_key, { live }, given) => (live.found === undefined ? undefined : fieldsBefore(resourceSpec(given), live.found)),
  restore: putBack,
};

async function read(given: Parameters<Op['read']>[0], call: OpCall): Promise<Reading<Live>> {
  const spec = resourceSpec(given);
  const found = await locate(spec.recall, call);
  if (found === undefined) return { resources: [], outputs: {}, live: {} };
  // Half-made by this line: it is not there before it is ready.
  if (spec.ready && call.begun?.has(spec.key) && !(await isReady(spec.ready, found, call))) return { resources: [], outputs: {}, live: { found } };
  return { resources: [liveOf(spec.key, spec.label, spec.recall, found)], outputs: outputsOf(spec, found), live: { found } };
}

async function apply(given: Parameters<Op['apply']>[0], reading: Reading<Live>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied> {
  const spec = resourceSpec(given);
  const kind = changes.find(({ key }) => key === spec.key)?.kind ?? 'unchanged';
  const { found } = reading.live;
  if (kind === 'unchanged') return done(reading.resources, [], reading.outputs);
  if (kind === 'create') return found ? whenReady(spec, found, found, call) : made(spec, call);
  if (found === undefined) throw new LockkeeperError({ code: 'INTERNAL', message: `${spec.label} was to be updated and was not found.` });
  await update(spec, found, call);
  const now = await locateAgain(spec, found, call);
  refuseUnwritten(spec, now);
  return done([liveOf(spec.key, spec.label, spec.recall, now)], [], complete(spec, now));
}

async function made(spec: ResourceSpec, call: OpCall): Promise<Applied> {
  const answered = await create(spec, call);
  const now = notAsWanted(spec, answered.item).length === 0 ? answered : await locateAgain(spec, answered, call);
  return whenReady(spec, now, answered, call);
}

/** @param answered what the create answered: it alone has what is given once. */
async function whenReady(spec: ResourceSpec, now: Found, answered: Found, call: OpCall): Promise<Applied> {
  if (spec.ready && !(await isReady(spec.ready, now, call))) return { done: false, seconds: betweenLooks, why: `${spec.label} is not ready` };
  refuseUnwritten(spec, now);
  return done([liveOf(spec.key, spec.label, spec.recall, now)], [spec.key], { ...complete(spec, now), ...onceOf(spec, answered) });
}

const done = (resources: readonly LiveResource[], created: readonly string[], outputs: Outputs): Applied => ({ done: true, resources, created, outputs });

async function locateAgain(spec: ResourceSpec, found: Found, call: OpCall): Promise<Found> {
  const now = found.id === undefined ? await locate(spec.recall, call) : await locateById(spec.recall, found.id, call);
  if (now) return now;
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `${spec.label} was written, and is not there.` });
}

/** A field that is written and not shown would be written again by every run. */
function refuseUnwritten(spec: ResourceSpec, { item }: Found): void {
  const fields = notAsWanted(spec, item);
  if (fields.length === 0) return;
  const message = `${spec.label} was written, and the API shows ${fields.join(', ')} otherwise: write it as the API does, or, where it is never shown, put it into \`create.body\`.`;
  throw new LockkeeperError({ code: 'PROVIDER_RESPONSE', message, details: { key: spec.key, fields } });
}

function liveOf(key: string, label: string, recall: ResourceRecall, found: Found): LiveResource {
  return { key, id: found.id ?? key, hash: hashOfItem(recall, found.item), label, recall: asRecall(recall) };
}

/** What a look gives: nothing that is given once, and nothing that is not there yet. */
function outputsOf(spec: ResourceSpec, found: Found): Outputs {
  return { id: found.id ?? spec.key, ...pick(spec, found, (output) => !output.once) };
}

/**
 * The same of an object that is there: every output has a value.
 *
 * @throws LockkeeperError PROVIDER_RESPONSE
 */
function complete(spec: ResourceSpec, found: Found): Outputs {
  const given = outputsOf(spec, found);
  for (const { name, path, once } of spec.outputs) if (!once && given[name] === undefined) throw missing(spec, name, path);
  return given;
}

function onceOf(spec: ResourceSpec, answered: Found): Outputs {
  const given = pick(spec, answered, (output) => output.once);
  for (const { name, path, once } of spec.outputs) if (once && given[name] === undefined) throw missing(spec, name, path);
  return given;
}

function pick(spec: ResourceSpec, { item }: Found, which: (output: ResourceSpec['outputs'][number]) => boolean): Record<string, Scalar> {
  return Object.fromEntries(
    spec.outputs.filter(which).flatMap(({ name, path }) => {
      const value = valueAt(item, path);
      return value === undefined || value === null ? [] : [[name, asScalar(value)]];
    }),
  );
}

const missing = ({ label }: ResourceSpec, name: string, path: string): LockkeeperError =>
  new LockkeeperError({ code: 'PROVIDER_RESPONSE', message: `${label} has no value at \`${path}\` for the output \`${name}\`.` });
