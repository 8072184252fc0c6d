import type { Resolved, ResolvedParams, Value } from '../../../engine/value.ts';
import type { Scalar } from '../../../plan/types.ts';
import { filled, named } from '../placeholders.ts';
import { entriesAt, literalAt, numbersAt, partAt, textAt } from '../value-tree.ts';
import { nameValue, variablesOf } from '../variables.ts';
import type { ResourceRecall } from './recall.ts';

/** A field that the plan says, and its value; `keep` where what is live stays. */
export interface Wanted {
  readonly field: string;
  readonly tree: Resolved;
}

/** A line of `http.resource` with its paths filled in but for `{id}`. */
export interface ResourceSpec {
  readonly key: string;
  readonly label: string;
  readonly recall: ResourceRecall;
  readonly match: readonly { readonly field: string; readonly value: Scalar }[];
  readonly fields: readonly Wanted[];
  readonly create: {
    readonly method: 'POST' | 'PUT' | 'PATCH';
    readonly path: string;
    readonly body: Resolved | undefined;
    readonly contentType: string | undefined;
    /** The header of its idempotency key. */
    readonly idempotency: string | undefined;
    readonly locate: boolean;
  };
  readonly update: { readonly method: 'PATCH' | 'PUT' | 'POST'; readonly path: string; readonly contentType: string | undefined } | undefined;
  readonly outputs: readonly { readonly name: string; readonly path: string; readonly once: boolean }[];
  readonly exists: readonly number[];
  readonly ready: Ready | undefined;
}

export interface Ready {
  readonly path: string | undefined;
  readonly match: readonly [string, Scalar][];
  readonly failed: readonly [string, Scalar][];
}

/**
 * @throws LockkeeperError PARAM_INVALID for a path that cannot be asked for; SECRET_IN_IDENTITY where a name would carry a secret.
 */
export function resourceSpec(params: ResolvedParams): ResourceSpec {
  const vars = variablesOf(params);
  const at = (...names: readonly string[]): string | undefined => {
    const text = textAt(params, ...names);
    return text === undefined ? undefined : filled(text, vars);
  };
  const match = entriesAt(params, 'find', 'match').map(([field, value]) => ({ field, value: nameValue(value as Value, `find.match.${field}`) }));
  const fields = entriesAt(params, 'fields').map(([field, tree]) => ({ field, tree }));
  const read = at('read', 'path');
  const key = keyOf(params, vars, match);
  const update: ResourceSpec['update'] =
    partAt(params, 'update') === undefined
      ? undefined
      : {
          method: textAt(params, 'update', 'method') as 'PATCH',
          path: at('update', 'path') ?? read ?? '',
          contentType: textAt(params, 'update', 'content_type'),
        };
  const idempotency = literalAt(params, 'create', 'idempotency_key');
  return {
    key,
    label: `${textAt(params, 'api') ?? 'http'} ${key}`,
    recall: recallFrom(params, at, match, fields, read),
    match,
    fields,
    create: {
      method: textAt(params, 'create', 'method') as 'POST',
      path: at('create', 'path') ?? '',
      body: partAt(params, 'create', 'body'),
      contentType: textAt(params, 'create', 'content_type'),
      idempotency: idempotency === true ? 'idempotency-key' : idempotency === undefined ? undefined : String(idempotency),
      locate: literalAt(params, 'create', 'locate') === true,
    },
    update,
    outputs: entriesAt(params, 'outputs').map(([name]) => ({
      name,
      path: textAt(params, 'outputs', name) ?? textAt(params, 'outputs', name, 'path') ?? '',
      once: literalAt(params, 'outputs', name, 'once') === true,
    })),
    exists: numbersAt(params, 'exists_status'),
    ready: readyOf(params, at),
  };
}

/** `<find.path>[f="v",…]`, fields sorted, or the path it is read at. */
function keyOf(params: ResolvedParams, vars: Readonly<Record<string, string>>, match: ResourceSpec['match']): string {
  const find = textAt(params, 'find', 'path');
  if (find === undefined) return named(textAt(params, 'read', 'path') ?? '', vars);
  const named_ = [...match].sort((a, b) => (a.field < b.field ? -1 : 1)).map(({ field, value }) => `${field}=${JSON.stringify(value)}`);
  return `${named(find, vars)}[${named_.join(',')}]`;
}

function recallFrom(
  params: ResolvedParams,
  at: (...names: readonly string[]) => string | undefined,
  match: ResourceSpec['match'],
  fields: readonly Wanted[],
  read: string | undefined,
): ResourceRecall {
  const find = at('find', 'path');
  const next = textAt(params, 'find', 'next');
  const idPath = textAt(params, 'id_path');
  const removed = { method: (textAt(params, 'delete', 'method') ?? 'DELETE') as 'DELETE', path: at('delete', 'path') ?? read ?? '' };
  return {
    ...(find === undefined
      ? {}
      : {
          find: {
            path: find,
            list_path: textAt(params, 'find', 'list_path') ?? '',
            match: Object.fromEntries(match.map(({ field, value }) => [field, value])),
            ...(next === undefined ? {} : { next }),
            cursor_param: textAt(params, 'find', 'cursor_param') ?? 'cursor',
          },
        }),
    ...(read === undefined ? {} : { read }),
    item_path: textAt(params, 'item_path') ?? '',
    ...(idPath === undefined ? {} : { id_path: idPath }),
    fields: fields.filter(({ tree }) => !isKept(tree)).map(({ field }) => field),
    ...(textAt(params, 'destroy') === 'keep' ? {} : { remove: removed }),
    gone: [...numbersAt(params, 'gone_status')],
  };
}

function readyOf(params: ResolvedParams, at: (...names: readonly string[]) => string | undefined): Ready | undefined {
  if (partAt(params, 'ready') === undefined) return undefined;
  const states = (name: string) => entriesAt(params, 'ready', name).map(([field]): [string, Scalar] => [field, literalAt(params, 'ready', name, field) ?? '']);
  return { path: at('ready', 'path'), match: states('match'), failed: states('failed') };
}

export const isKept = (tree: Resolved): boolean => (tree as { kind?: unknown }).kind === 'keep';
