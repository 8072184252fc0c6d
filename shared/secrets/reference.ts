import { listed, quoted } from '../errors/quoted.ts';

/** A `{ secret: … }` of the plan file, taken apart. */
export type SecretReference =
  | { readonly scheme: 'env'; readonly name: string }
  /** `key`: of a secret that is a JSON object, that member alone. */
  | { readonly scheme: 'aws-sm'; readonly id: string; readonly key?: string }
  | { readonly scheme: 'ssm'; readonly name: string }
  | { readonly scheme: 'doppler'; readonly project: string; readonly config: string; readonly name: string }
  /** `address`: the whole text, which is how the command wants it. */
  | { readonly scheme: 'op'; readonly address: string };

export type Scheme = SecretReference['scheme'];

/** How a reference of each scheme is written, and where it is served (ADR 0034). */
export const schemes: Readonly<Record<Scheme, { readonly form: string; readonly where: 'everywhere' | 'terminal'; readonly rest: RegExp }>> = {
  env: { form: 'env://NAME', where: 'everywhere', rest: /^[A-Za-z_][A-Za-z0-9_]*$/ },
  'aws-sm': { form: 'aws-sm://id#KEY', where: 'everywhere', rest: /^[\w/+=.@!:-]+(?:#[^#\s]+)?$/ },
  ssm: { form: 'ssm://name', where: 'everywhere', rest: /^[\w/.:-]+$/ },
  doppler: { form: 'doppler://project/config/NAME', where: 'terminal', rest: /^[\w.-]+\/[\w.-]+\/[\w.-]+$/ },
  op: { form: 'op://vault/item/field', where: 'terminal', rest: /^[^/\p{Cc}]+\/[^/\p{Cc}]+\/[^/\p{Cc}]+(?:\/[^/\p{Cc}]+)?$/u },
};

const isScheme = (text: string): text is Scheme => Object.hasOwn(schemes, text);
const formsServed = (where: 'everywhere' | 'terminal') => Object.values(schemes).flatMap((scheme) => (scheme.where === where ? [quoted(scheme.form)] : []));
const served = `${formsServed('everywhere').join(', ')}; on a terminal also ${formsServed('terminal').join(' and ')}`;

/**
 * The reference of a text. No segment starts with `-`, since some schemes are served by commands: it would be an option there.
 * Undefined: no reference of a known scheme, or not of its form ({@link brokenReference} says which).
 */
export function parseReference(text: string): SecretReference | undefined {
  const parts = partsOf(text);
  if (parts === undefined || !isScheme(parts.scheme)) return undefined;
  const { scheme, rest } = parts;
  if (!schemes[scheme].rest.test(rest) || rest.split(/[/#]/).some((segment) => segment.startsWith('-'))) return undefined;
  return referenceOf(scheme, rest, text);
}

function referenceOf(scheme: Scheme, rest: string, address: string): SecretReference {
  switch (scheme) {
    case 'env':
    case 'ssm':
      return { scheme, name: rest };
    case 'aws-sm': {
      const [id = rest, key] = rest.split('#');
      return key === undefined ? { scheme, id } : { scheme, id, key };
    }
    case 'doppler': {
      const [project = '', config = '', name = ''] = rest.split('/');
      return { scheme, project, config, name };
    }
    case 'op':
      return { scheme, address };
  }
}

/** Of what follows the scheme nothing is known yet, not even that it is no secret. */
function partsOf(text: string): { scheme: string; rest: string } | undefined {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]{0,19}):\/\/(.+)$/s.exec(text) ?? [];
  return scheme === undefined || rest === undefined ? undefined : { scheme, rest };
}

/**
 * What is wrong with a text that {@link parseReference} does not take, and what to write, for a person. What stands there may be the
 * secret itself: of the text nothing but its scheme is told.
 */
export function brokenReference(text: string): string {
  const scheme = partsOf(text)?.scheme;
  if (scheme === undefined) return `a secret is named by its address: write \`{ secret: env://NAME }\`, or one of ${served}`;
  if (!isScheme(scheme)) return `there is no secret source ${quoted(`${scheme}://`)}: use ${served}`;
  return `this is no address that ${quoted(`${scheme}://`)} takes: write ${listed([schemes[scheme].form])}, no part of it empty or starting with \`-\``;
}
