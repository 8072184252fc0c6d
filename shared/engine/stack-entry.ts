import { z } from 'zod';
import { LockkeeperError } from '../errors/error.ts';
import type { Entry, LedgerLine, StackEntry, StackMade } from '../ledger/entry.ts';
import { type Identity, identityHash } from '../ledger/identity.ts';
import { scalar } from '../plan/value-forms.ts';
import type { World } from '../run/world.ts';
import { open, seal } from '../secrets/seal.ts';
import { firstTold } from '../stacks/tool-record.ts';
import type { StateMark } from '../stacks/tool-work.ts';
import type { Applying } from './applying.ts';
import type { StackLine } from './op.ts';
import { stackLabel } from './stack-job.ts';

/** What the ledger keeps of a stack's variables: a destroy gives the tool the same. */
const variables = z.object({ variables: z.record(z.string(), scalar), secretVariables: z.array(z.string()) });

const placeOf = (identity: Identity): string => `variables of stack ${identityHash(identity)}`;

/**
 * The entry of a stack that is about to be applied. There is no intent: what an apply that was cut off has made lies in the tool's own state,
 * and whoever takes the stack down finds it there.
 */
export function begunEntry({ world, op, line, run, tenure }: Applying, identity: Identity, stack: StackLine, before: Entry | undefined): Entry {
  const { tool, version, root } = stack;
  const known = before?.stack?.state;
  return {
    adapter: op.adapter,
    op: op.name,
    opVersion: op.version,
    provider: line.spec.provider,
    account: identity.account,
    key: identity.key,
    id: identity.key,
    label: stackLabel(stack),
    createdBy: before?.createdBy === 'adopted' ? 'adopted' : 'lockkeeper',
    run: before?.run ?? run.id,
    fence: before?.fence ?? tenure.fence,
    sequence: before?.sequence ?? world.ids.fresh(),
    ...(before?.updatedBy === undefined ? {} : { updatedBy: before.updatedBy }),
    ...(before?.cleanAt === undefined ? {} : { cleanAt: before.cleanAt }),
    stack: {
      tool,
      ...(version === undefined ? {} : { version }),
      root,
      commit: run.commit,
      sealed: seal(world.keys.sealing, JSON.stringify({ variables: stack.variables, secretVariables: stack.secretVariables }), placeOf(identity)),
      ...(known ? { state: known } : {}),
      ...(before?.stack?.applied === undefined ? {} : { applied: before.stack.applied }),
      ...(before?.stack?.made ? { made: before.stack.made } : {}),
      ...(before?.stack?.fresh ? { fresh: true as const } : {}),
      begun: true,
      ...(before?.stack ? { before: before.stack.before ?? madeOf(before.stack) } : {}),
    },
  };
}

/** What a destroy needs. */
const madeOf = ({ tool, version, root, commit, sealed }: StackEntry): StackMade => ({
  tool,
  ...(version === undefined ? {} : { version }),
  root,
  commit,
  sealed,
});

/**
 * The entry after a job that wrote nothing: what is there was made by an earlier one, of another commit perhaps, and with other variables. A destroy
 * goes by those, and not by files that no apply has ever come to.
 */
export function untouchedEntry(entry: Entry): Entry {
  const { begun: _begun, before, tool, version, root, commit, sealed, ...known } = entry.stack as StackEntry;
  return { ...entry, stack: { ...(before ?? madeOf({ tool, ...(version === undefined ? {} : { version }), root, commit, sealed })), ...known } };
}

/** What is known of a stack once a job of it is over. */
export interface StackKnown {
  readonly state?: StateMark;
  /** An apply has ended as it should: what is in the stack is known from now on. `found`: something was, that Lockkeeper has not made. `plan`: the saved plan it was. */
  readonly applied?: { readonly found: boolean; readonly plan?: string };
  /** What broke off began where there was no state: whatever is in the stack was made since. */
  readonly fresh?: boolean;
  /** Of one that broke off: addresses of what it is known to have made. */
  readonly made?: readonly string[];
  /** The run that wrote, or may have. */
  readonly by?: string;
}

/** What applies have made that broke off, as an entry remembers it: without a secret that is part of an address, and no more than it has room for. */
const remembered = (world: Pick<World, 'redactor'>, before: readonly string[], more: readonly string[]): string[] =>
  firstTold([...new Set([...before, ...more.map((address) => world.redactor.mask(address))])]);

/**
 * The entry once it is known what an apply has done. Until one has ended as it should, what broke off before it is remembered: whatever else is found
 * in the stack then was there first, and a stack with such things in it is never destroyed.
 */
export function settledEntry(world: Pick<World, 'clock' | 'redactor'>, entry: Entry, { state, applied, made: more = [], fresh, by }: StackKnown): Entry {
  const { begun: _begun, before: _before, made: before = [], ...stack } = entry.stack as StackEntry;
  const made = remembered(world, before, more);
  return {
    ...entry,
    ...(applied?.found ? { createdBy: 'adopted' as const } : {}),
    ...(by === undefined ? {} : { updatedBy: by }),
    ...(applied ? { cleanAt: new Date(world.clock.now()).toISOString() } : {}),
    stack: {
      ...stack,
      ...(state ? { state } : {}),
      ...(applied?.plan === undefined ? {} : { applied: applied.plan }),
      ...(fresh ? { fresh: true as const } : {}),
      ...(applied || made.length === 0 ? {} : { made }),
    },
  };
}

/** The entry of a stack of whose apply nobody knows what it did: what else is in the stack may have been there first, or not. */
export function unknownEntry(entry: Entry, by: string): Entry {
  const { before: _before, ...stack } = entry.stack as StackEntry;
  return { ...entry, updatedBy: by, stack };
}

/** All that may be taken down of a stack of which no apply has ended as it should: what is known to be made here. Undefined: all that is in it. */
export const onlyOurs = ({ cleanAt, stack }: Entry): readonly string[] | undefined =>
  cleanAt === undefined && !stack?.fresh ? (stack?.made ?? []) : undefined;

/** What a job that its own run did not hear has made is ours all the same: whatever else is found in the stack was there first. */
export function withLeft(world: Pick<World, 'redactor'>, entry: Entry, left: LedgerLine['left']): Entry {
  if (!left || !entry.stack) return entry;
  if (left.did !== 'applied' && left.did !== 'failed') return unknownEntry(entry, left.run);
  const made = remembered(world, entry.stack.made ?? [], left.made ?? []);
  return { ...entry, stack: { ...entry.stack, ...(left.state ? { state: left.state } : {}), ...(made.length > 0 ? { made } : {}) } };
}

/** Whether there was something in a stack before its first apply: what nothing of ours has made. */
export function wasThere(
  { redactor }: Pick<World, 'redactor'>,
  { createdBy, cleanAt, stack }: Entry,
  resources: readonly string[],
  made: readonly string[],
): boolean {
  if (createdBy !== 'lockkeeper' || cleanAt !== undefined || stack?.fresh) return false;
  const ours = new Set([...made.map(redactor.mask), ...(stack?.made ?? [])]);
  return resources.some((address) => !ours.has(redactor.mask(address)));
}

/** The stack that an entry stands for. @throws LockkeeperError SEAL_UNREADABLE: its variables were sealed under another key. */
export function stackOfEntry({ keys, redactor }: Pick<World, 'keys' | 'redactor'>, entry: Entry): StackLine & Pick<StackEntry, 'commit'> {
  const { tool, version, root, commit, sealed } = entry.stack as StackEntry;
  const { data } = variables.safeParse(JSON.parse(open(keys.sealing, sealed, placeOf(entry))));
  if (!data) throw new LockkeeperError({ code: 'SEAL_UNREADABLE', message: `The variables of ${entry.label} were sealed by another version.` });
  for (const name of data.secretVariables) redactor.register(String(data.variables[name]), `variable ${name} of ${entry.label}`);
  return { tool, ...(version === undefined ? {} : { version }), root, commit, ...data };
}
