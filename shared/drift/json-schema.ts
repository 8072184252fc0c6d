import { driftSchemaId } from './document.ts';
import { engines, reads, statuses, unobservedReasons, verdictSources, verdicts } from './record.ts';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string', minLength: 1 };
const anyText = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const count = { type: 'integer', minimum: 0 };
const map = (properties: Json, required: readonly string[] = []): Json => ({ type: 'object', properties, required, additionalProperties: true });

const unobserved = map({ reason: { enum: unobservedReasons }, detail: anyText, queried: anyText }, ['reason']);

const attribute = map(
  { path: text, before: {}, after: {}, sensitive: { type: 'boolean' }, fingerprints: map({ key: text, before: text, after: text }, ['key']) },
  ['path'],
);

const ownership = map(
  {
    verdict: { enum: verdicts },
    by: { enum: verdictSources },
    markerOnObject: { type: 'boolean' },
    ownedBy: anyText,
    adopt: { anyOf: [{ type: 'boolean' }, anyText] },
  },
  ['verdict', 'by'],
);

const record: Json = map(
  {
    member: text,
    engine: { enum: engines },
    address: text,
    resourceType: text,
    node: { anyOf: [text, { type: 'null' }] },
    instanceOf: text,
    observedAt: time,
    read: { enum: reads },
    fellBackFrom: text,
    status: { enum: statuses },
    unobserved,
    attributes: { type: 'array', items: attribute },
    attributesUnobserved: unobserved,
    ownership,
    evidence: map({ tool: anyText, version: anyText, command: anyText, engineCode: anyText }),
  },
  ['member', 'engine', 'address', 'node', 'observedAt', 'read', 'status'],
);

const schema: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: driftSchemaId,
  title: 'drift document, v1',
  ...map(
    {
      $schema: anyText,
      drift: { const: 'v1' },
      lockkeeper: anyText,
      records: { type: 'array', items: { $ref: '#/$defs/record' } },
      counts: map(Object.fromEntries(statuses.map((status) => [status, count])), statuses),
      contract: { const: 1 },
      member: text,
      error: map({ code: text, message: text }, ['code', 'message']),
    },
    ['$schema', 'drift', 'records', 'counts'],
  ),
  $defs: { record },
};

/**
 * The JSON Schema (draft 2020-12) of the document, for whoever reads one. It tells the form; the rules that fields owe each other, as that
 * a state read never says in-sync, are `driftRecord`'s. Other fields are allowed everywhere: within `v1` fields are added.
 */
export const driftJsonSchema = (): Json => schema;
