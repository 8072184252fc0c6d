import { z } from 'zod';
import { policySchema } from './schema.ts';

/** The JSON Schema (draft 2020-12) of `lockkeeper.yaml`, for editors. What names owe each other is the reader's to judge. */
export function policyJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(policySchema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
  return { $schema, title: 'lockkeeper.yaml', ...schema };
}
