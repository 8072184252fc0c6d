import { isThere, itemsIn, type Place, textIn, textOrNone, under } from '../../drift/readers/place.ts';
import { NotUnderstoodError } from '../not-understood.ts';
import type { StackAction } from '../tool-work.ts';

/** What a plan of Terraform 1.5 to 1.14 and OpenTofu 1.6 to 1.12 may say of one object, in the order in which it is done. */
const known: Readonly<Record<string, readonly StackAction[]>> = {
  'no-op': [],
  create: ['create'],
  read: ['read'],
  update: ['update'],
  delete: ['delete'],
  forget: ['forget'],
  'delete,create': ['delete', 'create'],
  'create,delete': ['create', 'delete'],
  'create,forget': ['create', 'forget'],
  'forget,create': ['forget', 'create'],
};

/**
 * The actions of one row of `resource_changes`; none when the row wants nothing. What is taken into the state first counts as `import`, and
 * a resource that only gets another address as `none`.
 *
 * @throws NotUnderstoodError for an action that is not known, with the address.
 */
export function actionsOf(row: Place, address: string): readonly StackAction[] {
  const change = under(row, 'change');
  const named = itemsIn(under(change, 'actions')).map(textIn).join(',');
  const actions = Object.hasOwn(known, named) ? known[named] : undefined;
  if (actions === undefined) throw new NotUnderstoodError('The plan has an action that this version of Lockkeeper does not know.', address);
  if (isThere(under(change, 'importing'))) return ['import', ...actions];
  return actions.length === 0 && previousAddressOf(row) !== undefined ? ['none'] : actions;
}

export const previousAddressOf = (row: Place): string | undefined => textOrNone(under(row, 'previous_address'), /^[^\p{Cc}]{1,4096}$/u, 'an address');
