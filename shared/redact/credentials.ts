const credentialName = /(TOKEN|SECRET|PASSWORD|PASSWD|_KEY|APIKEY)$/i;

/** Whether an environment variable of this name holds a credential. */
export const isCredentialName = (name: string): boolean => credentialName.test(name);

/**
 * What a program that we start may see of an environment: everything but credentials, which are none of its business. A hook or a helper
 * that it runs would have them as well.
 *
 * @param needs names of those that it does need.
 */
export function withoutCredentials(environment: Readonly<Record<string, string | undefined>>, needs = /^$/): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => needs.test(name) || (!isCredentialName(name) && credentialParts(value ?? '').length === 0)),
  );
}

/** The credentials inside a URL or a connection string: password as written and decoded; of `https://token@host` the token. */
export function credentialParts(value: string): string[] {
  const raw = [...userinfo(value), ...captured(value, /[?&](?:password|pass|pwd)=([^&#\s]+)/gi), ...assigned(value)];
  return [...new Set(raw.flatMap((part) => [part, decoded(part)]))].filter((part) => part !== '' && part !== value);
}

function userinfo(value: string): string[] {
  const found = /^\s*([a-z][a-z0-9+.-]*):\/\/([^/?#\s]*)@/i.exec(value);
  const scheme = found?.[1];
  const info = found?.[2];
  if (!scheme || !info) return [];
  const colon = info.indexOf(':');
  if (colon >= 0) return [info.slice(colon + 1)];
  return /^https?$/i.test(scheme) ? [info] : [];
}

/** `password=…` of a key-value connection string, quoted or not. */
function assigned(value: string): string[] {
  return captured(value, /(?:^|[\s;])(?:password|pwd)\s*=\s*('(?:[^'\\]|\\.)*'|[^\s;]+)/gi).map((part) => part.replace(/^'(.*)'$/s, '$1'));
}

function captured(value: string, pattern: RegExp): string[] {
  return [...value.matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
