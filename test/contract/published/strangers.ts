import { type Description, resolve, type Schema } from '../../sim/published/conform.ts';

/**
 * Members of a value that no part of its schema names. JSON Schema lets them pass where nothing forbids them; a request or a fake
 * that has one was written from something else than the description.
 */
export function strangers(document: Description, schemas: readonly Schema[], value: unknown, at = '$'): string[] {
  const parts = schemas.flatMap((schema) => partsOf(document, schema));
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    return items.length === 0 ? [] : value.flatMap((item, index) => strangers(document, items, item, `${at}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || parts.every((part) => part.properties === undefined)) return [];
  const open = parts.some((part) => part.additionalProperties === true || typeof part.additionalProperties === 'object');
  return Object.entries(value).flatMap(([name, member]) => {
    const known = parts.flatMap((part) => part.properties?.[name] ?? []);
    if (known.length === 0) return open ? [] : [`${at}.${name}: not published`];
    return strangers(document, known, member, `${at}.${name}`);
  });
}

/** A schema and everything it is made of, references followed. */
function partsOf(document: Description, schema: Schema): Schema[] {
  if (schema.$ref !== undefined) return partsOf(document, resolve(document, schema.$ref) as Schema);
  const inner = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return [schema, ...inner.flatMap((part) => partsOf(document, part))];
}
