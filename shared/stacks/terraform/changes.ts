import { canonicalJson } from '../../approvals/canonical-json.ts';
import { createMasking } from '../../drift/masking.ts';
import { plain } from '../../drift/readers/disclose.ts';
import { isList, isMap, type Json, same } from '../../drift/readers/json.ts';
import { differences, pathText, valueAt, type Way } from '../../drift/readers/paths.ts';
import { flagIn, isThere, itemsIn, mapIn, membersIn, type Place, textIn, textOf, textOrNone, token, under, whole } from '../../drift/readers/place.ts';
import { deposedAddress } from '../../drift/readers/reading.ts';
import type { Shown } from '../../drift/readers/show.ts';
import { addressIn, evidenceOf } from '../../drift/readers/terraform.ts';
import { markPlan } from '../../drift/readers/terraform-plan.ts';
import { type Fingerprint, fingerprint } from '../../secrets/fingerprint.ts';
import type { FingerprintKey } from '../../secrets/keys.ts';
import { NotUnderstoodError } from '../not-understood.ts';
import type { StackAction, StackChange } from '../tool-work.ts';
import { actionsOf, previousAddressOf } from './actions.ts';
import { shownOf } from './shown.ts';
import { isUnknown, unknownIn } from './unknown.ts';

export interface ChangeContext {
  readonly key: FingerprintKey;
  /** The attributes whose values may be shown. */
  readonly show: readonly Shown[];
}

/**
 * What a plan would do, by `show -json` of it: one change an object and one a root output, sorted by address. What stays as it is has none.
 * What a replacement left behind is an object of its own.
 *
 * @throws NotUnderstoodError for an action, or a part of the document that stands for work, that is not known.
 * @throws UnreadableError when it is not a whole plan.
 */
export function changesOfPlan(document: Json, context: ChangeContext): StackChange[] {
  const root = whole(document);
  evidenceOf(root, 'terraform', 'show -json <plan>');
  // A state looks like a plan that does nothing.
  mapIn(under(root, 'planned_values'));
  refuseOtherWork(root);
  const masking = createMasking();
  markPlan(root, masking);
  const drifted = driftedIn(root);
  const rows = itemsIn(under(root, 'resource_changes')).flatMap((row) => resourceChange(row, { ...context, drifted }, masking) ?? []);
  const outputs = membersIn(under(root, 'output_changes')).flatMap(([name, change]) => outputChange(name, change, context.key) ?? []);
  const changes = [...rows, ...outputs].sort((a, b) => (a.address < b.address ? -1 : 1));
  const twice = changes.find(({ address }, index) => changes[index + 1]?.address === address);
  if (twice !== undefined) throw new NotUnderstoodError('The plan names one object twice.', twice.address);
  return changes;
}

/** Work that stands elsewhere in the document would be done without having been shown to anybody. */
function refuseOtherWork(root: Place): void {
  if (flagIn(under(root, 'errored'))) throw new NotUnderstoodError('The plan broke off, so that it is no whole plan.');
  for (const part of ['deferred_changes', 'action_invocations', 'deferred_action_invocations']) {
    const first = itemsIn(under(root, part))[0];
    if (first === undefined) continue;
    const at = part === 'deferred_changes' ? under(first, 'resource_change') : first;
    const address = textOrNone(under(at, 'address'), /^[^\p{Cc}]{1,4096}$/u, 'an address');
    throw new NotUnderstoodError('The plan puts work off, or invokes actions, which this version of Lockkeeper does not know how to show.', address);
  }
}

function resourceChange(
  row: Place,
  { key, show, drifted }: ChangeContext & { readonly drifted: Drifted },
  masking: ReturnType<typeof createMasking>,
): StackChange | undefined {
  // Opened for as long as the tool runs, and in no state.
  if (textOf(under(row, 'mode'), token, 'a mode') === 'ephemeral') return undefined;
  const address = addressOf(row);
  const actions = actionsOf(row, address);
  if (actions.length === 0) return undefined;
  const type = textIn(under(row, 'type'));
  const change = under(row, 'change');
  const previousAddress = previousAddressOf(row);
  const replacePaths = replacePathsOf(change);
  const shown = shownOf(change, type, show, masking);
  return {
    address,
    type,
    actions,
    ...(previousAddress === undefined ? {} : { previousAddress }),
    paths: [...new Set([...pathsOf(change), ...replacePaths])].sort(),
    ...(replacePaths.length === 0 ? {} : { replacePaths }),
    ...sidesOf(change, key),
    ...(previousAddress === undefined && putsBack(actions, change, drifted.get(address)) ? { putsBack: true } : {}),
    ...(shown.length === 0 ? {} : { shown }),
  };
}

function addressOf(row: Place): string {
  const current = addressIn(under(row, 'address'));
  const deposed = textOrNone(under(row, 'deposed'), /^[0-9a-f]{1,32}$/, 'the key of a deposed object');
  return deposed === undefined ? current : deposedAddress(current, deposed);
}

/** What was recorded of each object that the plan's refresh found edited outside, or gone. */
type Drifted = ReadonlyMap<string, Json | undefined>;

const driftedIn = (root: Place): Drifted =>
  new Map(itemsIn(under(root, 'resource_drift')).map((row) => [addressOf(row), under(under(row, 'change'), 'before').value]));

/** Whether all that a plan knows of what will be is as it was recorded, where it differs from what is there. */
function putsBack(actions: readonly StackAction[], change: Place, recorded: Json | undefined): boolean {
  if (!isMap(recorded) || actions.length !== 1) return false;
  const [before, after] = [under(change, 'before').value, under(change, 'after').value];
  if (actions[0] !== 'update' && actions[0] !== 'create') return false;
  const moved = actions[0] === 'update' ? differences(before, after) : differences(recorded, after);
  return moved.every(({ way }) => isUnknown(under(change, 'after_unknown').value, way) || same(valueAt(recorded, way), valueAt(after, way)));
}

/** Where something that is there differs from what it is to be. What is made or goes away is named as a whole. */
function pathsOf(change: Place): string[] {
  const [before, after] = [under(change, 'before'), under(change, 'after')];
  if (!isThere(before) || !isThere(after)) return [];
  return differences(before.value, after.value).map(({ way }) => pathText(way));
}

function replacePathsOf(change: Place): string[] {
  const ways = itemsIn(under(change, 'replace_paths')).map((path) =>
    itemsIn(path).map(({ value }): Way[number] => (typeof value === 'number' ? value : String(value))),
  );
  return [...new Set(ways.map(pathText))].sort();
}

/** What is there as a whole, and what is to be, with what the provider decides told apart from what is known. Secrets count: a rotated one is a change. */
function sidesOf(change: Place, key: FingerprintKey): { readonly before?: Fingerprint; readonly after?: Fingerprint } {
  const [before, after, unknown] = ['before', 'after', 'after_unknown'].map((name) => under(change, name).value);
  const left = unknownIn(unknown);
  const known = after === null && left !== undefined ? undefined : after;
  return {
    ...(before === null || before === undefined ? {} : { before: fingerprint(key, canonicalJson(plain(before))) }),
    ...(known === null && left === undefined
      ? {}
      : {
          after: fingerprint(
            key,
            canonicalJson({ ...(known === undefined ? {} : { known: plain(known) }), ...(left === undefined ? {} : { unknown: plain(left) }) }),
          ),
        }),
  };
}

const outputActions: Readonly<Record<string, StackAction>> = { create: 'create', update: 'update', delete: 'delete' };

/** An output of the root is no resource, and is applied all the same: later lines use it. */
function outputChange(name: string, change: Place, key: FingerprintKey): StackChange | undefined {
  const actions = under(change, 'actions').value;
  const action = isList(actions) && actions.length === 1 ? String(actions[0]) : '';
  if (action === 'no-op') return undefined;
  const known = outputActions[action];
  if (known === undefined) throw new NotUnderstoodError('The plan has an action that this version of Lockkeeper does not know.', `output.${name}`);
  return { address: `output.${name}`, type: 'output', actions: [known], paths: [], ...sidesOf(change, key) };
}
