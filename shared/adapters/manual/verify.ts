import { z } from 'zod';
import { canonicalJson } from '../../approvals/canonical-json.ts';
import type { Connection, CredentialSpec, OpCall } from '../../engine/op.ts';
import { isValue, type ResolvedParams, type Value } from '../../engine/value.ts';
import { LockkeeperError } from '../../errors/error.ts';
import { isPlainMap } from '../../errors/quoted.ts';
import type { Params, ProviderBlock } from '../../plan/types.ts';
import { fromForm, scalar, templateText } from '../../plan/value-forms.ts';
import { providerFor } from '../http-api/api-block.ts';
import { connection } from '../http-api/auth.ts';
import { filled } from '../http-api/placeholders.ts';
import { isField, valueAt } from '../http-api/pointer.ts';
import { known } from '../param.ts';

const field = z.string().min(1).refine(isField, 'a field is a name, or a pointer such as `/data/id` (RFC 6901)');

/** Where a step can be seen to be done: one GET of an API that `providers.manual` describes. */
export const verify = z
  .strictObject({
    api: z.string().min(1).describe('The API, by its name under `providers.manual`.'),
    path: z.string().regex(/^\/(?!\/)[^\s#]*$/, 'a path starts with `/`, below the address of its API, and has no blank and no `#`'),
    match: z.record(field, z.union([scalar, templateText, fromForm])).optional(),
    absent_status: z.array(z.int().min(400).max(599)).optional(),
  })
  .describe(
    'Where it can be seen: `{ api, path, match, absent_status }`. The step counts as done when a GET succeeds and every field of `match` has its value; 404, or a status of `absent_status`, means not yet. It is looked at again with every run.',
  );

/** The block narrowed to the API that is looked at; nothing where the line looks at none. */
export function providerOf(blocks: ProviderBlock, { verify: look }: Params, variableOf: (name: string) => string | undefined): ProviderBlock {
  return isPlainMap(look) ? providerFor(blocks, look as Params, variableOf, 'manual') : {};
}

/** A step that is not looked at has nowhere to ask. */
export function connectionOf(narrowed: ProviderBlock, credential: (spec: CredentialSpec) => string): Connection {
  return Object.keys(narrowed).length === 0 ? { baseUrl: 'https://nowhere.invalid', headers: {} } : connection(narrowed, credential);
}

/** Whether the API shows the step as done; undefined where the line does not say how to look. */
export async function isSeen(given: ResolvedParams, call: OpCall): Promise<boolean | undefined> {
  const look = given['verify'] as ResolvedParams | undefined;
  if (look === undefined) return undefined;
  const vars = Object.entries((given['vars'] ?? {}) as ResolvedParams).flatMap(([name, value]) =>
    isValue(value) ? [[name, known(value, name)] as const] : [],
  );
  const path = filled(known(look['path'] as Value, 'verify.path'), Object.fromEntries(vars));
  const answer = await orAbsent(call.http.send({ method: 'GET', path, answer: z.unknown() }), statusesIn(look));
  if (answer === undefined) return false;
  return Object.entries((look['match'] ?? {}) as Record<string, Value>).every(([at, wanted]) => {
    const found = valueAt(answer.found, at);
    return found !== undefined && wanted.kind === 'known' && canonicalJson(found) === canonicalJson(wanted.value);
  });
}

const statusesIn = (look: ResolvedParams): readonly number[] => {
  const listed = look['absent_status'];
  return Array.isArray(listed) ? listed.map((one) => Number(known(one as Value, 'absent_status'))) : [];
};

async function orAbsent(answer: Promise<unknown>, absent: readonly number[]): Promise<{ readonly found: unknown } | undefined> {
  try {
    return { found: await answer };
  } catch (thrown) {
    if (!(thrown instanceof LockkeeperError)) throw thrown;
    if (thrown.code === 'PROVIDER_NOT_FOUND' || absent.includes(Number(thrown.problem.details?.['status']))) return undefined;
    throw thrown;
  }
}
