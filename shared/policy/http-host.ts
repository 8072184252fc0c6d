import { isPlainMap } from '../errors/quoted.ts';
import type { ActiveLine } from '../plan/types.ts';
import { notPublicHost } from './public-address.ts';

/**
 * The host a line reaches that names an API by its address: an `http` line, or a manual step that is looked at. In lower case, with the port where it is not the scheme's own: that of the API block its `api`
 * names. Undefined: it cannot be told from the plan alone.
 */
export function hostOf({ params, provider }: ActiveLine): string | undefined {
  const api = apiNameOf(params);
  const block = typeof api === 'string' && Object.hasOwn(provider, api) ? provider[api] : undefined;
  if (!isPlainMap(block) || block['base_url_env'] !== undefined) return undefined;
  const address = block['base_url'];
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && host !== '' ? host : undefined;
}

/** The API that a line speaks to, by its name in the provider block; undefined for one that speaks to none. */
export function apiNameOf({ api, verify }: ActiveLine['params']): unknown {
  return isPlainMap(verify) ? verify['api'] : api;
}

/** Why no policy can let a line reach its host, as far as the host's spelling tells: the kind of address it is. */
export function neverReached(host: string): string | undefined {
  return notPublicHost(new URL(`http://${host}`).hostname);
}
