/**
 * The drift record, `v1`: what one read found out about one resource instance, in one shape for every engine (R3.1). Whoever draws it
 * looks at its status and its read and at nothing else. It authorises nothing, and no gate is bound to it (R3.16).
 *
 * Within `v1` fields are only added (R3.14): a field that this version does not know is carried as it came.
 */

/** The engines whose reads become records (R3.3). `lockkeeper`: the lines of a plan of ours. */
export const engines = ['terraform', 'tofu', 'choudoufu', 'chant', 'warden', 'sql', 'pulumi', 'plunge', 'lockkeeper'] as const;
export type Engine = (typeof engines)[number];

/** How it was found out (R3.4). `state`: what was recorded at the last apply, without a look at what is live. */
export const reads = ['state', 'plan', 'refresh', 'live-read', 'ownership'] as const;
export type Read = (typeof reads)[number];

/**
 * What was found (R3.8). `pending`: declared, never made, and not there. `missing`: made once, and gone. `unclaimed`: something is
 * where a declared resource would be, and it is not ours. `undeclared`: there, and nobody declares it. `runtime`: the same, and expected.
 * `recorded`: in the engine's state. `not-observed`: nobody knows, which is never absence.
 */
export const statuses = ['in-sync', 'drifted', 'pending', 'missing', 'unclaimed', 'undeclared', 'runtime', 'recorded', 'not-observed'] as const;
export type Status = (typeof statuses)[number];

/**
 * Why nothing was found out (R3.5): a closed list.
 * `not-reached`: it was expected, and the read ended before its turn. `read-failed`: it was tried. `filtered`: somebody left it out, by
 * a flag or a setting. `cannot-read`: there is no way to read it. `in-motion`: a run was writing, or wrote, while it was read.
 * `preview-failed`: what it is to be is not known, so that there is nothing to compare with.
 */
export const unobservedReasons = ['not-reached', 'read-failed', 'filtered', 'cannot-read', 'in-motion', 'preview-failed'] as const;
export type UnobservedReason = (typeof unobservedReasons)[number];

export interface Unobserved {
  readonly reason: UnobservedReason;
  /** One sentence for a person, redacted. */
  readonly detail?: string;
  /** What was asked, as a URL or a command, redacted. */
  readonly queried?: string;
}

/** One thing that differs. `before` is what was expected, `after` what is there; both may be left out, and are where they are secret. */
export interface Attribute {
  /** Keys as `a.b`, `a["b.c"]`, items as `a[0]`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The planner marked it, or its path or what stands in it has the name of a secret. Both values are gone. */
  readonly sensitive?: boolean;
  /** Keyed fingerprints, hex, of the values that are not shown: they tell that it changed again, and nothing else. */
  readonly fingerprints?: AttributeFingerprints;
}

export interface AttributeFingerprints {
  /** Which key they were made under: those of different keys cannot be compared. */
  readonly key: string;
  readonly before?: string;
  readonly after?: string;
}

export const verdicts = ['owned', 'foreign', 'adoptable', 'unknown'] as const;
export const verdictSources = ['marker', 'derived', 'record', 'cache', 'state', 'label'] as const;

/** Whose it is, and how that is known (R3.6). */
export interface Ownership {
  readonly verdict: (typeof verdicts)[number];
  readonly by: (typeof verdictSources)[number];
  /** Whether the object itself carries the owner's mark. */
  readonly markerOnObject?: boolean;
  readonly ownedBy?: string;
  /** Whether it can be taken over, or how. */
  readonly adopt?: boolean | string;
}

/** Where it comes from. No part of a digest (R3.15). */
export interface Evidence {
  readonly tool?: string;
  readonly version?: string;
  readonly command?: string;
  /** The engine's own word, as `UNOWNED` (R3.7). */
  readonly engineCode?: string;
}

/** What a record is built of (R3.2). */
export interface DriftFields {
  /** The workspace member. */
  readonly member: string;
  readonly engine: Engine;
  /** The engine's own address of the instance: `aws_eip.pool[0]`, a URN, `web-env["<resource key>"]` for a resource of our line `web-env`. */
  readonly address: string;
  readonly resourceType?: string;
  /** The node of the member's graph it stands on; null when there is none. */
  readonly node: string | null;
  /** The block's node, when `node` is an instance of a block. */
  readonly instanceOf?: string;
  /** RFC 3339. */
  readonly observedAt: string;
  readonly read: Read;
  /** The read that was asked for and failed (R3.23). */
  readonly fellBackFrom?: string;
  readonly status: Status;
  /** On `not-observed`, and only there. */
  readonly unobserved?: Unobserved;
  /** On `drifted` only; one per path, sorted by path in code units. */
  readonly attributes?: readonly Attribute[];
  /** On `in-sync` or `drifted`: it is there, and what it holds could not be read (R3.20). */
  readonly attributesUnobserved?: Unobserved;
  readonly ownership?: Ownership;
  readonly evidence?: Evidence;
}

declare const built: unique symbol;

/** Fields that keep the rules: only `driftRecord` makes one. */
export type DriftRecord = DriftFields & { readonly [built]: true };
