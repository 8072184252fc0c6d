import { z } from 'zod';
import type { OutputSpec } from '../../../engine/op.ts';
import { quoted } from '../../../errors/quoted.ts';
import { isKeep, type Params } from '../../../plan/types.ts';
import { scalar, templated, value } from '../../../plan/value-forms.ts';
import { placeholdersIn } from '../placeholders.ts';
import { isField } from '../pointer.ts';
import { valueTree } from '../value-tree.ts';

/** The line's own keys of `http.resource`: requests, and which of the answers' fields mean what. */

export const path = z.string().regex(/^\/(?!\/)[^\s#]*$/, 'a path starts with `/`, below the address of its API, and has no blank and no `#`');
export const field = z.string().refine(isField, 'a field is a name, or a pointer such as `/data/id` (RFC 6901)');
const fieldName = z.string().min(1).refine(isField, 'a field is a name, or a pointer such as `/data/id` (RFC 6901)');
export const contentType = z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/i, 'this takes a media type, as in `application/merge-patch+json`');
export const apiName = z.string().min(1).meta({ description: 'The API, by its name under `providers.http`.' });
export const variables = z
  .record(z.string().regex(/^[a-z][a-z0-9_]*$/, 'a variable is named with lower-case letters, digits and `_`, a letter first'), value(scalar))
  .meta({ description: 'Values for `{name}` in paths, each put in as one step. `{id}` is the provider’s id.' });
const statuses = z.array(z.int().min(400).max(599));

const find = z.strictObject({
  path: path.meta({ description: 'Where the objects of its kind are listed.' }),
  list_path: field.optional().meta({ description: 'Where the list is in the answer. Left out: the answer is the list.' }),
  match: z
    .record(fieldName, value(scalar))
    .meta({ description: 'The fields that name the object among the others, and their values. Sent with the create, too.' }),
  next: field.optional().meta({ description: 'Where an answer has the cursor of the next page. Left out: there is one page.' }),
  cursor_param: z.string().min(1).optional().meta({ description: 'The query parameter that takes the cursor. Left out: `cursor`.' }),
});

const create = z.strictObject({
  method: z.enum(['POST', 'PUT', 'PATCH']),
  path,
  body: z
    .record(z.string(), valueTree)
    .optional()
    .meta({ description: 'What is sent beside `match` and `fields`, and never compared: what the API does not show.' }),
  content_type: contentType.optional(),
  idempotency_key: z
    .union([z.literal(true), z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/)])
    .optional()
    .meta({ description: '`true`, or a header’s name: the API performs requests with the same `Idempotency-Key` once. Only then is a create sent again.' }),
  locate: z.literal(true).optional().meta({ description: 'Whether the object is looked for after the create, instead of read from its answer.' }),
});

const update = z.strictObject({
  method: z.enum(['PATCH', 'PUT', 'POST']).meta({ description: '`PATCH` and `POST` send the fields that are not kept; `PUT` sends `match` and every field.' }),
  path: path.optional().meta({ description: 'Left out: `read.path`.' }),
  content_type: contentType.optional(),
});

const remove = z.strictObject({
  method: z.enum(['DELETE', 'POST']).optional().meta({ description: 'Left out: `DELETE`.' }),
  path: path.optional().meta({ description: 'Left out: `read.path`.' }),
});

const output = z.union([
  field,
  z.strictObject({
    path: field,
    sensitive: z.boolean().optional(),
    once: z.boolean().optional().meta({ description: 'The answer to the create alone has it.' }),
  }),
]);

const ready = z.strictObject({
  path: path.optional().meta({ description: 'Where it is looked at. Left out: where the object is.' }),
  match: z.record(fieldName, templated(scalar)).meta({ description: 'The fields that say it is ready, and their values.' }),
  failed: z.record(fieldName, templated(scalar)).optional().meta({ description: 'Fields that say it will never be.' }),
});

export const params = z
  .strictObject({
    api: apiName,
    vars: variables.optional(),
    find: find.optional(),
    read: z.strictObject({ path }).optional().meta({ description: 'Where the object is. With `find`, `{id}` may stand in it.' }),
    create,
    update: update.optional(),
    delete: remove.optional(),
    destroy: z.enum(['delete', 'keep']).optional().meta({ description: '`keep` leaves the object where it is. Left out: `delete`.' }),
    item_path: field.optional().meta({ description: 'Where the object is in answers that have one. Left out: the answer is the object.' }),
    id_path: field.optional().meta({ description: 'Where the object has its id. Left out: `/id`.' }),
    fields: z
      .record(fieldName, valueTree)
      .optional()
      .meta({ description: 'What the object is to hold. What stands here is compared and put back; nothing else of it is looked at.' }),
    outputs: z
      .record(z.string().regex(/^[a-z][a-z0-9_]*$/, 'an output is named with lower-case letters, digits and `_`, a letter first'), output)
      .optional()
      .meta({ description: 'Fields for other lines: a field, or `{ path, sensitive, once }`. `id` is always there.' }),
    exists_status: statuses.optional().meta({ description: 'Further statuses with which a create is refused because the object is there.' }),
    gone_status: statuses.optional().meta({ description: 'Further statuses, beside 404, that mean that the object is not there.' }),
    ready: ready.optional().meta({ description: 'A new object is looked at until these fields say that it is ready, for ten minutes at most.' }),
  })
  .superRefine((line, context) => {
    for (const [at, message] of mistakesIn(line)) context.addIssue({ code: 'custom', path: [...at], message });
  });

type Line = Omit<z.infer<typeof params>, never>;
type Mistake = readonly [at: readonly string[], message: string];

/** What no single key shows: what stands in two places that do not go together. */
function mistakesIn(line: Line): readonly Mistake[] {
  return [...sourceMistakes(line), ...placeholderMistakes(line), ...outputMistakes(line), ...fieldMistakes(line)];
}

function sourceMistakes({ find, read, update, delete: removal, destroy }: Line): readonly Mistake[] {
  const found: Mistake[] = [];
  if (!find && !read) found.push([[], 'the object must be found: give `find`, `read` or both']);
  if (find && Object.keys(find.match).length === 0) found.push([['find', 'match'], 'name at least one field that tells the object from the others']);
  if (!find && read && placeholdersIn(read.path).includes('id')) found.push([['read', 'path'], '`{id}` is known only where `find` finds the object']);
  if (!read && update && update.path === undefined) found.push([['update'], 'there is no `read.path` to send it to: give it a `path`']);
  if (!read && destroy !== 'keep' && removal?.path === undefined)
    found.push([['delete'], 'there is no `read.path` to remove it at: give `delete` a `path`, or `destroy: keep`']);
  return found;
}

function placeholderMistakes(line: Line): readonly Mistake[] {
  const { find, read, create, update, delete: removal, ready, vars = {} } = line;
  const declared = Object.keys(vars);
  const own: readonly Mistake[] = declared.includes('id') ? [[['vars', 'id'], '`id` is the provider’s: give the variable another name']] : [];
  const paths: readonly (readonly [string, string | undefined, boolean])[] = [
    ['find', find?.path, false],
    ['read', read?.path, true],
    ['create', create.path, false],
    ['update', update?.path, true],
    ['delete', removal?.path, true],
    ['ready', ready?.path, true],
  ];
  return [...own, ...paths.flatMap(([key, text, takesId]) => undeclared(text ?? '', declared, takesId).map((message): Mistake => [[key, 'path'], message]))];
}

/** What is wrong with the placeholders of a path. */
export function undeclared(text: string, declared: readonly string[], takesId: boolean): readonly string[] {
  return placeholdersIn(text).flatMap((name) => {
    if (name === 'id') return takesId ? [] : ['`{id}` is not known here yet'];
    return declared.includes(name) ? [] : [`${quoted(`{${name}}`)} has no value: add ${quoted(name)} to \`vars\``];
  });
}

function outputMistakes({ outputs = {}, ready, create }: Line): readonly Mistake[] {
  return Object.entries(outputs).flatMap(([name, given]): Mistake[] => {
    const at = ['outputs', name];
    if (name === 'id') return [[at, '`id` is always there, by `id_path`: give this output another name']];
    if (typeof given === 'string' || given.once !== true) return [];
    if (given.sensitive !== true) return [[at, 'what is given once cannot be looked up again: `once` needs `sensitive: true`']];
    if (ready) return [[at, '`once` comes with the answer to the create, and `ready` lets that answer pass: use one of them']];
    return create.locate ? [[at, '`once` comes with the answer to the create, and `locate` does not look at it: use one of them']] : [];
  });
}

function fieldMistakes({ find, fields = {} }: Line): readonly Mistake[] {
  const kept = Object.entries(find?.match ?? {}).filter(([, given]) => isKeep(given));
  const both = Object.keys(fields).filter((name) => find !== undefined && Object.hasOwn(find.match, name));
  return [
    ...kept.map(([name]): Mistake => [['find', 'match', name], 'this names the object, so it cannot be `keep`']),
    ...both.map((name): Mistake => [['fields', name], '`find.match` has it already, and it never changes: remove one of them']),
  ];
}

/** The outputs that a line's `outputs` declares (facts for `from`, before anything is read). */
export function outputsFor(line: Params): Record<string, OutputSpec> {
  const judged = z.record(z.string(), output).safeParse(line['outputs'] ?? {});
  if (!judged.success) return {};
  return Object.fromEntries(
    Object.entries(judged.data).map(([name, given]): [string, OutputSpec] => {
      const { path: from, sensitive, once } = typeof given === 'string' ? { path: given } : given;
      const marks = { ...(sensitive || once ? { sensitive: true } : {}), ...(once ? { once: true } : {}) };
      return [name, { available: 'immediate', ...marks, about: `The field ${from}.` }];
    }),
  );
}
