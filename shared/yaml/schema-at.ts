import { z } from 'zod';

/**
 * The keys a schema takes at a path: what a misspelt key may have been meant as. Every branch of a union counts.
 * A path that leads nowhere, or to a map with free keys, has none.
 */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  return [...new Set(schemasAt(schema, path).flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : [])))];
}

/** How a value at a path may look: the first of the `examples` its schema was given. Undefined: none was. */
export function exampleAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  const [example] = schemasAt(schema, path).flatMap((one) => one.meta()?.['examples'] ?? []);
  return typeof example === 'string' ? example : undefined;
}

function schemasAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly z.ZodType[] {
  let here: readonly z.ZodType[] = unwrapped(schema);
  for (const step of path) here = here.flatMap((one) => below(one, step)).flatMap(unwrapped);
  return here;
}

function below(schema: z.ZodType, step: PropertyKey): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) {
    const found = schema.shape[String(step)];
    return found === undefined ? [] : [found as z.ZodType];
  }
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  return [];
}

/** The schemas a wrapper stands for: optional, default, union and their like say nothing about keys themselves. */
function unwrapped(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly) return unwrapped(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodLazy) return unwrapped(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => unwrapped(option as z.ZodType));
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap((side) => unwrapped(side as z.ZodType));
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in as z.ZodType);
  return [schema];
}
