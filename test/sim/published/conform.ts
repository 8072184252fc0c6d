import { readFileSync } from 'node:fs';
import type { Provider } from '../wire/rule.ts';

/** A schema of OpenAPI 3.0, as far as the published descriptions use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly format?: string;
}

/** A parameter of an operation, in its path or its query. */
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly $ref?: string; readonly required?: boolean; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Answered>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Answered {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** The excerpt of a provider's published description that lies beside this file. */
export function description(provider: Provider): Description {
  return JSON.parse(readFileSync(new URL(`${provider}.json`, import.meta.url), 'utf8')) as Description;
}

/**
 * What is wrong with an answer by the published description: a missing property, a wrong type, an unknown value. Empty: nothing.
 * `operation` reads `GET /path/{as}/published`. Throws when the description has no such operation or status.
 */
export function departures(document: Description, operation: string, status: number, body: unknown): string[] {
  const [method = '', path = ''] = operation.split(' ');
  const answered = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
  if (answered === undefined) throw new Error(`the description knows no ${status} for ${operation}`);
  const { content } = answered.$ref === undefined ? answered : (resolve(document, answered.$ref) as Answered);
  const schema = content?.['application/json']?.schema;
  return schema === undefined ? (body === undefined ? [] : ['a body where none is published']) : check(document, schema, body, '$');
}

export function resolve(document: Description, ref: string): unknown {
  const [, , section = '', name = ''] = ref.split('/');
  const found = document.components[section]?.[name];
  if (found === undefined) throw new Error(`the description has no ${ref}`);
  return found;
}

/** What is wrong with a value by a schema, each with the place it is at. Empty: nothing. */
export function check(document: Description, schema: Schema, value: unknown, at: string): string[] {
  if (schema.$ref !== undefined) return check(document, resolve(document, schema.$ref) as Schema, value, at);
  if (schema.allOf !== undefined) return schema.allOf.flatMap((part) => check(document, part, value, at));
  const choices = schema.oneOf ?? schema.anyOf;
  if (value === null && schema.nullable) return [];
  if (choices !== undefined) return closest(choices.map((choice) => check(document, choice, value, at)));
  const wrong = typeOf(schema) === undefined || matches(typeOf(schema), value) ? [] : [`${at}: ${typeOf(schema)} expected, ${shown(value)} found`];
  if (wrong.length > 0) return wrong;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: ${shown(value)} is none of ${schema.enum.join(', ')}`];
  if (typeof value === 'string') return text(schema, value, at);
  if (Array.isArray(value)) return value.flatMap((item, index) => (schema.items === undefined ? [] : check(document, schema.items, item, `${at}[${index}]`)));
  if (typeof value === 'object' && value !== null) return members(document, schema, value as Record<string, unknown>, at);
  return typeof value === 'number' && value < (schema.minimum ?? value) ? [`${at}: ${value} is below ${schema.minimum}`] : [];
}

function members(document: Description, schema: Schema, value: Record<string, unknown>, at: string): string[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name}: missing`);
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const known = properties[name];
    if (known !== undefined) return check(document, known, member, `${at}.${name}`);
    if (additionalProperties === false) return [`${at}.${name}: not published`];
    return typeof additionalProperties === 'object' ? check(document, additionalProperties, member, `${at}.${name}`) : [];
  });
  return [...missing, ...wrong];
}

function text(schema: Schema, value: string, at: string): string[] {
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) return [`${at}: ${shown(value)} is not of the form ${schema.pattern}`];
  if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? value.length)) return [`${at}: ${value.length} characters`];
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value))) return [`${at}: ${shown(value)} is no date`];
  if (schema.format === 'uri' && !URL.canParse(value)) return [`${at}: ${shown(value)} is no URI`];
  return [];
}

const typeOf = (schema: Schema): string | undefined => schema.type ?? (schema.properties === undefined ? undefined : 'object');

function matches(type: string | undefined, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** The complaints of the choice that fits best. */
function closest(complaints: readonly string[][]): string[] {
  return complaints.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);
