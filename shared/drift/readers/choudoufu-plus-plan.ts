import { createMasking } from '../masking.ts';
import { livePlanEvidence, livePlanFindings } from './choudoufu-live-plan.ts';
import { attributesOf, type Disclosure } from './disclose.ts';
import type { Json } from './json.ts';
import { itemsIn, type Place, textIn, under, whole } from './place.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';
import { markChange, objectsIn } from './terraform.ts';
import { differsIn } from './terraform-plan.ts';

/**
 * A choudoufu live plan with the plan of the same root beside it (R3.19): an instance that is bound, and that the plan would update or
 * replace, is drifted, since what the plan starts from is what is live. Whose it is stays as the live plan says.
 *
 * From description; the plan is in the form of `show -json`.
 *
 * @throws UnreadableError
 */
export function readLivePlanWithPlan(livePlan: Json, plan: Json, context: ReaderContext): DriftReading {
  const [live, planned] = [whole(livePlan), whole(plan)];
  const rows = under(planned, 'resource_changes');
  const masking = createMasking();
  for (const row of itemsIn(rows)) markChange(under(row, 'change'), masking);
  const changes = new Map(objectsIn(rows, 'deposed').map(({ address, at, type }) => [address, { change: under(at, 'change'), type }]));
  const findings = livePlanFindings(live).map((finding) => {
    const row = finding.status === 'in-sync' ? changes.get(finding.address) : undefined;
    return row !== undefined && changesIt(row.change) ? driftOf(finding, row.change, row.type, context) : finding;
  });
  return readingOf(findings, { engine: 'choudoufu', read: 'plan', evidence: livePlanEvidence(live, 'live-plan -json, show -json <plan>'), masking }, context);
}

function changesIt(change: Place): boolean {
  const actions = itemsIn(under(change, 'actions')).map(textIn);
  return actions.includes('update') || (actions.includes('create') && actions.includes('delete'));
}

/** The plan starts from what is live and ends at what is declared: expected is its end. */
function driftOf(finding: Finding, change: Place, type: string, disclosure: Disclosure): Finding {
  const attributes = attributesOf(differsIn(change, ['after', 'before']), type, disclosure);
  const unseen = { reason: 'cannot-read', detail: 'The plan changes it, and shows no attribute that differs.' } as const;
  return { ...finding, status: 'drifted', ...(attributes.length > 0 ? { attributes } : { attributesUnobserved: unseen }) };
}
