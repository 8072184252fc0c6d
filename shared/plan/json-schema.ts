import { z } from 'zod';
import type { Op, OpRegistry } from '../engine/op.ts';
import { lineKeys, wholeFile } from './schema.ts';

type Json = Record<string, unknown>;

const options = { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' } as const;

/**
 * The JSON Schema (draft 2020-12) of `release.plan.yaml`, for editors. With a registry, a line of a known op takes that op's
 * parameters and nothing else, and a provider block that adapter's keys; a line of an op that is not known takes any value.
 */
export function planJsonSchema(registry?: OpRegistry): Json {
  const schema = z.toJSONSchema(wholeFile, options) as Json;
  const named = { $schema: schema['$schema'], title: 'release.plan.yaml', ...schema };
  return registry === undefined ? named : withOps(named, registry);
}

function withOps(schema: Json, registry: OpRegistry): Json {
  const definitions = { ...(schema['$defs'] as Json) };
  const line = definitions['line'] as Json;
  const lineProperties = Object.fromEntries(Object.entries(line['properties'] as Json).filter(([name]) => lineKeys.includes(name)));
  const rules: Json[] = [];
  const blocks: Json = {};
  for (const op of allOps(registry)) {
    const name = `${op.adapter}.${op.name}`;
    definitions[name] = opLine(op, lineProperties, definitions);
    const is = { properties: { adapter: { const: op.adapter }, op: { const: op.name } }, required: ['adapter', 'op'] };
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema; the object is data and never awaited.
    rules.push({ if: is, then: { $ref: `#/$defs/${name}` } });
    blocks[op.adapter] ??= definitionOf(op.provider, definitions);
  }
  definitions['line'] = { ...line, allOf: rules };
  const properties = { ...(schema['properties'] as Json) };
  properties['providers'] = { ...(properties['providers'] as Json), properties: blocks };
  return { ...schema, properties, $defs: definitions };
}

const allOps = (registry: OpRegistry): readonly Op[] =>
  registry.adapters().flatMap((adapter) => registry.ops(adapter).flatMap((name) => registry.find(adapter, name) ?? []));

/** The keys of every line and those of the op in one closed map. */
function opLine(op: Op, lineProperties: Json, definitions: Json): Json {
  const params = definitionOf(op.params, definitions);
  return { ...params, properties: { ...lineProperties, ...(params['properties'] as Json | undefined) } };
}

/** One schema as JSON Schema; what it shares with others goes to `definitions`. */
function definitionOf(schema: z.ZodType, definitions: Json): Json {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, options) as Json;
  Object.assign(definitions, $defs as Json | undefined);
  return own;
}
