import { createMasking } from '../masking.ts';
import { liveAddress, livePlanEvidence, livePlanFindings } from './choudoufu-live-plan.ts';
import type { Json } from './json.ts';
import { flagIn, isThere, itemsIn, type Place, textOf, token, under, unreadable, whole } from './place.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';
import { addressIn } from './terraform.ts';

/**
 * `choudoufu live-ls -json`, alone or beside the live plan of the same root (R3.19): what carries the estate's mark and is declared by
 * nobody is undeclared, and a gap of the listing that the live plan does not answer was not observed.
 *
 * From description: the field names are those of choudoufu 0.15's published documents; no recording was made for this project.
 *
 * @param plan the live plan, where there is one: its answers come first.
 * @throws UnreadableError
 */
export function readLiveListing(document: Json, context: ReaderContext, plan?: Json): DriftReading {
  const root = whole(document);
  const findings = new Map<string, Finding>();
  for (const finding of plan === undefined ? [] : livePlanFindings(whole(plan))) findings.set(finding.address, finding);
  const answered = new Set(findings.keys());
  for (const [row, finding] of listed(root)) {
    if (answered.has(finding.address)) continue;
    if (findings.has(finding.address)) throw unreadable(row, 'this address has a row already');
    findings.set(finding.address, finding);
  }
  const notes = isThere(under(root, 'gaps_skipped')) ? ['The listing was not compared with the declared instances: what is missing in it is not known.'] : [];
  const evidence = livePlanEvidence(plan === undefined ? root : whole(plan), plan === undefined ? 'live-ls -json' : 'live-plan -json, live-ls -json');
  return readingOf([...findings.values()], { engine: 'choudoufu', read: 'ownership', evidence, masking: createMasking(), notes }, context);
}

function listed(root: Place): (readonly [Place, Finding])[] {
  const items = itemsIn(under(root, 'items'));
  const compared = isThere(under(root, 'config_dir')) && under(root, 'config_dir').value !== '';
  if (!compared && items.length > 0)
    throw unreadable(under(root, 'config_dir'), 'the listing was made without a directory, so that it does not know what is declared');
  return [...items.flatMap(itemRow), ...itemsIn(under(root, 'gaps')).map(gapRow)];
}

function itemRow(row: Place): (readonly [Place, Finding])[] {
  const type = textOf(under(row, 'type'), /^[A-Za-z][\w:.-]{0,255}$/, 'a resource type');
  if (flagIn(under(row, 'declared'))) return [];
  const held = isThere(under(row, 'held_by')) || isThere(under(row, 'controller_held'));
  const address = liveAddress(row, type, ['address'], ['id']);
  if (held) return [[row, { address, resourceType: type, status: 'runtime', ownership: { verdict: 'foreign', by: 'label' } }]];
  return [[row, { address, resourceType: type, status: 'undeclared', ownership: { verdict: 'owned', by: 'marker', markerOnObject: true } }]];
}

function gapRow(row: Place): readonly [Place, Finding] {
  const engineCode = textOf(under(row, 'rung'), token, 'a rung');
  const unobserved = { reason: 'cannot-read', detail: 'The listing goes by marks, and this carries none.' } as const;
  return [row, { address: addressIn(under(row, 'address')), status: 'not-observed', unobserved, evidence: { engineCode } }];
}
