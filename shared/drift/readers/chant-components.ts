import { createMasking } from '../masking.ts';
import { unobservedOf } from './chant-live-diff.ts';
import type { Json } from './json.ts';
import { flagIn, isThere, itemsIn, name, type Place, textOf, token, under, unreadable, whole } from './place.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';

/**
 * `chant components status <env> --live --json` (R3.19): what is recorded as released against what is live, by component.
 *
 * From description: the field names are those that chant publishes; no recording was made for this project.
 *
 * @throws UnreadableError
 */
export function readComponentStatus(document: Json, context: ReaderContext): DriftReading {
  const rows = itemsIn(under(whole(document), 'rows'));
  const seen = new Set<string>();
  const findings = rows.map((row) => {
    const finding = componentOf(row);
    if (seen.has(finding.address)) throw unreadable(row, 'this component has a row already');
    seen.add(finding.address);
    return finding;
  });
  const evidence = { tool: 'chant', command: 'chant components status --live --json' };
  return readingOf(findings, { engine: 'chant', read: 'live-read', evidence, masking: createMasking() }, context);
}

const unseen = { reason: 'cannot-read', detail: 'A component is known by its presence, and not by what it holds.' } as const;
const notAsked = { reason: 'filtered', detail: 'Nobody asked for what is live.' } as const;

function componentOf(row: Place): Finding {
  const address = textOf(under(row, 'component'), name, 'the name of a component');
  const engineCode = textOf(under(row, 'reconciliation'), token, 'a verdict');
  const evidence = { engineCode };
  const drifted: Finding = { address, status: 'drifted', attributesUnobserved: unseen, evidence };
  if (engineCode === 'reconciled') return { address, status: 'in-sync', evidence };
  if (engineCode === 'drifted') return drifted;
  if (engineCode === 'stale') return { address, status: 'missing', evidence };
  if (engineCode === 'unrecorded') return flagIn(under(row, 'live')) ? drifted : { address, status: 'pending', evidence };
  if (engineCode !== 'unknown') throw unreadable(under(row, 'reconciliation'), 'the verdict is reconciled, drifted, stale, unrecorded or unknown');
  const reason = under(row, 'unobserved');
  return { address, status: 'not-observed', unobserved: isThere(reason) ? unobservedOf(reason).unobserved : notAsked, evidence };
}
