import { type Effect, markOf } from '../approvals/effect.ts';
import { effectOf, inOrder, type Planning } from './effects.ts';
import { hideSecrets, type Inspecting } from './inspect.ts';
import type { FieldChange, Op, ResourceChange } from './op.ts';
import { leaves } from './resolve.ts';
import { hashOfValue, isValue, type Resolved, type ResolvedParams } from './value.ts';

type Unnamed = Planning & Pick<Inspecting, 'params'>;

/**
 * What a line would create whose resources cannot be named, and so not looked for, before another line's output is there: its changes
 * against nothing, with each such output's mark in the names. A resource that is there after all is another effect, and is asked about.
 */
export function unnamedChanges({ world, op, call, params }: Unnamed): ResourceChange[] {
  const references = pendingIn(params);
  const changes = op.diff(withMarks(params, op.keyParams), { resources: [], outputs: {}, live: op.nothingLive }, call.context);
  return changes.map(({ hash: _ofMarks, ...change }) => {
    const fields = change.fields.map((field) => unmarked(field, references));
    return hideSecrets(world, { ...change, fields });
  });
}

export function unnamedEffects(job: Unnamed, changes: readonly ResourceChange[]): Effect[] {
  const references = pendingIn(job.params);
  const inName = ({ key }: ResourceChange) => references.filter((reference) => key.includes(markOf(reference)));
  return inOrder(changes.map((change) => effectOf(job, change, actionOf(job.op), undefined, inName(change))));
}

/** What a line that has done nothing yet would do: a deed makes no resource. */
export const actionOf = ({ manual, action }: Pick<Op, 'manual' | 'action'>): Effect['action'] => (manual ? 'todo' : action ? 'run' : 'create');

const pendingIn = (params: ResolvedParams): string[] => leaves(params).flatMap(({ value }) => (value.kind === 'pending' ? [value.ref] : []));

/** The parameters with marks for the outputs that names are made of. What is kept as it is would have to be looked at: it is no change. */
function withMarks(params: ResolvedParams, keyParams: readonly string[]): ResolvedParams {
  return membersOf(params, (node, name) => marked(node, keyParams.includes(name)));
}

function marked(node: Resolved, inName: boolean): Resolved | undefined {
  if (Array.isArray(node)) return node.map((item: Resolved) => marked(item, inName)).filter((item) => item !== undefined);
  if (!isValue(node)) return membersOf(node as ResolvedParams, (member) => marked(member, inName));
  if (node.kind === 'keep') return undefined;
  return inName && node.kind === 'pending' ? { kind: 'known', value: markOf(node.ref), sensitive: node.sensitive } : node;
}

function membersOf(params: ResolvedParams, change: (node: Resolved, name: string) => Resolved | undefined): ResolvedParams {
  const members = Object.entries(params).map(([name, node]) => [name, change(node, name)] as const);
  return Object.fromEntries(members.flatMap(([name, node]) => (node === undefined ? [] : [[name, node]])));
}

/** An attribute that is the name itself waits for what the name waits for. */
function unmarked(field: FieldChange, references: readonly string[]): FieldChange {
  const ref = references.find((reference) => field.hashAfter === hashOfValue(markOf(reference)));
  if (ref === undefined) return field;
  const { hashAfter: _ofAMark, ...rest } = field;
  return { ...rest, after: { state: 'pending', ref } };
}
