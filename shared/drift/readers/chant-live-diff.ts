import { createMasking } from '../masking.ts';
import type { Unobserved, UnobservedReason } from '../record.ts';
import { attributesOf, type Differs, type Disclosure } from './disclose.ts';
import { type Json, memberOf } from './json.ts';
import { wayOf } from './paths.ts';
import { isThere, itemsIn, mapIn, membersIn, name, type Place, textIn, textOf, textOrNone, token, under, unreadable, whole } from './place.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';

/**
 * `chant lifecycle diff <env> --live --json` (R3.19): for each lexicon what is there, what was there at the last snapshot, and what is
 * declared, and over it the deep read of properties where a lexicon has one (R3.20).
 *
 * From description: the field names are those that chant publishes; no recording was made for this project.
 *
 * @throws UnreadableError
 */
export function readLiveDiff(document: Json, context: ReaderContext): DriftReading {
  const root = whole(document);
  const findings = new Map<string, Finding>();
  for (const [, lexicon] of membersIn(under(root, 'lexicons'))) {
    const thin = isThere(under(lexicon, 'resources')) ? thinFindings(lexicon, context) : new Map<string, Finding>();
    const laid = isThere(under(lexicon, 'deep')) ? overlaid(thin, under(lexicon, 'deep'), context) : thin;
    for (const [address, finding] of laid) {
      if (findings.has(address)) throw unreadable(lexicon, 'two lexicons have an entity of one name');
      findings.set(address, finding);
    }
  }
  const evidence = { tool: 'chant', command: 'chant lifecycle diff --live --json' };
  return readingOf([...findings.values()], { engine: 'chant', read: 'live-read', evidence, masking: createMasking() }, context);
}

/** The lists of one lexicon. An entity may stand in several: the first of these that has it says what it is. */
function thinFindings(lexicon: Place, disclosure: Disclosure): Map<string, Finding> {
  const lists = under(lexicon, 'resources');
  const observed = under(lexicon, 'observed');
  const typeOf = (entity: string): { readonly resourceType?: string } => {
    const one = isThere(observed) ? memberOf(mapIn(observed), entity) : undefined;
    const type = one === undefined ? undefined : textOrNone(under({ value: one, pointer: `${observed.pointer}/(member)` }, 'type'), typeForm, 'a type');
    return type === undefined ? {} : { resourceType: type };
  };
  const found = new Map<string, Finding>();
  const put = (finding: Finding): void => void (found.has(finding.address) || found.set(finding.address, finding));
  const names = (list: string): string[] => itemsIn(under(lists, list)).map(nameIn);
  for (const row of itemsIn(under(lists, 'unobserved'))) put(unobservedRow(row));
  for (const row of itemsIn(under(lists, 'runtimeChildren'))) put({ ...entityRow(row), status: 'runtime' });
  for (const address of names('orphan')) put({ address, ...typeOf(address), status: 'undeclared' });
  for (const address of names('disappeared')) put({ address, status: 'missing' });
  for (const address of names('missing')) put({ address, status: 'pending' });
  for (const row of itemsIn(under(lists, 'driftedSinceSnapshot'))) put(driftedRow(row, disclosure));
  for (const address of [...names('newlyObserved'), ...names('unchanged')]) put({ address, ...typeOf(address), status: 'in-sync' });
  return found;
}

const typeForm = /^[^\s\p{Cc}\p{Cs}]{1,256}$/u;
const nameIn = (place: Place): string => textOf(place, name, 'the name of an entity');

function entityRow(row: Place): { readonly address: string; readonly resourceType?: string } {
  const type = textOrNone(under(row, 'type'), typeForm, 'a type');
  return { address: nameIn(under(row, 'name')), ...(type === undefined ? {} : { resourceType: type }) };
}

/** The reasons of chant's own that say something that ours say; every other one is a read that failed. */
const reasons: Readonly<Record<string, UnobservedReason>> = {
  'not-reached': 'not-reached',
  filtered: 'filtered',
  'read-failed': 'read-failed',
  'no-reader': 'cannot-read',
  unsupported: 'cannot-read',
};

/** Its detail stays behind: it is a tool's text, which may hold anything. */
export function unobservedOf(place: Place): { readonly unobserved: Unobserved; readonly evidence: { readonly engineCode: string } } {
  const engineCode = textOf(under(place, 'reason'), token, 'a reason');
  return { unobserved: { reason: (Object.hasOwn(reasons, engineCode) ? reasons[engineCode] : undefined) ?? 'read-failed' }, evidence: { engineCode } };
}

const unobservedRow = (row: Place): Finding => ({ ...entityRow(row), status: 'not-observed', ...unobservedOf(row) });

function driftedRow(row: Place, disclosure: Disclosure): Finding {
  const entity = entityRow(row);
  const changes = itemsIn(under(row, 'changes')).map((change) => differs(change, 'oldValue', 'newValue'));
  return drifted(entity, changes, disclosure);
}

function differs(change: Place, before: string, after: string): Differs {
  const path = textIn(under(change, 'path'));
  return { way: wayOf(path) ?? [path], before: under(change, before).value, after: under(change, after).value };
}

function drifted(entity: { readonly address: string; readonly resourceType?: string }, changes: readonly Differs[], disclosure: Disclosure): Finding {
  const attributes = attributesOf(changes, entity.resourceType, disclosure);
  const unseen = { reason: 'cannot-read', detail: 'chant says that it drifted, and shows no property that did.' } as const;
  return { ...entity, status: 'drifted', ...(attributes.length > 0 ? { attributes } : { attributesUnobserved: unseen }) };
}

/** A deep read changes what is known to be there: a property that differs or is gone is drift, and a hole leaves the status alone. */
function overlaid(thin: ReadonlyMap<string, Finding>, deep: Place, disclosure: Disclosure): Map<string, Finding> {
  const laid = new Map(thin);
  for (const row of itemsIn(under(deep, 'drifted'))) {
    const entity = entityRow(row);
    // A property that nobody declares is the cloud's own business.
    const changes = itemsIn(under(row, 'changes')).filter((change) => under(change, 'kind').value !== 'undeclared');
    const below = laid.get(entity.address);
    const isPresent = below === undefined || below.status === 'in-sync' || below.status === 'drifted';
    if (changes.length > 0 && isPresent)
      laid.set(
        entity.address,
        drifted(
          entity,
          changes.map((change) => differs(change, 'declared', 'live')),
          disclosure,
        ),
      );
  }
  for (const row of itemsIn(under(deep, 'unobserved'))) {
    const { address } = entityRow(row);
    const below = laid.get(address);
    const { unobserved, evidence } = unobservedOf(row);
    if (below?.status === 'in-sync' || below?.status === 'drifted') laid.set(address, { ...below, attributesUnobserved: unobserved });
    else if (below === undefined) laid.set(address, { ...entityRow(row), status: 'not-observed', unobserved, evidence });
  }
  return laid;
}
