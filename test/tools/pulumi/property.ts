/** A value of a resource. A secret is wrapped as Pulumi wraps it, with its text encrypted by turning it about. */
export type Property = null | string | number | boolean | readonly Property[] | { readonly [key: string]: Property };

const wrapKey = '4dabf18193072939515e22adb298388d';
const signature = '1b47061264138c4ac30d75fd1eb44270';

export const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

export const secret = (value: Property): Property => ({ [wrapKey]: signature, ciphertext: `v1:${Buffer.from(JSON.stringify(value)).toString('hex')}` });

export const isSecret = (value: unknown): value is { ciphertext: string } =>
  typeof value === 'object' && value !== null && (value as Record<string, unknown>)[wrapKey] === signature;

export const opened = ({ ciphertext }: { ciphertext: string }): Property => JSON.parse(Buffer.from(ciphertext.slice(3), 'hex').toString('utf8')) as Property;

/** Every secret in a value as `made` says. */
export function secretsAs(value: Property, made: (secret: { ciphertext: string }) => Property): Property {
  if (isSecret(value)) return made(value);
  if (Array.isArray(value)) return value.map((one: Property) => secretsAs(one, made));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, secretsAs(held as Property, made)]));
}

/** As an event writes it, as a document does, as an export with `--show-secrets` does, and in clear. */
export const wrapped = (value: Property): Property => secretsAs(value, () => ({ [wrapKey]: signature, ciphertext: '[secret]' }));
export const blinded = (value: Property): Property => secretsAs(value, () => '[secret]');
export const disclosed = (value: Property): Property => secretsAs(value, (one) => ({ [wrapKey]: signature, plaintext: JSON.stringify(opened(one)) }));
export const inClear = (value: Property): Property => secretsAs(value, opened);
