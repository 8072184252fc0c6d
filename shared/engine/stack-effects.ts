/** What a stack's tool would do, as people approve it and as they see it. */
import { resourceOf } from '../approvals/differences.ts';
import { type Action, actionsOf, type Effect, inOrder, isWrite, type SavedPlan } from '../approvals/effect.ts';
import type { Identity } from '../ledger/identity.ts';
import { fingerprint } from '../secrets/fingerprint.ts';
import type { FingerprintKey } from '../secrets/keys.ts';
import type { StackAction, StackChange, StackPlan, StackRoot } from '../stacks/tool-work.ts';
import type { ShownChange } from './op.ts';

/** How a stack is called in its repository: its folder, and its workspace where it is not the usual one. */
export const stackKey = ({ path, stack }: StackRoot): string => (stack === undefined ? path : `${path}#${stack}`);

/** The key of one resource of a stack. */
export const inStack = (stack: string, address: string): string => `${stack}/${address}`;

/**
 * What a plan would do: one effect for each resource of which it says anything, and first one of the stack as a whole, which names the saved plan
 * that is run. Without anything to do there is none of the stack.
 */
export function stackEffects(identity: Identity, plan: StackPlan): { readonly effects: readonly Effect[]; readonly seen: readonly Effect[] } {
  const all = plan.changes.map((change) => effectOf(identity, change));
  const writes = all.filter(isWrite);
  const head = writes.length === 0 ? [] : [{ ...headOf(identity), ...savedOf(plan) }];
  return { effects: inOrder([...head, ...writes]), seen: inOrder(all.filter((effect) => !isWrite(effect))) };
}

/** The address of one resource of a stack, as its effect has it. */
export const addressInStack = (identity: Identity, address: string): string => addressOf(identity, inStack(identity.key, address));

/** The stack as a whole: its tool is run. */
export const headOf = (identity: Identity): Effect => ({ address: addressOf(identity, identity.key), action: 'run', paths: [], waitsFor: [] });

/** A stack whose variables wait for other lines: it cannot be planned yet, and is asked about when it can. */
export const waitingHead = (identity: Identity, waitsFor: readonly string[]): Effect => ({ ...headOf(identity), waitsFor: [...new Set(waitsFor)].sort() });

/** The saved plan that approved effects name. */
export const savedIn = (effects: readonly Effect[]): SavedPlan | undefined => effects.find(({ saved }) => saved !== undefined)?.saved;

const savedOf = ({ saved, state }: StackPlan): Pick<Effect, 'saved'> =>
  saved === undefined ? {} : { saved: { sha256: saved.sha256, ...(state ? { lineage: state.lineage, serial: state.serial } : {}) } };

const addressOf = ({ adapter, account }: Identity, key: string): string => JSON.stringify([adapter, Object.entries(account).sort(), key]);

function effectOf(identity: Identity, change: StackChange): Effect {
  const { action, does } = actionOf(change);
  const replaces = new Set(change.replacePaths);
  return {
    address: addressInStack(identity, change.address),
    action,
    ...(action === 'replace' ? { order: change.actions[0] === 'create' ? (['create', 'delete'] as const) : (['delete', 'create'] as const) } : {}),
    ...(does ? { does } : {}),
    paths: [...new Set([...change.paths, ...replaces])].sort().map((path) => ({ path })),
    ...(change.before ? { before: change.before } : {}),
    ...(change.after ? { after: change.after } : {}),
    waitsFor: [],
  };
}

const movedFrom = 'move from ';

/** The one word for what is done, and all of it where that does not say so. */
function actionOf({ actions, previousAddress }: StackChange): { readonly action: Action; readonly does?: readonly string[] } {
  const done = actions.filter((action) => action !== 'none');
  const moved = previousAddress === undefined ? [] : [`${movedFrom}${previousAddress}`];
  const action = wordOf(done, moved.length > 0);
  const does = [...moved, ...done];
  // Of a replacement the order says the rest, but where the old one is only forgotten, or the new one is taken over first.
  const isPlain = does.length < 2 || (action === 'replace' && done.every((one) => one === 'create' || one === 'delete'));
  return moved.length === 0 && isPlain ? { action } : { action, does };
}

function wordOf(done: readonly StackAction[], moved: boolean): Action {
  // What goes is never hidden behind what takes its place, be that made, taken over or only read.
  const goes = done.includes('delete') || done.includes('forget');
  if (goes && done.some((one) => one === 'create' || one === 'import' || one === 'read')) return 'replace';
  const [first] = done;
  if (first === undefined) return moved ? 'move' : 'no-op';
  return first === 'none' ? 'no-op' : first;
}

/** As it is shown: the names of attributes, and values of those alone that policy lists. What is lost comes first. */
export function stackChanges(stack: string, { changes }: Pick<StackPlan, 'changes'>): ShownChange[] {
  return changes.flatMap((change) => shownOf(stack, change) ?? []).sort((a, b) => weightOf(a) - weightOf(b) || (a.key < b.key ? -1 : 1));
}

const weightOf = ({ kind, replaces, as }: ShownChange): number => (kind === 'delete' || replaces ? 0 : as === 'forget' ? 1 : 2);

function shownOf(stack: string, change: StackChange): ShownChange | undefined {
  const { action } = actionOf(change);
  if (action === 'no-op' || action === 'read') return undefined;
  const base = { key: inStack(stack, change.address), label: labelOf(change), fields: fieldsOf(change) };
  if (action === 'replace') return { ...base, kind: 'create', replaces: true, ...(change.actions[0] === 'create' ? { createsFirst: true as const } : {}) };
  if (action === 'import' || action === 'forget' || action === 'move') return { ...base, kind: 'update', as: action };
  const kind = action === 'create' || action === 'delete' ? action : 'update';
  return { ...base, kind, ...(change.previousAddress === undefined ? {} : { as: 'move' as const }) };
}

const labelOf = ({ address, previousAddress }: StackChange): string => (previousAddress === undefined ? address : `${address} (was ${previousAddress})`);

/** Of what is made or deleted whole, the values that policy lists; of what changes, the names of all that does. */
function fieldsOf({ actions, paths, shown = [] }: StackChange): ShownChange['fields'] {
  const values = new Map(shown.map((one) => [one.path, one]));
  const isWhole = actions.length === 1 && (actions[0] === 'create' || actions[0] === 'delete');
  return (isWhole ? shown.map(({ path }) => path) : paths).map((path) => {
    const one = values.get(path);
    return one === undefined ? { path, before: unshown, after: unshown } : { path, before: sideOf(one.before), after: sideOf(one.after) };
  });
}

const unshown = { state: 'unshown' } as const;

function sideOf(value: unknown): ShownChange['fields'][number]['before'] {
  if (value === undefined || value === null) return { state: 'absent' };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { state: 'literal', value };
  return { state: 'literal', value: JSON.stringify(value) };
}

/** A key of fingerprints that this stack alone has: its job is given no other. */
export function stackFingerprintKey(key: FingerprintKey, hash: string): { readonly id: string; readonly key: string } {
  return { id: key.id, key: Buffer.from(fingerprint(key, `stack ${hash}`).mac, 'hex').toString('base64') };
}

/** Approved effects of a stack as its tool's job is told them. */
export function approvedChanges(stack: string, effects: readonly Effect[]): StackChange[] {
  return effects.flatMap((effect): StackChange[] => {
    const key = resourceOf(effect);
    const prefix = inStack(stack, '');
    if (!key.startsWith(prefix)) return [];
    const address = key.slice(prefix.length);
    const does = effect.does ?? actionsOf(effect);
    const moved = does.find((one) => one.startsWith(movedFrom))?.slice(movedFrom.length);
    const actions = does.filter((one): one is StackAction => isAction.has(one));
    return [
      {
        address,
        type: address.startsWith('output.') ? 'output' : '',
        actions: actions.length === 0 ? ['none'] : actions,
        ...(moved === undefined ? {} : { previousAddress: moved }),
        paths: effect.paths.map(({ path }) => path),
        ...(effect.before ? { before: effect.before } : {}),
        ...(effect.after ? { after: effect.after } : {}),
      },
    ];
  });
}

const isAction: ReadonlySet<string> = new Set<StackAction>(['read', 'create', 'update', 'delete', 'import', 'forget']);
