import type { Connection, CredentialSpec } from '../../engine/op.ts';
import type { ProviderBlock } from '../../plan/types.ts';
import { type ApiBlock, apiBlock, apiOf, baseOf } from './api-block.ts';

/** The variables that a narrowed block names as credentials. */
export function credentialsFor(narrowed: ProviderBlock): readonly CredentialSpec[] {
  return Object.values(narrowed).flatMap((block) => {
    const judged = apiBlock.safeParse(block);
    return judged.success ? variablesOf(judged.data.auth).map((variable) => ({ variable })) : [];
  });
}

function variablesOf(auth: ApiBlock['auth']): readonly string[] {
  if (auth === undefined) return [];
  if ('bearer_env' in auth) return [auth.bearer_env];
  if ('value_env' in auth) return [auth.value_env];
  return [auth.basic.user_env, auth.basic.password_env];
}

/** Where requests through a narrowed block go, with its headers and its credential. */
export function connection(narrowed: ProviderBlock, credential: (spec: CredentialSpec) => string): Connection {
  const block = apiOf(narrowed);
  return { baseUrl: baseOf(block), headers: { ...block.headers, ...authHeaders(block.auth, (variable) => credential({ variable })) } };
}

function authHeaders(auth: ApiBlock['auth'], value: (variable: string) => string): Record<string, string> {
  if (auth === undefined) return {};
  if ('bearer_env' in auth) return { authorization: `Bearer ${value(auth.bearer_env)}` };
  if ('value_env' in auth) return { [auth.header]: value(auth.value_env) };
  const { user_env, password_env } = auth.basic;
  return { authorization: `Basic ${Buffer.from(`${value(user_env)}:${value(password_env)}`, 'utf8').toString('base64')}` };
}
