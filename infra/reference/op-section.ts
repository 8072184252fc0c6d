import { z } from 'zod';
import type { Op } from '../../shared/engine/op.ts';
import { code, table } from './markdown.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** One op of the reference page: parameters, outputs, provider block and credential, as the op itself declares them. */
export function opSection(op: Op, about: string): string {
  const params = fields(op.params, ['Parameter', 'Required', 'Takes', 'About']);
  const outputs =
    Object.keys(op.outputs).length === 0
      ? op.stack
        ? 'The outputs are those that `outputs` names.'
        : 'No outputs.'
      : table(
          ['Output', 'There', 'About'],
          Object.entries(op.outputs).map(([name, { available, event, sensitive, about }]) => [
            code(name),
            available === 'immediate' ? 'at once' : `after the ${event ?? 'outside event'}`,
            sensitive ? `${about} Sensitive: never shown.` : about,
          ]),
        );
  return [`### ${code(`${op.adapter}.${op.name}`)}`, about, params ?? 'No parameters.', outputs, block(op) ?? `No provider block.`, credentials(op)].join(
    '\n\n',
  );
}

function credentials({ credentials, baseUrl, stack }: Op): string {
  if (stack) return 'No credential: what the tool is given the policy says.';
  if (!baseUrl) return 'Credential and address are those of the API’s block.';
  if (credentials.length === 0) return 'No credential.';
  const needed = credentials
    .map(({ variable, createAt }) => (createAt === undefined ? code(variable) : `${code(variable)}, created at <${createAt}>`))
    .join('; ');
  return `Credential: ${needed}. ${code(baseUrl.variable)} replaces ${code(baseUrl.default)}.`;
}

/** The properties of a map's schema as a table, those of maps inside it below their own; undefined where it has none. */
function fields(schema: z.ZodType, head: readonly string[]): string | undefined {
  const rows = rowsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, '');
  return rows.length === 0 ? undefined : table(head, rows);
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, above: string): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => [
    [code(above + name), required.includes(name) ? 'yes' : 'no', takes(property), property.description ?? ''],
    ...rowsOf(property, `${above}${name}.`),
  ]);
}

/** A block that is one of several by name: its keys stand below `<api>`. */
function block({ adapter, provider }: Op): string | undefined {
  const { additionalProperties: each } = z.toJSONSchema(provider, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const head = (of: string) => [`Key of ${code(of)}`, 'Required', 'Takes', 'About'];
  if (typeof each !== 'object') return fields(provider, head(`providers.${adapter}`));
  return table(head(`providers.${adapter}.<api>`), rowsOf(each, ''));
}

const kinds: Readonly<Record<string, string>> = { string: 'text', object: 'map', array: 'list', integer: 'number' };

/** What a parameter takes, in words. */
function takes(property: JsonSchema): string {
  if (typeof property.additionalProperties === 'object') return `map of names to ${takes(property.additionalProperties)}`;
  const choices = property.anyOf ?? [property];
  const enumeration = choices.flatMap((choice) => choice.enum ?? []);
  if (enumeration.length > 0)
    return [...enumeration.map((one) => code(String(one))), ...(choices.some(({ type }) => type === 'array') ? ['list'] : [])].join(', ');
  if (choices.some((choice) => choice.$ref?.endsWith('/tree'))) return 'values, lists and maps of values';
  const types = choices.flatMap((choice) => choice.anyOf ?? [choice]).flatMap((choice) => choice.type ?? ('const' in choice ? 'boolean' : []));
  const forms = choices.some((choice) => choice.$ref?.endsWith('/from'));
  return `${[...new Set(types.map((type) => kinds[type] ?? type))].join(', ')}${forms ? ' or a value form' : ''}`;
}
