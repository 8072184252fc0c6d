import { z } from 'zod';

const properties = z.record(z.string(), z.unknown());

const declaration = z.looseObject({
  Type: z.string(),
  Properties: properties.optional(),
  Metadata: properties.optional(),
  /** Name of the condition under which the resource exists. */
  Condition: z.string().optional(),
});

/** A CloudFormation template as far as the runner reads it; whatever else it holds (rules, descriptions) is let through. */
export const templateSchema = z.looseObject({
  Resources: z.record(z.string(), declaration),
  Parameters: z.record(z.string(), z.looseObject({ Default: z.unknown().optional() })).optional(),
  Conditions: z.record(z.string(), z.unknown()).optional(),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).optional(),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown(), Condition: z.string().optional() })).optional(),
});

/** A synthesized template: JSON, as CDK v2 writes it. */
export type Template = z.infer<typeof templateSchema>;
export type Declaration = z.infer<typeof declaration>;

/** A template before it is checked. */
export interface SynthesizedTemplate {
  readonly Resources: Readonly<Record<string, object>>;
  readonly Parameters?: object | undefined;
  readonly Conditions?: object | undefined;
  readonly Mappings?: object | undefined;
  readonly Outputs?: object | undefined;
}
