import { createHash } from 'node:crypto';
import { LockkeeperError } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import type { Objects } from '../ports/objects.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Effect } from './effect.ts';

/**
 * What a gated run would do: the thing people approve by its digest. It holds no value, no time and no rendered text, so that
 * two runs over the same world give the same bytes.
 */
export interface PlanDocument {
  readonly format: 1;
  readonly repository: string;
  readonly plan: { readonly name: string; readonly path: string; readonly hash: string };
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  /** The ledger as it was read before the first inspection: line and version of everything that holds something. */
  readonly state: readonly LineState[];
  readonly lines: readonly PlannedLine[];
}

export interface LineState {
  readonly line: string;
  readonly version: string;
}

export interface PlannedLine {
  readonly id: string;
  readonly adapter: string;
  readonly op: string;
  readonly effects: readonly Effect[];
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const planKey = (digest: string): string => `plans/${digest}.json`;

/** Digest of a document: SHA-256, hex, of its canonical bytes. */
export const planDigest = (document: PlanDocument): string => sha256(canonicalJson(document));

/** Digest of what it would do alone: equal for two plans that differ only in the state they were made over. */
export const effectsDigest = (document: PlanDocument): string => sha256(canonicalJson(document.lines));

/** The part of a ledger that a decision is bound to: sealing, leases and runs that changed nothing do not move it. */
export function stateOf(ledger: readonly LedgerLine[]): LineState[] {
  return ledger.filter((line) => line.entries.length > 0).map(({ line, version }) => ({ line, version }));
}

/**
 * Whether the ledger still is what was planned over, but for the run's own recorded writes (P7).
 */
export function stateHolds(planned: readonly LineState[], ledger: readonly LedgerLine[], run: string): boolean {
  const versions = new Map(planned.map(({ line, version }) => [line, version]));
  const now = ledger.filter((line) => line.entries.length > 0);
  const untouched = now.every((line) => line.lastRun === run || versions.get(line.line) === line.version);
  const there = new Map(ledger.map((line) => [line.line, line]));
  const gone = planned.some(({ line }) => {
    const found = there.get(line);
    return found === undefined || (found.entries.length === 0 && found.lastRun !== run);
  });
  return untouched && !gone;
}

/** Stores a document under its digest. Written once: the name is the content. */
export async function storePlan(objects: Objects, document: PlanDocument): Promise<string> {
  const body = canonicalJson(document);
  const digest = sha256(body);
  await objects.put(planKey(digest), body, { ifAbsent: true });
  return digest;
}

/**
 * Reads a document and hashes it again before anything is done with it.
 *
 * @throws LockkeeperError PLAN_CORRUPT when it is not there, or is not what its name says.
 */
export async function loadPlanDocument(objects: Objects, digest: string): Promise<PlanDocument> {
  const stored = await objects.get(planKey(digest));
  if (stored === undefined) throw new LockkeeperError({ code: 'PLAN_CORRUPT', message: `The plan ${digest.slice(0, 12)} is not in the bucket.` });
  if (sha256(stored.body) !== digest)
    throw new LockkeeperError({ code: 'PLAN_CORRUPT', message: `The plan stored as ${digest.slice(0, 12)} has other content.` });
  return JSON.parse(stored.body) as PlanDocument;
}
