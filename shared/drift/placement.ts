import { placeOf } from './address.ts';
import { driftRecord } from './drift-record.ts';
import type { DriftFields, DriftRecord } from './record.ts';
import { urnNode } from './urn.ts';

/** What is known of a member's graph. */
export interface MemberGraph {
  /** The segment between the member and its blocks, as a root's name; left out where blocks stand right under the member. */
  readonly root?: string;
  /** Whether the graph holds this block or resource. Where there is no graph at hand, say yes: then the rule alone places it. */
  has(node: string): boolean;
}

/** A graph of which nothing is known: everything stands where the rule puts it. */
export const anyGraph: MemberGraph = { has: () => true };

/** Fills in `node` and `instanceOf` of each record against its member's graph (R3.17); what the graph does not hold stands on null. */
export function mapDriftToGraph(records: Iterable<DriftRecord>, graph: MemberGraph): DriftRecord[] {
  return [...records].map((record) => {
    const { node: _, instanceOf: __, ...rest } = record;
    return driftRecord({ ...rest, ...nodeOf(record, graph) });
  });
}

/** Where one address stands. URNs go by the URN rule whatever the engine. */
export function nodeOf({ member, address }: Pick<DriftFields, 'member' | 'address'>, graph: MemberGraph): Pick<DriftFields, 'node' | 'instanceOf'> {
  if (address.startsWith('urn:')) {
    const node = urnNode(member, address);
    return { node: node !== undefined && graph.has(node) ? node : null };
  }
  const place = placeOf(address);
  if (place === undefined) return { node: null };
  const under = (path: string): string => [member, ...(graph.root === undefined ? [] : [graph.root]), path].join('/');
  const block = under(place.instanceOf ?? place.node);
  if (!graph.has(block)) return { node: null };
  return place.instanceOf === undefined ? { node: block } : { node: under(place.node), instanceOf: block };
}
