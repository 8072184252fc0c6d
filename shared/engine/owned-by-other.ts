import type { Problem } from '../errors/error.ts';
import { scopeText } from '../table/keys.ts';
import type { Op, ResourceChange } from './op.ts';

/** The refusal of a resource that another line owns. `owner.scope` is a scope's key, and is told the way people read it. */
export function ownedByOther(op: Pick<Op, 'adapter'>, change: ResourceChange, owner: { readonly scope: string; readonly line: string }): Problem {
  const message = `${change.label} at ${op.adapter} belongs to ${ownerText(owner)}.`;
  return { code: 'OWNED_BY_OTHER_SCOPE', message, details: { key: change.key, owner: { ...owner } } };
}

/** An owner as people read it. */
export const ownerText = ({ scope, line }: { readonly scope: string; readonly line: string }): string => `line ${line} of scope ${scopeText(scope)}`;
