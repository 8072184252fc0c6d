import { sharedName } from '../engine/owned-by-other.ts';
import type { Problem } from '../errors/error.ts';
import type { NamedResource, RunLine } from './items.ts';

/**
 * The lines of a plan as they can be applied together: of two that name one resource, of which one would write it, the later is blocked
 * as an apply would refuse it, and so is whatever needs it (R1.36, R1.86). Where the later has it in its ledger already, the earlier is.
 */
export function withoutSharedNames(lines: readonly RunLine[]): readonly RunLine[] {
  const refused = new Map<string, Problem>();
  for (const [at, later] of lines.entries()) {
    for (const earlier of lines.slice(0, at)) {
      const found = sharedBy(earlier, later);
      if (found) refused.set(found.loser.spec.id, refused.get(found.loser.spec.id) ?? problemOf(found.label, earlier, later));
    }
  }
  if (refused.size === 0) return lines;
  blockDependants(lines, refused);
  return lines.map((line) => blocked(line, refused.get(line.spec.id)));
}

/** The first resource that two lines cannot both have, and which of them goes without. */
function sharedBy(earlier: RunLine, later: RunLine): { label: string; loser: RunLine } | undefined {
  const known = new Map((earlier.result?.names ?? []).map((name) => [name.identity, name]));
  for (const name of later.result?.names ?? []) {
    const other = known.get(name.identity);
    if (other && clash(other, name)) return { label: name.label, loser: name.owns && !other.owns ? earlier : later };
  }
  return undefined;
}

/** Two lines may both find a thing as they want it; one that keeps whatever is there minds no owner. */
const clash = (one: NamedResource, other: NamedResource): boolean => (one.writes || other.writes) === true && !one.keeps && !other.keeps;

const problemOf = (label: string, earlier: RunLine, later: RunLine): Problem => sharedName(later.spec.adapter, label, [earlier.spec.id, later.spec.id]);

/** Whatever needs a refused line is refused with it. `lines` in any order. */
function blockDependants(lines: readonly RunLine[], refused: Map<string, Problem>): void {
  for (let before = -1; before !== refused.size; ) {
    before = refused.size;
    for (const { spec } of lines) {
      const dead = spec.needs.find((id) => refused.has(id));
      if (dead === undefined || refused.has(spec.id)) continue;
      const message = `Line ${dead}, which this line needs, ended blocked.`;
      refused.set(spec.id, { code: 'DEPENDENCY_BLOCKED', message, details: { line: dead } });
    }
  }
}

function blocked(line: RunLine, problem: Problem | undefined): RunLine {
  if (!problem || !line.result || line.result.status === 'blocked' || line.result.status === 'error') return line;
  const { effects: _none, waitingFor: _for, waitingOn: _on, ...result } = line.result;
  return { ...line, result: { ...result, status: 'blocked', problem } };
}
