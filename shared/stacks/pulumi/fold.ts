import { createHash } from 'node:crypto';
import { deposedAddress } from '../../drift/readers/reading.ts';
import { UnreadableError } from '../../drift/readers/unreadable.ts';
import type { StackAction } from '../tool-work.ts';
import type { PulumiStep } from './event.ts';

/** All that Pulumi would do to, or did with, one resource. */
export interface Folded {
  readonly address: string;
  readonly actions: readonly StackAction[];
  readonly previousAddress?: string;
  /** The step that tells most of it: the new resource's, where there is one. */
  readonly step: PulumiStep;
}

/** What is nothing that is done: unchanged, looked at, the sum of a replacement's steps, a note in the state. */
const nothing: ReadonlySet<string> = new Set(['same', 'refresh', 'replace', 'remove-pending-replace']);

const actionOf: Readonly<Record<string, StackAction>> = {
  create: 'create',
  'create-replacement': 'create',
  update: 'update',
  delete: 'delete',
  'delete-replaced': 'delete',
  read: 'read',
  'read-replacement': 'read',
  import: 'import',
  'import-replacement': 'import',
  discard: 'forget',
  'discard-replaced': 'forget',
};

const makes: ReadonlySet<string> = new Set(['create', 'create-replacement', 'read-replacement', 'import-replacement']);
export const removes: ReadonlySet<string> = new Set(['delete', 'delete-replaced']);

/**
 * The steps of one preview or update, by resource. A replacement keeps the order in which Pulumi does it: most create first and delete
 * later, some the other way round.
 *
 * @throws UnreadableError for an operation that is not known, a replacement without its parts, and a resource of which two things are said.
 */
export function folded(steps: readonly PulumiStep[]): Folded[] {
  const byUrn = new Map<string, PulumiStep[]>();
  for (const step of steps) byUrn.set(step.urn, [...(byUrn.get(step.urn) ?? []), step]);
  return [...byUrn.values()].flatMap(foldedOne);
}

function foldedOne(steps: readonly PulumiStep[]): Folded[] {
  for (const { op } of steps) if (!nothing.has(op) && actionOf[op] === undefined) throw new UnreadableError(`\`${op}\` is no operation that is known`);
  const left = steps.filter((step) => isOfWhatWasLeft(step, steps));
  const own = steps.filter((step) => !left.includes(step));
  const done = own.filter(({ op }) => !nothing.has(op));
  if (done.length === 0 && own.some(({ op }) => op === 'replace')) throw new UnreadableError('a replacement does not say in which order it is made');
  if (done.length > 2 || (done.length === 2 && new Set(done.map(actionIn)).size === 1)) throw new UnreadableError('two things are said of one resource');
  const step = done.find(({ op }) => makes.has(op)) ?? done[0] ?? own[0];
  return [...(step === undefined ? [] : ofOne(step, done)), ...left.map((one): Folded => ({ address: leftAddress(one), actions: [actionIn(one)], step: one }))];
}

function ofOne(step: PulumiStep, done: readonly PulumiStep[]): Folded[] {
  const previous = step.old?.urn;
  const moved = previous !== undefined && previous !== '' && previous !== step.urn ? { previousAddress: previous } : {};
  if (done.length === 0 && moved.previousAddress === undefined) return [];
  return [{ address: step.urn, actions: done.length === 0 ? ['none'] : done.map(actionIn), ...moved, step }];
}

function actionIn({ op, old }: PulumiStep): StackAction {
  return removes.has(op) && old?.retained === true ? 'forget' : (actionOf[op] ?? 'none');
}

/** The deletion of a copy that an earlier replacement left behind, which has the URN of what took its place. */
function isOfWhatWasLeft(step: PulumiStep, all: readonly PulumiStep[]): boolean {
  if (!removes.has(step.op)) return false;
  const made = all.find(({ op }) => makes.has(op) && op !== 'create');
  if (step.op === 'delete-replaced') return made === undefined || (step.old !== undefined && made.old !== undefined && step.old.id !== made.old.id);
  return step.old?.leftBehind === true;
}

const leftAddress = ({ urn, old }: PulumiStep): string =>
  deposedAddress(
    urn,
    createHash('sha256')
      .update(old?.id ?? '')
      .digest('hex')
      .slice(0, 8),
  );
