import type { ResolvedParams, Value } from '../../engine/value.ts';
import { isValue } from '../../engine/value.ts';
import type { Scalar } from '../../plan/types.ts';
import { invalid, keyText } from '../param.ts';
import { entriesAt } from './value-tree.ts';

/**
 * The values of `vars`. They make paths, and paths make names: none may be secret.
 *
 * @throws LockkeeperError SECRET_IN_IDENTITY, PARAM_INVALID for `keep`.
 */
export const variablesOf = (params: ResolvedParams): Readonly<Record<string, string>> => texts(params, 'vars');

function texts(params: ResolvedParams, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(entriesAt(params, ...names).map(([name, tree]) => [name, String(nameValue(tree as Value, [...names, name].join('.')))]));
}

/** A value that names something: known, and nothing secret. */
export function nameValue(value: Value, name: string): Scalar {
  if (!isValue(value)) throw invalid(`\`${name}\` takes one value.`);
  keyText({ [name]: value }, name);
  return value.kind === 'known' ? value.value : '';
}
