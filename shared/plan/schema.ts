/**
 * The shape of `release.plan.yaml`, as zod schemas. The parser judges shape with them and leaves values to `values.ts`;
 * the JSON Schema is generated from the same ones with the values filled in (`json-schema.ts`).
 */
import { z } from 'zod';
import { unknownPlaceholderPattern } from './context-variables.ts';
import { fromForm, keepForm, secretForm } from './value-forms.ts';
import { displayTextPattern, secretNamePattern } from './value-rules.ts';

/** A line's id. */
export const idPattern = /^[a-z][a-z0-9_-]*$/;

const environmentName = z.string().min(1);
const environments = z.array(environmentName).min(1);

/** One entry of `changes`; every further key is a parameter of its op, of the given shape. */
export function lineSchema(parameter: z.ZodType) {
  return z
    .object({
      id: z
        .string()
        .regex(idPattern, 'an id is lower-case letters, digits, `_` and `-`, with a letter first')
        .meta({ description: 'The name other lines refer to.' }),
      adapter: z.string().min(1).meta({ description: 'The provider family, as in `neon`.' }),
      op: z.string().min(1).meta({ description: 'What to do there, as in `branch`.' }),
      environments: environments.optional().meta({ description: 'Where the line runs. Left out: everywhere.' }),
      depends_on: z.array(z.string().min(1)).optional().meta({ description: 'Ids of lines that must be finished first.' }),
    })
    .catchall(parameter);
}

/** The whole file. `line` and `block` are the shapes of an entry of `changes` and of a provider block. */
export function fileSchema(line: z.ZodType, block: z.ZodType) {
  return z.strictObject({
    version: z.literal(1),
    environments: environments.optional().meta({ description: 'The environments there are. Left out: preview, production and whatever the lines name.' }),
    providers: z.record(z.string(), block).optional().meta({ description: 'One block for each adapter: which project, team or account.' }),
    receipts: z.unknown().optional().meta({ description: 'Ignored: receipts always go to the bucket.', deprecated: true }),
    changes: z.array(line).meta({ description: 'The lines. Order in the file matters only between lines that do not need each other.' }),
  });
}

/** Keys every line may have beside its op's parameters. */
export const lineKeys: readonly string[] = Object.keys(lineSchema(z.unknown()).shape);

/** A map that is one of the value forms, by its keys. */
const formLike = {
  anyOf: [
    { required: ['from'], properties: { from: { type: 'string' } } },
    { required: ['secret'], properties: { secret: { type: 'string' } } },
    { required: ['keep'], properties: { keep: { const: true } } },
  ],
};

const text = z.string().meta({ not: { anyOf: [{ pattern: displayTextPattern.source }, { pattern: unknownPlaceholderPattern.source }] } });
const noLiteral = { not: { type: ['string', 'number'] } };
/** Under a secret-looking name stands no literal, nor in a list there. The name's pattern takes the key out of `additionalProperties`, hence the reference. */
const secretNames = { patternProperties: { [secretNamePattern.source]: { allOf: [{ $ref: '#/$defs/value' }, { ...noLiteral, items: noLiteral }] } } };

/** Any value of a parameter, with the rules that hold for all of them: forms exact, every `${…}` known, no literal under a secret-looking name, no pasted display text. */
export const planValue: z.ZodType = z
  .union([
    text,
    z.number(),
    z.boolean(),
    fromForm,
    secretForm,
    keepForm,
    z.array(z.lazy(() => planValue)),
    z
      .record(
        z.string(),
        z.lazy(() => planValue),
      )
      .meta({ not: formLike, ...secretNames }),
  ])
  .meta({ id: 'value', description: 'A literal, `{ from: line.output }`, `{ secret: env://NAME }`, `{ keep: true }`, or a list or map of those.' });

/** The whole file with its values, for the JSON Schema. The parser judges values by itself, with a place and a remedy for each. */
export const wholeFile = fileSchema(lineSchema(planValue).meta({ id: 'line', ...secretNames }), z.record(z.string(), planValue).meta(secretNames));
