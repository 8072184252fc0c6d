import { z } from 'zod';
import type { Op } from '../../shared/engine/op.ts';
import { code, table } from './markdown.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** One op of the reference page: parameters, outputs, provider block and credential, as the op itself declares them. */
export function opSection(op: Op, about: string): string {
  const params = fields(op.params, ['Parameter', 'Required', 'Takes', 'About']);
  const block = fields(op.provider, [`Key of \`providers.${op.adapter}\``, 'Required', 'Takes', 'About']);
  const outputs = table(
    ['Output', 'There', 'About'],
    Object.entries(op.outputs).map(([name, { available, event, sensitive, about }]) => [
      code(name),
      available === 'immediate' ? 'at once' : `after the ${event ?? 'outside event'}`,
      sensitive ? `${about} Sensitive: never shown.` : about,
    ]),
  );
  const hasOutputs = Object.keys(op.outputs).length > 0;
  return [
    `### ${code(`${op.adapter}.${op.name}`)}`,
    about,
    params ?? 'No parameters.',
    hasOutputs ? outputs : 'No outputs.',
    block ?? `No provider block.`,
    credentials(op),
  ].join('\n\n');
}

function credentials({ credentials, baseUrl }: Op): string {
  if (!baseUrl) return 'Credential and address are those of the API’s block.';
  if (credentials.length === 0) return 'No credential.';
  const needed = credentials
    .map(({ variable, createAt }) => (createAt === undefined ? code(variable) : `${code(variable)}, created at <${createAt}>`))
    .join('; ');
  return `Credential: ${needed}. ${code(baseUrl.variable)} replaces ${code(baseUrl.default)}.`;
}

/** The properties of a map's schema as a table; undefined where it has none. */
function fields(schema: z.ZodType, head: readonly string[]): string | undefined {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const rows = Object.entries(properties).map(([name, property]) => [
    code(name),
    required.includes(name) ? 'yes' : 'no',
    takes(property),
    property.description ?? '',
  ]);
  return rows.length === 0 ? undefined : table(head, rows);
}

/** What a parameter takes, in words. */
function takes(property: JsonSchema): string {
  if (typeof property.additionalProperties === 'object') return `map of names to ${takes(property.additionalProperties)}`;
  const choices = property.anyOf ?? [property];
  const enumeration = choices.flatMap((choice) => choice.enum ?? []);
  if (enumeration.length > 0) return enumeration.map(code).join(', ');
  const types = choices.flatMap((choice) => choice.type ?? []).map((type) => (type === 'string' ? 'text' : type));
  const forms = choices.some((choice) => choice.$ref?.endsWith('/from'));
  return `${types.join(', ')}${forms ? ' or a value form' : ''}`;
}
