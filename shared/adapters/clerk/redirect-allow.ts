import { z } from 'zod';
import type { Applied, LiveResource, Op, OpCall, Reading, ResourceChange } from '../../engine/op.ts';
import { fieldHashes } from '../../engine/value.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { value } from '../../plan/value-forms.ts';
import { sha256 } from '../digest.ts';
import { refusedAsExisting } from '../http/refused-create.ts';
import { keyText, oneValue } from '../param.ts';
import { baseUrl, credential, identity, provider } from './provider.ts';
import { createRedirectUrl, deleteRedirectUrl, findRedirectUrl, listRedirectUrls, type RedirectUrl } from './redirect-url.ts';

type Live = { readonly found?: RedirectUrl };

const keyOf = (url: string): string => `redirect:${url}`;

/** `clerk.redirect_allow`: one URL on the list of those that Clerk may send a person back to. It is there or not: nothing of it can be updated. */
export const redirectAllow: Op<Live> = {
  adapter: 'clerk',
  name: 'redirect_allow',
  version: 1,
  credentials: [credential],
  baseUrl,
  provider,
  params: z.strictObject({ url: value(z.string().min(1)).describe('The URL to allow, exactly as the application sends it.') }),
  outputs: { id: { available: 'immediate', about: "The entry's id." } },
  keyParams: ['url'],
  nothingLive: {},
  defaults: (params) => params,
  writesEnvironment: () => undefined,
  identity,
  read,
  diff,
  apply,
  lookup: async (resource, call) => {
    const found =
      resource.id === undefined ? (await listRedirectUrls(call)).find((one) => keyOf(one.url) === resource.key) : await findRedirectUrl(call, resource.id);
    return found === undefined ? undefined : { ...resourceOf(found), key: resource.key };
  },
  destroy: (resource, call) => deleteRedirectUrl(call, resource.id),
  listParams: [],
  list: async (_params, call) => (await listRedirectUrls(call)).map(resourceOf),
  adopt: (keys) => keys.map((key) => ({ id: 'redirect', params: { url: key.slice(keyOf('').length) }, keys: [key] })),
};

async function read(params: Parameters<Op['read']>[0], call: OpCall): Promise<Reading<Live>> {
  const url = keyText(params, 'url');
  const found = (await listRedirectUrls(call)).find((one) => one.url === url);
  if (found === undefined) return { resources: [], outputs: {}, live: {} };
  return { resources: [resourceOf(found)], outputs: { id: found.id }, live: { found } };
}

function diff(params: Parameters<Op['diff']>[0], { live }: Reading<Live>): readonly ResourceChange[] {
  const url = keyText(params, 'url');
  const base = { key: keyOf(url), label: labelOf(url), hash: sha256(url) };
  if (live.found !== undefined) return [{ ...base, kind: 'unchanged', fields: [] }];
  return [
    {
      ...base,
      kind: 'create',
      fields: [{ path: 'url', before: { state: 'absent' }, after: { state: 'literal', value: url }, ...fieldHashes(undefined, oneValue(params, 'url')) }],
    },
  ];
}

async function apply(params: Parameters<Op['apply']>[0], reading: Reading<Live>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied> {
  if (!changes.some((change) => change.kind === 'create')) return { done: true, resources: reading.resources, created: [], outputs: reading.outputs };
  const made = await create(keyText(params, 'url'), call);
  return { done: true, resources: [resourceOf(made)], created: [keyOf(made.url)], outputs: { id: made.id } };
}

/** Clerk refuses a URL it has in words that differ by version: whatever it says, the list tells whether the URL is there. */
async function create(url: string, call: OpCall): Promise<RedirectUrl> {
  try {
    return await refusedAsExisting(createRedirectUrl(call, url));
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError) || thrown.code !== 'PROVIDER_INVALID') throw thrown;
    if (!(await listRedirectUrls(call)).some((one) => one.url === url)) throw thrown;
    throw new LockkeeperError({ ...thrown.problem, code: 'PROVIDER_CONFLICT', details: { ...thrown.problem.details, exists: true } }, { cause: thrown });
  }
}

function resourceOf(found: RedirectUrl): LiveResource {
  const createdAt = found.created_at === undefined ? {} : { createdAt: found.created_at };
  return { key: keyOf(found.url), id: found.id, hash: sha256(found.url), label: labelOf(found.url), ...createdAt };
}

const labelOf = (url: string): string => `Clerk redirect ${url}`;
