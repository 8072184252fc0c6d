import type { Problem } from '../errors/error.ts';
import type { World } from '../run/world.ts';
import type { LiveResource } from './op.ts';

type Redacting = Pick<World, 'redactor'>;

/**
 * What makes an identity is stored and shown everywhere: keys, labels, and the parent objects that are locked. One that carries a
 * registered value is refused before anything is written (I1).
 *
 * @param what what would carry it, as a sentence's subject.
 */
export function secretInIdentity({ redactor }: Redacting, what: string, texts: readonly string[]): Problem | undefined {
  const carrying = texts.find((text) => redactor.contains(text));
  if (carrying === undefined) return undefined;
  return { code: 'SECRET_IN_IDENTITY', message: `${what} would carry a secret value: ${redactor.mask(carrying)}.` };
}

/**
 * Id and label of a resource as an entry may keep them. An id that carries a value, which nobody knew before the provider made it, is
 * left out: the resource is found by its key, as an interrupted create is.
 */
export function storable({ redactor }: Redacting, { id, label }: Pick<LiveResource, 'id' | 'label'>): { readonly id?: string; readonly label: string } {
  return redactor.contains(id) ? { label: redactor.mask(label) } : { id, label: redactor.mask(label) };
}

const because = 'a secret value stands there, so it is kept nowhere in clear';

/** What a person is told of ids that are not stored. */
export function withheldIds({ redactor }: Redacting, resources: readonly Pick<LiveResource, 'id' | 'key'>[]): Record<string, string> {
  const ids = resources.filter(({ id }) => redactor.contains(id)).map(({ key }) => `the id of ${redactor.mask(key)}`);
  return ids.length === 0 ? {} : { withheld_ids: `${ids.join(', ')}: ${because}` };
}

/** The same of outputs that no op marks. */
export const withheldOutputs = (names: readonly string[]): Record<string, string> =>
  names.length === 0 ? {} : { withheld_outputs: `${names.join(', ')}: ${because}` };
