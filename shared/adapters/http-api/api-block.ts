import { z } from 'zod';
import { LockkeeperError } from '../../errors/error.ts';
import { didYouMean } from '../../errors/nearest.ts';
import { isPlainMap, listed, quoted } from '../../errors/quoted.ts';
import type { Params, ProviderBlock } from '../../plan/types.ts';

/**
 * `providers.http`: one block for each API that lines speak to. A block names its credentials by variable and holds none. What makes the
 * resources behind it one thing is its address and, where that does not say it, `account`: neither headers nor the names of variables do.
 */

const written = (pattern: RegExp, error: string) => z.string().regex(pattern, { error, abort: true });

const variable = written(/^[A-Za-z_][A-Za-z0-9_]*$/, 'this takes the name of a variable, as in `UNLEASH_TOKEN`');
const credentialVariable = written(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  'this takes the name of the variable that holds the credential, never the credential, as in `UNLEASH_TOKEN`',
).refine(
  (name) => /(TOKEN|SECRET|PASSWORD|PASSWD|_KEY|APIKEY)$/i.test(name),
  'a credential’s variable ends with `TOKEN`, `SECRET`, `PASSWORD`, `PASSWD`, `_KEY` or `APIKEY`, so that it is told from others',
);

/** Headers that the client writes itself, or that say how the connection is used. */
const ownHeaders =
  /^(accept|accept-encoding|connection|content-length|content-type|cookie|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/i;
const headerName = written(/^[A-Za-z0-9!#$%&'*+.^_|~-]+$/, 'this takes the name of a header, as in `X-Api-Key`').refine(
  (name) => !ownHeaders.test(name) && !/^proxy-/i.test(name),
  'this header is written by Lockkeeper itself: remove it',
);
const plainHeader = headerName.refine(
  (name) => !/(authorization|token|secret|password|api-?key)$/i.test(name),
  'a header with this name carries a credential: name its variable in `auth` instead',
);

const auth = z
  .union([
    z.strictObject({ bearer_env: credentialVariable }),
    z.strictObject({ header: headerName, value_env: credentialVariable }),
    z.strictObject({ basic: z.strictObject({ user_env: variable, password_env: credentialVariable }) }),
  ])
  .meta({
    description:
      'How requests prove who sends them, by the names of variables: `{ bearer_env }`, `{ header, value_env }` or `{ basic: { user_env, password_env } }`. Left out: they do not.',
  });

const address = z.string().refine(isAddress, 'write an http or https address without a user, a query or a fragment, as in `https://api.example.com/v1`');

function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.password === '' && !/[?#@]/.test(text);
}

export const apiBlock = z
  .strictObject({
    base_url: address.meta({ description: 'Where the API is. Every path of a line goes below it.' }),
    base_url_env: written(/^[A-Za-z_][A-Za-z0-9_]*_URL$/, 'this takes the name of a variable that ends with `_URL`')
      .optional()
      .meta({ description: 'A variable that replaces `base_url` where it is set beside Lockkeeper. What it says is held to policy in the same way.' }),
    account: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Which account or project of the API this is, where one address serves several: part of what its resources are.' }),
    auth: auth.optional(),
    headers: z.record(plainHeader, z.string()).optional().meta({ description: 'Further headers of every request. Nothing secret.' }),
    encoding: z.enum(['json', 'form']).optional().meta({ description: 'How bodies are written. Answers are always JSON. Left out: `json`.' }),
    production: z.boolean().optional().meta({ description: 'Whether every line through this block writes `production`, whatever the environment of its run.' }),
  })
  .refine((block) => block.auth === undefined || !/^http:/i.test(block.base_url), {
    path: ['base_url'],
    error: 'a credential would go over the network in clear: write `https://`',
  });

export type ApiBlock = z.infer<typeof apiBlock>;

/** The adapter's block in the plan file. */
export const provider = z.record(written(/^[a-z][a-z0-9_-]*$/, 'an API is named with lower-case letters, digits, `_` and `-`, a letter first'), apiBlock);

/**
 * The block narrowed to the one API a line names, its address resolved (R1.76).
 *
 * @throws LockkeeperError PLAN_INVALID when there is no such API, or its variable holds no address.
 */
export function providerFor(
  blocks: ProviderBlock,
  { api }: Params,
  variableOf: (name: string) => string | undefined,
  adapter: 'http' | 'manual' = 'http',
): ProviderBlock {
  const found = typeof api === 'string' && Object.hasOwn(blocks, api) ? blocks[api] : undefined;
  if (typeof api !== 'string' || !isPlainMap(found)) throw unknownApi(adapter, String(api), Object.keys(blocks));
  const { base_url_env: name, ...block } = found as ProviderBlock;
  const replaced = typeof name === 'string' ? variableOf(name) : undefined;
  if (replaced === undefined || replaced === '') return { [api]: block };
  if (apiBlock.safeParse({ ...block, base_url: replaced }).success) return { [api]: { ...block, base_url: replaced } };
  const message = `provider block ${quoted(`${adapter}.${api}`)}: ${quoted(String(name))} is set, and is no address that \`base_url\` takes`;
  throw new LockkeeperError({ code: 'PLAN_INVALID', message, details: { api } });
}

function unknownApi(adapter: string, api: string, known: readonly string[]): LockkeeperError {
  const instead = known.length === 0 ? 'add one' : `use ${listed(known, 'or')}, or add it`;
  const message = `\`providers.${adapter}\` has no API ${quoted(api)}${didYouMean(api, known)}: ${instead}`;
  return new LockkeeperError({ code: 'PLAN_INVALID', message, details: { api } });
}

/**
 * The one API of a narrowed block, as a line or a ledger entry carries it.
 *
 * @throws LockkeeperError PLAN_INVALID for anything else.
 */
export function apiOf(narrowed: ProviderBlock): ApiBlock {
  const [found, ...others] = Object.values(narrowed);
  const judged = apiBlock.safeParse(found);
  if (judged.success && others.length === 0) return judged.data;
  throw new LockkeeperError({ code: 'PLAN_INVALID', message: 'The line’s part of `providers.http` is not one API’s block.' });
}

/** The API's address in one spelling, without a slash at its end. */
export const baseOf = ({ base_url }: Pick<ApiBlock, 'base_url'>): string => new URL(base_url).href.replace(/\/+$/, '');

/** What makes resources behind an API one thing (R1.74). A header or the name of a credential's variable is none of it. */
export function identityOf(narrowed: ProviderBlock): Record<string, string> {
  const block = apiOf(narrowed);
  return { base_url: baseOf(block), ...(block.account === undefined ? {} : { account: block.account }) };
}

/** The environment that lines through this block write (R1.26). A line whose API is not there yet is told so elsewhere. */
export function writesEnvironment(narrowed: Params | ProviderBlock): string | undefined {
  const [block] = Object.values(narrowed);
  return isPlainMap(block) && block['production'] === true ? 'production' : undefined;
}
