import type { RowBox } from '../ticks/ticked.ts';
import type { RowContent } from './change-row.ts';
import { tallied } from './difference.ts';
import type { Drift, DriftedResource } from './row.ts';

/**
 * What has still drifted once a box was ticked and all of it was done. Where a resource has something pending, too, one write is both, and it
 * stands behind the box of what is pending alone: applied, it is as the plan wants it; of a repair it was no part.
 */
export function driftAfter({ pending, drift }: RowContent, box: RowBox): Drift | undefined {
  if (!drift) return undefined;
  const both = new Set((pending?.changes ?? []).filter(({ drifted }) => drifted !== undefined).map(({ line, change }) => nameOf(line, change.label)));
  const [asPending, alone] = [drift.resources.filter(isIn(both)), drift.resources.filter((one) => !isIn(both)(one))];
  const { digest: _done, ...rest } = drift;
  if (box === 'repair') return asPending.length === 0 ? undefined : { ...rest, counts: countsOf(asPending), resources: asPending };
  const counts = without(drift.counts, countsOf(asPending));
  return Object.keys(counts).length === 0 ? undefined : { ...drift, counts, resources: alone };
}

const nameOf = (line: string, label: string): string => JSON.stringify([line, label]);
const isIn =
  (names: ReadonlySet<string>) =>
  ({ line, label }: DriftedResource): boolean =>
    names.has(nameOf(line, label));

const countsOf = (resources: readonly DriftedResource[]): Drift['counts'] => tallied(resources.map(({ kind }) => kind));

/** Resources that are counted and not listed have drifted still. */
function without(counts: Drift['counts'], gone: Drift['counts']): Drift['counts'] {
  const left = Object.entries(counts).map(([kind, number]) => [kind, number - (gone[kind as DriftedResource['kind']] ?? 0)] as const);
  return Object.fromEntries(left.filter(([, number]) => number > 0));
}
