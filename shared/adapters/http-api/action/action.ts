import { z } from 'zod';
import { canonicalJson } from '../../../approvals/canonical-json.ts';
import type { Op, OpCall, ProviderRequest, ResourceChange, StoredRequest } from '../../../engine/op.ts';
import { leaves } from '../../../engine/resolve.ts';
import { fieldHashes, type Resolved, type ResolvedParams, sideOf, type Value } from '../../../engine/value.ts';
import { LockkeeperError } from '../../../errors/error.ts';
import { sha256 } from '../../digest.ts';
import { noResource } from '../../no-resource.ts';
import { invalid } from '../../param.ts';
import { apiOf, identityOf, provider, providerFor, writesEnvironment } from '../api-block.ts';
import { connection, credentialsFor } from '../auth.ts';
import { filled, named } from '../placeholders.ts';
import { literalAt, numbersAt, partAt, plain, textAt } from '../value-tree.ts';
import { variablesOf } from '../variables.ts';
import { judged, params } from './params.ts';

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `http.action`: one request that is sent when its trigger changes, and not because anything at the API differs: nothing is ever read.
 * At least once: where the API takes an idempotency key, once.
 */
export const action: Op<undefined> = {
  ...noResource,
  adapter: 'http',
  name: 'action',
  version: 1,
  credentialsFor,
  connection,
  provider,
  providerFor,
  params,
  keyParams: ['vars'],
  defaults: judged,
  writesEnvironment: (_params, block) => writesEnvironment(block),
  identity: async (call) => identityOf(call.provider),
  diff,
  action: { send, undo, sendUndo },
};

const methodOf = (given: ResolvedParams, ...at: readonly string[]): Method => (textAt(given, ...at, 'method') ?? 'POST') as Method;

/** One change: the request as the file has it. Its hash is that of the trigger, once everything of it is known. */
function diff(given: ResolvedParams): readonly ResourceChange[] {
  const method = methodOf(given);
  const path = named(textAt(given, 'path') ?? '', variablesOf(given));
  const shown = ['body', 'trigger'].flatMap((name) => {
    const part = partAt(given, name);
    return part === undefined ? [] : leaves({ [name]: part });
  });
  const request: Value = { kind: 'known', value: `${method} ${path}`, sensitive: false };
  const fields = [{ path: 'request', value: request }, ...shown].map(({ path: at, value }) => ({
    path: at,
    before: { state: 'absent' } as const,
    after: sideOf(value),
    ...fieldHashes(undefined, value),
  }));
  const isKnown = leaves(given).every(({ value }) => value.kind === 'known');
  const key = `action:${method} ${path}`;
  return [{ key, kind: 'create', label: `${textAt(given, 'api')}: ${method} ${path}`, ...(isKnown ? { hash: triggerOf(given, method, path) } : {}), fields }];
}

function triggerOf(given: ResolvedParams, method: Method, path: string): string {
  const trigger = partAt(given, 'trigger');
  const decides = trigger === undefined ? { method, path, body: bodyOf(given) ?? null } : { trigger: plain(trigger, 'trigger') };
  return sha256(canonicalJson(decides));
}

const bodyOf = (given: ResolvedParams, ...at: readonly string[]): unknown => {
  const body: Resolved | undefined = partAt(given, ...at, 'body');
  return body === undefined ? undefined : plain(body, [...at, 'body'].join('.'));
};

async function send(given: ResolvedParams, call: OpCall, key: string): Promise<void> {
  const type = textAt(given, 'content_type');
  const request = { method: methodOf(given), path: filled(textAt(given, 'path') ?? '', variablesOf(given)), body: bodyOf(given) };
  const done = numbersAt(given, 'done_status');
  await deliver({ ...request, ...(type === undefined ? {} : { contentType: type }) }, call, key, keyHeader(given), done);
}

function undo(given: ResolvedParams): StoredRequest | undefined {
  const part = partAt(given, 'undo');
  if (part === undefined) return undefined;
  for (const { path, value } of leaves({ undo: part })) {
    if (value.kind === 'known' && value.sensitive) throw invalid(`\`${path}\` is kept until it is sent, so it cannot be sensitive.`);
  }
  const body = bodyOf(given, 'undo');
  const header = keyHeader(given);
  return {
    method: methodOf(given, 'undo'),
    path: filled(textAt(given, 'undo', 'path') ?? '', variablesOf(given)),
    ...(body === undefined ? {} : { body: canonicalJson(body) }),
    ...(header === undefined ? {} : { keyHeader: header }),
  };
}

/** What is gone already has been taken back. */
async function sendUndo({ method, path, body, keyHeader: header }: StoredRequest, call: OpCall, key: string): Promise<void> {
  await deliver({ method: method as Method, path, body: body === undefined ? undefined : (JSON.parse(body) as unknown) }, call, key, header, [404, 410]);
}

function keyHeader(given: ResolvedParams): string | undefined {
  const header = literalAt(given, 'idempotency_key');
  if (header === undefined) return undefined;
  return header === true ? 'Idempotency-Key' : String(header);
}

async function deliver(
  { method, path, body, contentType }: Pick<ProviderRequest<unknown>, 'path' | 'body' | 'contentType'> & { readonly method: Method },
  call: OpCall,
  key: string,
  header: string | undefined,
  done: readonly number[],
): Promise<void> {
  const once = header === undefined ? {} : { headers: { [header]: key }, idempotent: true };
  const typed = contentType === undefined ? {} : { contentType };
  const encoding = apiOf(call.provider).encoding ?? 'json';
  try {
    await call.http.send({ method, path, ...(body === undefined ? {} : { body }), encoding, ...typed, ...once, answer: z.unknown() });
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError)) throw thrown;
    const status = Number(thrown.problem.details?.['status']);
    // It was done, whatever the answer says of it: nobody reads that.
    if ((status >= 200 && status <= 299) || done.includes(status)) return;
    throw thrown;
  }
}
