import { z } from 'zod';
import { isPlainMap, quoted } from '../../../errors/quoted.ts';
import { isKeep } from '../../../plan/types.ts';
import { scalar, value } from '../../../plan/value-forms.ts';
import { apiName, contentType, field, path, undeclared, variables } from '../resource/params.ts';
import { valueTree } from '../value-tree.ts';

/** The line's own keys of `http.list_item`: one item of a collection that is a part of another object. */

const parent = z.strictObject({
  path: path.meta({ description: 'Where the object that has the collection is written.' }),
  read_path: path.optional().meta({ description: 'Where it is read. Left out: `path`.' }),
  method: z.enum(['PATCH', 'PUT', 'POST']),
  send: z
    .union([z.enum(['field', 'parent']), z.array(field.min(1)).min(1)])
    .optional()
    .meta({
      description: 'What a write sends: the collection alone (`field`), the object with it (`parent`), or it and the fields of a list. Left out: `field`.',
    }),
  item_path: field.optional().meta({ description: 'Where the object is in its answer. Left out: the answer is the object.' }),
  content_type: contentType.optional(),
});

export const params = z
  .strictObject({
    api: apiName,
    vars: variables.optional(),
    parent,
    list_path: field
      .min(1)
      .optional()
      .meta({ description: 'Where the object has the collection. May be left out with `shape: map`: the object is the collection.' }),
    shape: z.enum(['array', 'delimited', 'map']).optional().meta({ description: 'A list, text with separators, or a map. Left out: `array`.' }),
    separator: z.string().min(1).optional().meta({ description: 'With `shape: delimited`: what stands between items. Left out: `,`.' }),
    item: z
      .union([value(scalar), z.record(z.string().min(1), valueTree)])
      .meta({ description: 'The item; for a list of maps, the fields it is to have; for a map, the name of the entry.' }),
    key_field: z.string().min(1).optional().meta({ description: 'For a list of maps: the field of `item` that tells items apart.' }),
    value: valueTree.optional().meta({ description: 'With `shape: map`: what the entry holds.' }),
    destroy: z.enum(['delete', 'keep']).optional().meta({ description: '`keep` leaves the item where it is. Left out: `delete`.' }),
  })
  .superRefine((line, context) => {
    for (const [at, message] of mistakesIn(line)) context.addIssue({ code: 'custom', path: [...at], message });
  });

type Line = z.infer<typeof params>;
type Mistake = readonly [at: readonly string[], message: string];

function mistakesIn(line: Line): readonly Mistake[] {
  const { shape = 'array', parent: object, vars = {}, separator, list_path } = line;
  const declared = Object.keys(vars);
  const paths = (
    [
      ['path', object.path],
      ['read_path', object.read_path],
    ] as const
  ).flatMap(([key, text]) => undeclared(text ?? '', declared, false).map((message): Mistake => [['parent', key], message]));
  const found: Mistake[] = [...paths, ...itemMistakes(line, shape)];
  if (list_path === undefined && shape !== 'map') found.push([['list_path'], 'say where the object has the collection']);
  if (separator !== undefined && shape !== 'delimited') found.push([['separator'], `with \`shape: ${shape}\` there is nothing to separate: remove it`]);
  if (list_path === undefined && Array.isArray(object.send)) found.push([['parent', 'send'], 'the object is the collection: send `parent` or `field`']);
  return found;
}

function itemMistakes({ item, key_field: key, value: held, separator = ',' }: Line, shape: NonNullable<Line['shape']>): readonly Mistake[] {
  const found: Mistake[] = [];
  if (isKeep(item)) return [[['item'], 'this names the item, so it cannot be `keep`']];
  const fields = isFields(item);
  if (fields && shape !== 'array') found.push([['item'], `with \`shape: ${shape}\` an item is one value`]);
  if (fields && key === undefined) found.push([['key_field'], 'an item with fields needs one that tells it from the others']);
  if (fields && key !== undefined && !isOne((item as Record<string, unknown>)[key]))
    found.push([['item', key], `${quoted(key)} tells the item from the others: give it one value that is not \`keep\``]);
  if (!fields && key !== undefined) found.push([['key_field'], 'the item is one value and has no fields: remove it']);
  if (shape === 'map' && held === undefined) found.push([['value'], 'say what the entry holds']);
  if (shape !== 'map' && held !== undefined) found.push([['value'], `with \`shape: ${shape}\` an item holds nothing but itself: remove it`]);
  if (isKeep(held)) found.push([['value'], 'an entry that is kept is managed by nobody: remove the line, or say what it holds']);
  if (shape === 'delimited' && (typeof item === 'boolean' || (typeof item === 'string' && (item.includes(separator) || item !== item.trim() || item === ''))))
    found.push([['item'], `one item of a text has neither ${quoted(separator)} nor blanks at its ends, and is not empty`]);
  return found;
}

/** A map that is no value form. */
const isFields = (item: unknown): item is Record<string, unknown> =>
  isPlainMap(item) && typeof item['from'] !== 'string' && typeof item['secret'] !== 'string' && item['keep'] !== true;
const isOne = (held: unknown): boolean => held !== undefined && !Array.isArray(held) && !isFields(held) && !isKeep(held);
