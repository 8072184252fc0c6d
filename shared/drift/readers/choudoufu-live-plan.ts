import { createMasking } from '../masking.ts';
import type { Ownership, UnobservedReason } from '../record.ts';
import { type Json, memberOf } from './json.ts';
import { isThere, itemsIn, mapIn, name, type Place, textOf, textOrNone, token, under, unreadable, version, whole } from './place.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';
import { addressIn } from './terraform.ts';

/**
 * `choudoufu live-plan -json` (R3.19): which live object each declared instance is bound to, by whose mark, and what it found beside them.
 *
 * From description: the field names are those of choudoufu 0.15's published documents; no recording was made for this project.
 *
 * @throws UnreadableError
 */
export function readLivePlan(document: Json, context: ReaderContext): DriftReading {
  const root = whole(document);
  return readingOf(
    livePlanFindings(root),
    { engine: 'choudoufu', read: 'ownership', evidence: livePlanEvidence(root, 'live-plan -json'), masking: createMasking() },
    context,
  );
}

export function livePlanEvidence(root: Place, command: string): { tool: string; version?: string; command: string } {
  textOrNone(under(root, 'estate'), name, 'the name of an estate');
  const release = ['choudoufu_version', 'upstream_version']
    .map((field) => textOrNone(under(root, field), version, 'a version'))
    .find((one) => one !== undefined);
  return { tool: 'choudoufu', ...(release === undefined ? {} : { version: release }), command: `choudoufu ${command}` };
}

/** The findings of a live plan, one for each address. What is claimed by nobody or by somebody else comes before what the omissions say of it. */
export function livePlanFindings(root: Place): Finding[] {
  for (const section of ['bound', 'omissions', 'unowned']) {
    if (!Object.hasOwn(mapIn(root), section)) throw unreadable(under(root, section), 'a live plan has this section');
  }
  const findings = new Map<string, Finding>();
  const unclaimed = [...itemsIn(under(root, 'unowned')).map(unownedRow), ...itemsIn(under(root, 'adoptable')).map(adoptableRow)];
  for (const [place, finding] of unclaimed) addOnce(findings, place, finding);
  for (const row of itemsIn(under(root, 'bound'))) addOnce(findings, row, boundRow(row));
  const seen = new Set<string>();
  for (const row of itemsIn(under(root, 'omissions'))) {
    const address = addressIn(under(row, 'addr'));
    if (seen.has(address) || findings.get(address)?.status === 'in-sync') throw unreadable(row, 'this address has a row already');
    seen.add(address);
    if (!findings.has(address)) findings.set(address, omission(row, address));
  }
  for (const row of itemsIn(under(root, 'foreign'))) addOnce(findings, row, beside(row, 'undeclared', { verdict: 'foreign', by: 'marker' }));
  for (const row of itemsIn(under(root, 'controller_held'))) addOnce(findings, row, beside(row, 'runtime', { verdict: 'foreign', by: 'label' }));
  return [...findings.values()];
}

function addOnce(findings: Map<string, Finding>, row: Place, finding: Finding): void {
  if (findings.has(finding.address)) throw unreadable(row, 'this address has a row already');
  findings.set(finding.address, finding);
}

const typeIn = (row: Place): string => textOf(under(row, 'type'), /^[A-Za-z][\w:.-]{0,255}$/, 'a resource type');

const sources = ['marker', 'derived', 'record', 'cache'] as const;

function boundRow(row: Place): Finding {
  const by = sources.find((one) => one === under(row, 'source').value);
  if (by === undefined) throw unreadable(under(row, 'source'), `the source is ${sources.join(', ')}`);
  const ownership: Ownership = { verdict: 'owned', by, markerOnObject: by === 'marker' };
  return { address: addressIn(under(row, 'addr')), resourceType: typeIn(row), status: 'in-sync', ownership };
}

function unownedRow(row: Place): readonly [Place, Finding] {
  const holder = textOrNone(under(row, 'tofu_estate'), name, 'the name of an estate');
  const adoptable = isThere(under(row, 'adopt_tofu_estate')) && under(row, 'adopt_tofu_estate').value !== '';
  const ownership: Ownership =
    holder !== undefined
      ? { verdict: 'foreign', by: 'marker', markerOnObject: true, ownedBy: holder }
      : { verdict: adoptable ? 'adoptable' : 'unknown', by: 'marker', markerOnObject: false, adopt: adoptable };
  return [row, { address: addressIn(under(row, 'addr')), resourceType: typeIn(row), status: 'unclaimed', ownership, evidence: { engineCode: 'UNOWNED' } }];
}

/** What a sweep matched by its content to a declaration that has no identity of its own. */
function adoptableRow(row: Place): readonly [Place, Finding] {
  const ownership: Ownership = { verdict: 'adoptable', by: 'derived', markerOnObject: false, adopt: true };
  return [row, { address: addressIn(under(row, 'addr')), resourceType: typeIn(row), status: 'unclaimed', ownership }];
}

/** Why a reason of the engine's own is no answer. Nothing is absent but what it says is absent. */
const reasons: Readonly<Record<string, UnobservedReason>> = {
  VERIFIED_NOT_IMPORTABLE: 'read-failed',
  OUT_OF_SCOPE: 'filtered',
  NEEDS_DISCOVERY: 'not-reached',
  UNOWNED: 'read-failed',
};

function omission(row: Place, address: string): Finding {
  const engineCode = textOf(under(row, 'reason'), token, 'a reason');
  if (engineCode === 'ABSENT') return { address, status: 'pending', evidence: { engineCode } };
  const detail =
    engineCode === 'UNOWNED'
      ? 'Something is there, and the document does not say what holds it.'
      : 'choudoufu left it out, and gives the reason that is the engine’s code here.';
  return { address, status: 'not-observed', unobserved: { reason: memberOfReasons(engineCode), detail }, evidence: { engineCode } };
}

const memberOfReasons = (code: string): UnobservedReason => (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? 'read-failed';

/** An object that no declaration names: it goes by its type and its identity, or by the address that its mark gives. */
function beside(row: Place, status: 'undeclared' | 'runtime', ownership: Ownership): Finding {
  const type = typeIn(row);
  return { address: liveAddress(row, type, ['addr'], ['identity', 'live_id', 'id']), resourceType: type, status, ownership };
}

/** The address that something live goes by: the one that its mark gives, else `<type>["<identity>"]`. */
export function liveAddress(row: Place, type: string, addresses: readonly string[], identities: readonly string[]): string {
  const marked = addresses.map((field) => under(row, field)).find((place) => isThere(place) && place.value !== '');
  if (marked !== undefined) return addressIn(marked);
  const field = identities.find((one) => memberOf(mapIn(row), one) !== undefined) ?? identities[0] ?? '';
  return `${type}[${JSON.stringify(textOf(under(row, field), name, 'an identity'))}]`;
}
