import type { Resolution, SecretSource } from './source.ts';

/** A `{ secret: … }` of the plan file, taken apart. `rest` of a scheme that is not served yet is only known to have its shape. */
export type SecretReference =
  | { readonly scheme: 'env'; readonly name: string }
  | { readonly scheme: 'doppler' | 'op' | 'aws-sm' | 'ssm' | 'gcp-sm'; readonly rest: string };

const shapes = {
  env: /^[A-Za-z_][A-Za-z0-9_]*$/,
  doppler: /^[^/\s]+\/[^/\s]+\/[^/\s]+$/,
  op: /^[^/]+\/[^/]+\/[^/]+(\/[^/]+)?$/,
  'aws-sm': /^[^#\s]+(#[^#\s]+)?$/,
  ssm: /^[^\s]+$/,
  'gcp-sm': /^[^/\s]+\/[^/\s]+(\/[^/\s]+)?$/,
} as const;

/** Undefined: no reference of a known scheme, or not of its shape. A segment never starts with `-`: some schemes are served by commands. */
export function parseReference(text: string): SecretReference | undefined {
  const found = /^([a-z][a-z-]*):\/\/(.+)$/.exec(text);
  const scheme = found?.[1];
  const rest = found?.[2];
  if (scheme === undefined || rest === undefined || !isScheme(scheme)) return undefined;
  if (!shapes[scheme].test(rest) || rest.split(/[/#]/).some((segment) => segment.startsWith('-'))) return undefined;
  return scheme === 'env' ? { scheme, name: rest } : { scheme, rest };
}

const isScheme = (text: string): text is keyof typeof shapes => Object.hasOwn(shapes, text);

/** The value a reference stands for in an environment. Only `env://` is served yet; the rest is not found, saying so. */
export async function resolveReference(source: SecretSource, environment: string, text: string): Promise<Resolution> {
  const reference = parseReference(text);
  if (reference === undefined) return { found: false, why: 'a secret is named by its address; write env://NAME' };
  if (reference.scheme !== 'env') return { found: false, why: `the scheme ${reference.scheme}:// is not available in this version yet; write env://NAME` };
  return source.resolve(environment, reference.name);
}
