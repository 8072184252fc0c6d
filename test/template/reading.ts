import { z } from 'zod';
import type { Template, TemplateResource } from '../../infra/template.ts';

/** Reads the template for tests. Shapes are parsed, so that a property that moved fails by name. */
const reference = z.object({ Ref: z.string() });
const attribute = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) });

const functionShape = z.looseObject({
  Timeout: z.number(),
  Role: attribute,
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
  LoggingConfig: z.object({ LogGroup: reference }),
});

const statement = z.object({
  Effect: z.literal('Allow'),
  Action: z.union([z.string(), z.array(z.string())]),
  Resource: z.unknown(),
  Condition: z.unknown().optional(),
});
export type Statement = z.infer<typeof statement>;
/** Strict: a managed policy or a boundary beside the inline ones would be an unknown key. */
const roleShape = z.strictObject({
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statement) }) })),
});

const mappingShape = z.looseObject({
  EventSourceArn: attribute,
  FunctionName: reference,
  BatchSize: z.number(),
  FunctionResponseTypes: z.array(z.string()),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }),
});

export const ofType = (template: Template, type: string): [string, TemplateResource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

export const propertiesOf = (template: Template, id: string): Readonly<Record<string, unknown>> => template.Resources[id]?.Properties ?? {};

/** The id of the one resource of this type whose logical id is `name` and CDK's hash. */
export function idOf(template: Template, type: string, name: string): string {
  const found = ofType(template, type).filter(([id]) => new RegExp(`^${name}[0-9A-F]{8}$`).test(id));
  if (found.length !== 1) throw new Error(`${found.length} resources ${name} of type ${type}`);
  return String(found[0]?.[0]);
}

export const functionsOf = (template: Template): { id: string; entry: unknown; properties: z.infer<typeof functionShape> }[] =>
  ofType(template, 'AWS::Lambda::Function').map(([id, { Properties, Metadata }]) => ({
    id,
    entry: Metadata?.['lockkeeper:entry'],
    properties: functionShape.parse(Properties),
  }));

export function functionOf(template: Template, entry: string): ReturnType<typeof functionsOf>[number] {
  const found = functionsOf(template).find((each) => each.entry === entry);
  if (found === undefined) throw new Error(`no function for ${entry}`);
  return found;
}

export const variablesOf = (template: Template, entry: string): string[] => Object.keys(functionOf(template, entry).properties.Environment.Variables).sort();

/** What the role of an entry may do, but writing its own log. */
export function rightsOf(template: Template, entry: string): Statement[] {
  const role = roleShape.parse(propertiesOf(template, functionOf(template, entry).properties.Role['Fn::GetAtt'][0]));
  return role.Policies.flatMap((policy) => policy.PolicyDocument.Statement).filter(({ Action }) => !String(Action).startsWith('logs:'));
}

export const actionsOf = (template: Template, entry: string): string[] => [...new Set(rightsOf(template, entry).flatMap(({ Action }) => Action))].sort();

/** Each mapping with its queue and the function that reads it. */
export const mappingsOf = (template: Template): { queue: string; reader: string; properties: z.infer<typeof mappingShape> }[] =>
  ofType(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => {
    const properties = mappingShape.parse(Properties);
    return { queue: properties.EventSourceArn['Fn::GetAtt'][0], reader: properties.FunctionName.Ref, properties };
  });

export const arnOf = (id: string): unknown => ({ 'Fn::GetAtt': [id, 'Arn'] });
