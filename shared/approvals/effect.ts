import { compare, type Fingerprint } from '../secrets/fingerprint.ts';

/**
 * What becomes of a resource. `import`, `forget`, `move`: of what a stack's tool manages, its state alone, or that first. `no-op`: looked at, and as the line wants it. `read`: somebody else's, or kept whatever it holds. `adopt`: it exists,
 * Lockkeeper did not make it, and it would be written over. `todo`: a person does it. `run`: a request is sent once.
 */
export type Action = 'no-op' | 'read' | 'create' | 'update' | 'replace' | 'delete' | 'adopt' | 'todo' | 'run' | 'import' | 'forget' | 'move';

/**
 * What a line would write of one resource, as people approve it. No value, only keyed fingerprints of old and new ones. What another
 * line is still to give stands there as a reference, `line.output`, or as the text with `${lines.…}` in it, and is approved as exactly that.
 */
export interface Effect {
  /** Adapter, account and key as JSON. Where the key waits for an output, that stands in it as its mark ({@link markOf}). */
  readonly address: string;
  readonly action: Action;
  /** Of a replacement: what is done one after the other. */
  readonly order?: readonly ['delete', 'create'] | readonly ['create', 'delete'];
  /** Of what a stack's tool does more than the one thing that the action says: all of it, in the tool's words and order. */
  readonly does?: readonly string[];
  /** Of a stack as a whole: the saved plan that would be run, and the state that it was made of. No two plans have the same: comparisons leave it out. */
  readonly saved?: SavedPlan;
  /** What changes, by path. */
  readonly paths: readonly PathEffect[];
  /** Of the whole resource as it is. */
  readonly before?: Fingerprint;
  /** Of the whole resource as it will be; absent while anything of it waits. */
  readonly after?: Fingerprint;
  /** Every output that address and paths wait for, sorted. */
  readonly waitsFor: readonly string[];
}

/** A tool's saved plan: SHA-256 of its bytes, hex, and which state it was made of, where the tool says so. */
export interface SavedPlan {
  readonly sha256: string;
  readonly lineage?: string;
  readonly serial?: number;
}

/** An effect as two plans are compared by it: a fresh plan file is never the same bytes. */
export const withoutSaved = <E extends Pick<Effect, 'saved'>>({ saved: _saved, ...effect }: E): Omit<E, 'saved'> => effect;

/**
 * One attribute: `after` or `waitsFor`, or neither where the plan leaves the value to the provider. `known`: of the outputs in a text that
 * waits for another one, those that were known, by `line.output`: they are approved as what they were.
 */
export interface PathEffect {
  readonly path: string;
  readonly before?: Fingerprint;
  readonly after?: Fingerprint;
  readonly waitsFor?: string;
  readonly known?: Readonly<Record<string, Fingerprint>>;
}

/** Effects have one order, whatever order a plan file names them in. */
export const inOrder = (effects: readonly Effect[]): Effect[] =>
  [...effects].sort((a, b) => compareTexts(a.address, b.address) || compareTexts(JSON.stringify(a), JSON.stringify(b)));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether it is more than a look: what people decide on, and what a line is bound to. */
export const isWrite = ({ action }: Pick<Effect, 'action'>): boolean => action !== 'no-op' && action !== 'read';

/** The actions of an effect in their order: what two plans are compared by, as against the values. */
export const actionsOf = ({ action, order, does }: Pick<Effect, 'action' | 'order' | 'does'>): readonly string[] =>
  does ?? (action === 'replace' ? (order ?? ['delete', 'create']) : [action]);

/** What an output of this run, or a text of outputs, came to: as text, and as the fingerprint of an attribute that has it. */
export interface GivenOutput {
  readonly text: string;
  readonly fingerprint: Fingerprint;
}

/** The outputs that a line was given, by `line.output`. */
export type GivenOutputs = ReadonlyMap<string, GivenOutput>;

/** How an output that is not there yet is written into a name that it makes. */
export const markOf = (reference: string): string => `{${reference}}`;

/**
 * Whether every effect a line is about to have is among those approved for it (P7). Each approved one covers one resource. One that is
 * not there any more is already satisfied: our own half-done work is not drift.
 */
export function amongApproved(fresh: readonly Effect[], approved: readonly Effect[], given: GivenOutputs): boolean {
  const left = [...approved];
  return fresh.every((effect) => {
    const at = left.findIndex((one) => covers(one, effect, given));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}

/**
 * The same resource, found as it was seen, and nothing but approved changes of it: fewer paths are satisfied ones, none at all says
 * nothing that could be compared. Nothing is written while it still waits.
 */
function covers(approved: Effect, fresh: Effect, given: GivenOutputs): boolean {
  // An adoption that was begun is in the ledger: what is left of it is an update of the very state that was approved.
  const begun = approved.action === 'adopt' && fresh.action === 'update';
  if ((approved.action !== fresh.action && !begun) || fresh.waitsFor.length > 0) return false;
  if (!begun && actionsOf(approved).join() !== actionsOf(fresh).join()) return false;
  if (addressOf(approved, given) !== fresh.address) return false;
  if (!same(approved.before, fresh.before)) return false;
  if (approved.waitsFor.length === 0 && !same(approved.after, fresh.after)) return false;
  if (fresh.paths.length === 0) return approved.paths.length === 0;
  const paths = new Map(approved.paths.map((one) => [one.path, one]));
  return fresh.paths.every((path) => coversPath(paths.get(path.path), path, given));
}

function coversPath(approved: PathEffect | undefined, fresh: PathEffect, given: GivenOutputs): boolean {
  if (!approved || !same(approved.before, fresh.before)) return false;
  if (approved.waitsFor === undefined) return same(approved.after, fresh.after);
  const output = given.get(approved.waitsFor);
  const stillKnown = Object.entries(approved.known ?? {}).every(([reference, fingerprint]) => same(fingerprint, given.get(reference)?.fingerprint));
  return output !== undefined && stillKnown && same(output.fingerprint, fresh.after);
}

/** The address with what it waited for put in, all at once: an output that looks like a mark stays what it is. */
function addressOf({ address, waitsFor }: Effect, given: GivenOutputs): string {
  const inJson = new Map(waitsFor.map((reference) => [markOf(reference), JSON.stringify(given.get(reference)?.text ?? markOf(reference)).slice(1, -1)]));
  return address.replaceAll(/\{[^{}]+\}/g, (mark) => inJson.get(mark) ?? mark);
}

/** The addresses that were approved, with what they waited for put in. */
export const addressesOf = (approved: readonly Effect[], given: GivenOutputs): ReadonlySet<string> =>
  new Set(approved.map((effect) => addressOf(effect, given)));

/** Fingerprints under different keys say nothing of each other, so that what was approved cannot be told to be the same. */
const same = (a: Fingerprint | undefined, b: Fingerprint | undefined): boolean => (a === undefined || b === undefined ? a === b : compare(a, b) === 'same');
