import type { Problem } from '../errors/error.ts';
import { scopeText } from '../table/keys.ts';
import type { Op, ResourceChange } from './op.ts';

/**
 * The refusal of a resource that another line owns. `owner.scope` is a scope's key, and is told the way people read it. In the own scope
 * it is a line of the same plan.
 */
export function ownedByOther(op: Pick<Op, 'adapter'>, change: ResourceChange, owner: Owner, own: Owner): Problem {
  const details = { key: change.key, owner: { scope: owner.scope, line: owner.line } };
  if (owner.scope === own.scope) return { ...sharedName(op.adapter, change.label, [owner.line, own.line]), details };
  return { code: 'OWNED_BY_OTHER_SCOPE', message: `${change.label} at ${op.adapter} belongs to ${ownerText(owner)}.`, details };
}

export interface Owner {
  readonly scope: string;
  readonly line: string;
}

/** The refusal of a resource that two lines of one plan name. */
export const sharedName = (adapter: string, label: string, [first, second]: readonly [string, string]): Problem => ({
  code: 'OWNED_BY_OTHER_SCOPE',
  message: `Lines ${first} and ${second} name the same ${label} at ${adapter}.`,
  hint: 'Take it out of one of them.',
});

/** An owner as people read it. */
export const ownerText = ({ scope, line }: { readonly scope: string; readonly line: string }): string => `line ${line} of scope ${scopeText(scope)}`;
