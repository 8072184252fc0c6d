import { stackName } from '../template/place.ts';
import type { Declared, Identity } from './kind.ts';

/** The name the template gives in `property`, else one made of stack and logical id. */
export function physicalName(declared: Declared, property: string): string {
  const given = declared.property(property);
  return typeof given === 'string' ? given : `${stackName}-${declared.id}`;
}

/** An identity whose attributes are a fixed table. */
export function identityOf(name: string, ref: string, attributes: Readonly<Record<string, string>>): Identity {
  return { name, ref, attribute: (wanted) => (Object.hasOwn(attributes, wanted) ? attributes[wanted] : undefined) };
}
