import type { Recall } from '../engine/op.ts';
import type { ProviderBlock } from '../plan/types.ts';
import type { Fingerprint } from '../secrets/fingerprint.ts';
import type { LeftJob, ToolRecord } from '../stacks/tool-record.ts';
import type { StackRoot, StateMark, Tool } from '../stacks/tool-work.ts';

/** A request that takes back what an action did, as it is stored in clear: nothing of it may be sensitive. */
export interface StoredRequest {
  readonly method: string;
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Name of the header that the idempotency key goes into. */
  readonly keyHeader?: string;
}

/**
 * One resource as the ledger remembers it: enough to find it, judge it and delete it without the plan (design 4).
 * No value is kept, only fingerprints under a key that lies elsewhere.
 */
export interface Entry {
  readonly adapter: string;
  readonly op: string;
  readonly opVersion: number;
  /** Provider block as the plan had it, for calls. */
  readonly provider: ProviderBlock;
  /** The block resolved to the provider's ids, for identity. */
  readonly account: Readonly<Record<string, string>>;
  readonly key: string;
  /** Absent while it is an intent, and where a secret value stands in it: then it is found by its key. */
  readonly id?: string;
  readonly label: string;
  /** Of the state the plan controls, when a run last saw it clean. */
  readonly fingerprint?: Fingerprint;
  /** It was seen as a value that is kept, whatever it is: the fingerprint tells nothing of what it holds. */
  readonly kept?: true;
  /** Its line keeps it now, and wrote it before: the fingerprint is still that of what was written, whatever it holds by now. */
  readonly nowKept?: true;
  /** `intent`: written before a create is sent. `adopted`: found as the plan wants it; never deleted by us. */
  readonly createdBy: 'lockkeeper' | 'adopted' | 'intent';
  /** What a write that was begun will make of it: a live value equal to this is our own half-done work, not drift. */
  readonly foretells?: Fingerprint;
  /** When the write was begun, epoch ms. */
  readonly begunAt?: number;
  /** The run that created it, or last began to. */
  readonly run: string;
  /** Fence it was made under. */
  readonly fence: number;
  /** Orders creation, also over lines: sortable. */
  readonly sequence: string;
  /** Of each secret it was last written with, by reference: a rotation shows, and a destroy knows what to mask. */
  readonly secretFingerprints?: Readonly<Record<string, Fingerprint>>;
  /** Of the state that was last written, where the provider does not show it: what is wanted is compared with it. */
  readonly wrote?: Fingerprint;
  /** The run that last wrote over it: a run that fails names what it does not undo (I2). */
  readonly updatedBy?: string;
  /** When and by which run it was last seen as recorded (ISO 8601). */
  readonly cleanAt?: string;
  /** What its op finds and removes it by, where key and id do not say it. */
  readonly recall?: Recall;
  /** The object it is a part of: whoever writes it takes that one's lock first. */
  readonly parent?: string;
  readonly orphan?: true;
  /** Fingerprints of the outputs that its create alone gave. */
  readonly onceFingerprints?: Readonly<Record<string, Fingerprint>>;
  /** Of such outputs of other lines that it was last written with, by reference. */
  readonly onceInputs?: Readonly<Record<string, Fingerprint>>;
  /** Of the values it was written with that held such an output: what is found to be one is masked, although nobody knows it any more. */
  readonly onceValues?: readonly Fingerprint[];
  /** It was deleted, or is to be, and made anew by that run: what it replaces is no drift, and a failure does not take the new one away. */
  readonly replaces?: { readonly run: string; readonly id: string; readonly before?: Fingerprint };
  /** It was written, and what is deployed may not have it yet: the op's word for what has to be deployed (P8). Goes with that redeploy. */
  readonly redeployDue?: string;
  /** Of an adopted resource that was written over: what was found there, to be put back by a destroy. The first capture stays. */
  readonly original?: Original;
  /** The removal that found it edited outside and began to delete it: a death right after the delete must not lose that (R0.17). */
  readonly deletedThough?: string;
  /** Who let the line take it over, where a person had to. */
  readonly lift?: { readonly by: string; readonly at: string };
  /** The line it is being taken over from (P4): until that has let go of it, whoever finds it here goes on with the hand-over. */
  readonly takenFrom?: string;
  /** It is a step that a person did: nothing at any provider, and nothing a claim stands for. `undo` is masked. */
  readonly manual?: {
    readonly title: string;
    readonly undo?: string;
    /** By a person's word, or by the provider's. */
    readonly how: 'confirmed' | 'verified';
    /** Login of whoever said so. */
    readonly by?: string;
    readonly at: string;
  };
  /** It is a stack of an infrastructure tool, with all that takes it down when the plan is gone. */
  readonly stack?: StackEntry;
  /** It is a request that was sent once: `fingerprint` is that of its trigger. No claim stands for it either. */
  readonly action?: { readonly at: string; readonly run: string; readonly undo?: StoredRequest };
}

/** What a stack was made of, and what a destroy gives its tool. */
export interface StackMade {
  readonly tool: Tool;
  readonly version?: string;
  readonly root: StackRoot;
  /** Whose files it was last applied from, or is about to be. */
  readonly commit: string;
  /** Its variables, sealed under the long-lived key with the identity as associated data. */
  readonly sealed: string;
}

/** A stack as the ledger remembers it. What is in it the tool's own state knows. */
export interface StackEntry extends StackMade {
  /** Of the state after the last apply that told it. */
  readonly state?: StateMark;
  /** SHA-256 of the saved plan that was last applied: a run that goes on after a wait applies none twice. */
  readonly applied?: string;
  /** An apply has begun, and nobody has recorded its end. */
  readonly begun?: true;
  /** Of what it was made until then: again, should that apply turn out to have written nothing. */
  readonly before?: StackMade;
  /** An apply of it began where there was no state: whatever is in it was made since. */
  readonly fresh?: true;
  /** Addresses of what applies have made, or half made, that broke off before the first that did not. */
  readonly made?: readonly string[];
}

/** The state that somebody else had given a resource before Lockkeeper first wrote over it. */
export interface Original {
  /** The provider's id it was found under: of a resource made again outside it is another one's. */
  readonly id: string;
  /** Fingerprint of that state. */
  readonly of: Fingerprint;
  /** Sealed under the long-lived key, with the identity as associated data. Absent: the provider does not show it. */
  readonly sealed?: string;
}

/** What a removal or rollback has to tell of entries that are out of the ledger. Every list holds labels for people. */
export interface Told {
  readonly destroyed: readonly string[];
  /** Adopted, made again outside, or moved to another place outside: forgotten and left, with what else is to be said of it. */
  readonly kept: readonly string[];
  /** Deleted although it was edited outside (R0.15, R0.18). */
  readonly changedOutside: readonly string[];
}

/** The part of the ledger that one line owns; one table item. */
export interface LedgerLine {
  readonly line: string;
  readonly adapter: string;
  readonly op: string;
  /** Lines it depended on when it was last prepared: destroy and rollback go the other way round. */
  readonly needs: readonly string[];
  readonly entries: readonly Entry[];
  /** The environment its op says it writes. */
  readonly writes?: string;
  /** What it said before, of which the line may hold something still: kept until it holds nothing. Absent: the same all along. */
  readonly wrote?: readonly string[];
  /** Whether policy protected what it writes and wrote when it was last prepared: what a destroy goes by while the policy cannot be read. */
  readonly protected?: boolean;
  /** What that run took out so far, written together with it: whoever goes on after a death tells all of it. The next run's write drops it. */
  readonly told?: Told & { readonly run: string };
  /** The tool job that works on the line's stack, written down before it is started; whoever has the lease next meets it while sealing (P9). */
  readonly external?: ToolRecord;
  /** What became of one that its run did not hear: told, and taken away, by the next job of the line. */
  readonly left?: LeftJob;
  /** The writeId it was made with: a line that was cleared away and made again is another one. */
  readonly born?: string;
  /** The writeId of the last content write; sealing leaves it. */
  readonly version: string;
  readonly fence: number;
  /** Run of the last content write. */
  readonly lastRun: string;
}

/** Every environment that ledger lines name, once each and sorted: what they write now, and what they wrote before. */
export const everWritten = (...lines: readonly Pick<LedgerLine, 'writes' | 'wrote'>[]): string[] =>
  [...new Set(lines.flatMap(({ writes, wrote = [] }) => (writes === undefined ? wrote : [writes, ...wrote])))].sort();

/** Something that was done rather than made: it takes no claim, and nothing of it can be looked up at a provider or rolled back (R1.55, R1.56). */
export const isDeed = (entry: Entry): boolean => entry.manual !== undefined || entry.action !== undefined;

export const isIntent = (entry: Entry): boolean => entry.createdBy === 'intent';
/** Ours, and no line wants it any more. */
export const isOrphan = (entry: Entry): boolean => entry.orphan === true;
