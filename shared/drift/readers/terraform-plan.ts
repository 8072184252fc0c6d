import { createMasking, type Masking } from '../masking.ts';
import type { Engine, Status } from '../record.ts';
import { attributesOf, type Differs, type Disclosure } from './disclose.ts';
import type { Json } from './json.ts';
import { isMarked } from './marks.ts';
import { differences } from './paths.ts';
import { flagIn, inside, isThere, itemsIn, mapIn, membersIn, type Place, textIn, textOf, textOrNone, token, under, unreadable, whole } from './place.ts';
import { type DriftReading, type Finding, type ReaderContext, readingOf } from './reading.ts';
import {
  engineOf,
  evidenceOf,
  markChange,
  markState,
  markVariables,
  objectAt,
  objectsIn,
  objectsOfState,
  providersIn,
  type TerraformObject,
} from './terraform.ts';
import { declaredBlocks, isDeclared } from './terraform-graph.ts';

/**
 * `terraform show -json <plan>` (R3.19): what the plan's own refresh found. A row of `resource_drift` is drifted or missing; one that would
 * be created is pending; one that would be deleted or forgotten, and that no block declares any more, is undeclared; one that would be
 * imported is unclaimed; the others are in sync, whatever the plan wants to change of them. What the plan left out was not observed.
 *
 * Checked against recordings of Terraform 1.11 and OpenTofu 1.12. A plan made with `-refresh=false` read nothing, and its document does not
 * say so: whoever makes it must not ask for drift with it.
 *
 * @throws UnreadableError
 */
export function readTerraformPlan(document: Json, context: ReaderContext, { engine: given }: { readonly engine?: Engine } = {}): DriftReading {
  const root = whole(document);
  const [changes, drift] = [under(root, 'resource_changes'), under(root, 'resource_drift')];
  const state = inside(inside(under(root, 'prior_state'), 'values'), 'root_module');
  const engine = engineOf(root, given, providersIn([changes, drift, ...modulesIn(state)]));
  const evidence = evidenceOf(root, engine, 'show -json <plan>');
  const masking = createMasking();
  markPlan(root, masking);
  const findings = findingsIn(root, context);
  const made = textOrNone(under(root, 'timestamp'), timeForm, 'a time');
  const notes = flagIn(under(root, 'errored')) ? ['The plan broke off: what it did not come to was not observed.'] : [];
  return readingOf(findings, { engine, read: 'plan', evidence, masking, notes }, made === undefined ? context : { ...context, observedAt: made });
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function* walkModules(module: Place): Generator<Place> {
  yield module;
  for (const child of itemsIn(under(module, 'child_modules'))) yield* walkModules(child);
}

const modulesIn = (module: Place): Place[] => (isThere(module) ? [...walkModules(module)].map((one) => under(one, 'resources')) : []);

/** Everything that the document marks, wherever: a value that is marked in one place stands unmarked in others. */
export function markPlan(root: Place, masking: Pick<Masking, 'mark'>): void {
  for (const list of ['resource_drift', 'resource_changes']) for (const row of itemsIn(under(root, list))) markChange(under(row, 'change'), masking);
  for (const row of itemsIn(under(root, 'deferred_changes'))) markChange(under(under(row, 'resource_change'), 'change'), masking);
  for (const [, change] of membersIn(under(root, 'output_changes'))) markChange(change, masking);
  markVariables(root, masking);
  for (const name of ['planned_values', 'prior_state']) {
    const values = name === 'planned_values' ? under(root, name) : inside(under(root, name), 'values');
    if (isThere(values)) markState(values, masking);
  }
}

/** What the refresh found first, then what the plan says of the rest, then what neither speaks of. */
function findingsIn(root: Place, disclosure: Disclosure): Finding[] {
  const rows = under(root, 'resource_changes');
  const drifted = objectsIn(under(root, 'resource_drift'), 'deposed').map((object) => driftOf(object, disclosure));
  const blocks = declaredBlocks(root.value ?? null);
  const planned = objectsIn(rows, 'deposed').map((object) => plannedOf(object, isDeclared(blocks, object.current)));
  const deferred = itemsIn(under(root, 'deferred_changes')).flatMap(deferredOf);
  const found = new Map<string, Finding>();
  for (const finding of [...drifted, ...planned, ...deferred]) if (!found.has(finding.address)) found.set(finding.address, finding);
  const values = inside(under(root, 'prior_state'), 'values');
  const rest = isThere(values) ? objectsOfState(values) : [];
  return [...found.values(), ...rest.filter(({ address }) => !found.has(address)).map((object) => restOf(object, root, isThere(rows)))];
}

const finding = ({ address, type }: TerraformObject, status: Status, engineCode: string | undefined, more: Partial<Finding> = {}): Finding => ({
  address,
  resourceType: type,
  status,
  ...more,
  ...(engineCode === undefined ? {} : { evidence: { engineCode } }),
});

function driftOf(object: TerraformObject, disclosure: Disclosure): Finding {
  const change = under(object.at, 'change');
  const actions = actionsIn(change);
  if (actions === 'delete') return finding(object, 'missing', 'delete');
  // A row for what moved and did not change: its new address is known, and that is all.
  if (actions === 'no-op') return finding(object, 'in-sync', undefined);
  if (actions !== 'update') throw unreadable(under(change, 'actions'), 'what drifted was updated or deleted');
  const attributes = attributesOf(differsIn(change), object.type, disclosure);
  return finding(object, 'drifted', 'update', attributes.length > 0 ? { attributes } : { attributesUnobserved: nowhereShown });
}

const nowhereShown = { reason: 'cannot-read', detail: 'The tool says that it differs, and shows no attribute that does.' } as const;

/** Expected is what the last apply recorded, found is what the refresh read. */
export function differsIn(change: Place, [expected, found]: readonly [string, string] = ['before', 'after']): Differs[] {
  const marks = ['before_sensitive', 'after_sensitive'].map((name) => under(change, name).value);
  return differences(mapIn(under(change, expected)), mapIn(under(change, found))).map((one) =>
    marks.some((mark) => isMarked(mark, one.way)) ? { ...one, sensitive: true } : one,
  );
}

function plannedOf(object: TerraformObject, declared: boolean): Finding {
  const change = under(object.at, 'change');
  const reason = textOrNone(under(object.at, 'action_reason'), token, 'a reason');
  const actions = actionsIn(change);
  if (isThere(under(change, 'importing'))) {
    return finding(object, 'unclaimed', 'import', { ownership: { verdict: 'adoptable', by: 'state', markerOnObject: false, adopt: true } });
  }
  if (actions === 'create') return finding(object, 'pending', reason);
  if (actions === 'forget' || actions === 'delete') {
    // A plan that destroys everything gives no reason, and its blocks are still there.
    const going = object.address !== object.current || reason !== undefined || !declared;
    return going ? finding(object, 'undeclared', reason ?? actions) : finding(object, 'in-sync', undefined);
  }
  return finding(object, 'in-sync', reason);
}

const knownActions = ['no-op', 'create', 'read', 'update', 'delete', 'forget', 'delete,create', 'create,delete', 'create,forget', 'forget,create'];

function actionsIn(change: Place): string {
  const place = under(change, 'actions');
  const actions = itemsIn(place).map(textIn).join(',');
  if (!knownActions.includes(actions)) throw unreadable(place, 'these are no actions that are known');
  return actions;
}

/** What has to wait until something else is there: it was not compared. */
function deferredOf(row: Place): Finding[] {
  const object = objectAt(under(row, 'resource_change'), 'deposed');
  if (object === undefined) return [];
  const reason = textOf(under(row, 'reason'), token, 'a reason');
  const unobserved = { reason: 'not-reached', detail: 'The plan put it off until something else is there.' } as const;
  return [finding(object, 'not-observed', reason, { unobserved })];
}

function restOf(object: TerraformObject, root: Place, isWholePlan: boolean): Finding {
  const failed = { reason: 'read-failed', detail: 'The plan broke off before it had looked at everything.' } as const;
  if (flagIn(under(root, 'errored'))) return finding(object, 'not-observed', undefined, { unobserved: failed });
  // A plan that only refreshes has no rows for what did not change; any other one has a row for everything that it looked at.
  const leftOut = isWholePlan || under(root, 'complete').value === false;
  return leftOut ? finding(object, 'not-observed', undefined, { unobserved: targeted }) : finding(object, 'in-sync', undefined);
}

const targeted = { reason: 'filtered', detail: 'The plan was made for a part of the configuration.' } as const;
