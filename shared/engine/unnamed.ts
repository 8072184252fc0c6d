import { type Effect, inOrder, markOf } from '../approvals/effect.ts';
import { effectOf, type Planning } from './effects.ts';
import { hideSecrets } from './inspect.ts';
import type { Inspecting } from './inspecting.ts';
import type { FieldChange, Op, ResourceChange } from './op.ts';
import { leaves } from './resolve.ts';
import { fieldHashes, hashOfValue, isValue, pendingIn, type Resolved, type ResolvedParams, sideOf, type Value } from './value.ts';

type Unnamed = Planning & Pick<Inspecting, 'params'>;

/**
 * What a line would create whose resources cannot be named, and so not looked for, before another line's output is there: its changes
 * against nothing, with each such output's mark in the names. A resource that is there after all is another effect, and is asked about.
 */
export function unnamedChanges({ world, op, call, params }: Unnamed): ResourceChange[] {
  const names = leaves(params).flatMap(({ value }) => (value.kind === 'pending' ? [value] : []));
  const changes = op.diff(withMarks(params, op.keyParams), { resources: [], outputs: {}, live: op.nothingLive }, call.context);
  return changes.map(({ hash: _ofMarks, ...change }) => {
    const fields = change.fields.map((field) => unmarked(field, names));
    return hideSecrets(world, { ...change, fields });
  });
}

export function unnamedEffects(job: Unnamed, changes: readonly ResourceChange[]): Effect[] {
  const references = [...new Set(leaves(job.params).flatMap(({ value }) => pendingIn(value)))];
  const inName = ({ key }: ResourceChange) => references.filter((reference) => key.includes(markOf(reference)));
  return inOrder(changes.map((change) => effectOf(job, change, actionOf(job.op), undefined, inName(change))));
}

/** What a line that has done nothing yet would do: a deed makes no resource. */
export const actionOf = ({ manual, action }: Pick<Op, 'manual' | 'action'>): Effect['action'] => (manual ? 'todo' : action ? 'run' : 'create');

/** The parameters with marks for the outputs that names are made of. What is kept as it is would have to be looked at: it is no change. */
function withMarks(params: ResolvedParams, keyParams: readonly string[]): ResolvedParams {
  return membersOf(params, (node, name) => marked(node, keyParams.includes(name)));
}

function marked(node: Resolved, inName: boolean): Resolved | undefined {
  if (Array.isArray(node)) return node.map((item: Resolved) => marked(item, inName)).filter((item) => item !== undefined);
  if (!isValue(node)) return membersOf(node as ResolvedParams, (member) => marked(member, inName));
  if (node.kind === 'keep') return undefined;
  return inName && node.kind === 'pending' ? { kind: 'known', value: nameOf(node), sensitive: node.sensitive } : node;
}

type Pending = Extract<Value, { readonly kind: 'pending' }>;

/** A value as it stands in a name: each output that is not there yet by its mark. */
const nameOf = ({ ref, parts }: Pending): string =>
  parts ? parts.map((part) => (typeof part === 'string' ? part : part.kind === 'known' ? String(part.value) : markOf(part.ref))).join('') : markOf(ref);

function membersOf(params: ResolvedParams, change: (node: Resolved, name: string) => Resolved | undefined): ResolvedParams {
  const members = Object.entries(params).map(([name, node]) => [name, change(node, name)] as const);
  return Object.fromEntries(members.flatMap(([name, node]) => (node === undefined ? [] : [[name, node]])));
}

/** An attribute that is the name itself waits for what the name waits for. */
function unmarked(field: FieldChange, names: readonly Pending[]): FieldChange {
  const name = names.find((one) => field.hashAfter === hashOfValue(nameOf(one)));
  if (name === undefined) return field;
  const { hashAfter: _ofAMark, ...rest } = field;
  return { ...rest, after: sideOf(name), ...fieldHashes(undefined, name) };
}
