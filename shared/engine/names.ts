import { identityHash } from '../ledger/identity.ts';
import type { NamedResource } from '../run/items.ts';
import type { Inspecting, Judged } from './inspecting.ts';
import type { ResourceChange } from './op.ts';

/** What a planned line names, to be held against what the other lines of the plan name. */
export const namesOf = (resources: readonly Judged[]): NamedResource[] =>
  resources.map(({ change, identity, verdict, standing, live }) => ({
    identity: identityHash(identity),
    label: change.label,
    ...(verdict.do === 'create' || verdict.do === 'update' || verdict.do === 'replace' ? { writes: true as const } : {}),
    ...(standing.entry ? { owns: true as const } : {}),
    ...(verdict.do === 'rely' && live?.kept ? { keeps: true as const } : {}),
  }));

/** The same of names that wait for an output: with the same mark in it, a name is the same. */
export const namesOfUnnamed = ({ op, call }: Pick<Inspecting, 'op' | 'call'>, changes: readonly ResourceChange[]): NamedResource[] =>
  changes.map(({ key, label }) => ({ identity: identityHash({ adapter: op.adapter, account: call.identity, key }), label, writes: true as const }));
