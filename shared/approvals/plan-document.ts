import { createHash } from 'node:crypto';
import { LockkeeperError, type Problem } from '../errors/error.ts';
import type { LedgerLine } from '../ledger/entry.ts';
import type { Objects } from '../ports/objects.ts';
import type { DriftKind } from '../run/report.ts';
import { canonicalJson } from './canonical-json.ts';
import { type Effect, isWrite, withoutSaved } from './effect.ts';

/**
 * Raised when the bytes of the same plan change: they are frozen by golden tests. Format 1 named what is written and what is accepted, and
 * nothing else of a line; a question that was asked under it is still honoured.
 */
export const planFormat = 2;

/**
 * What a gated run would do: the thing people approve by its digest. It holds no value, no time and no rendered text, so that
 * two runs over the same world give the same bytes.
 */
export interface PlanDocument {
  readonly format: 1 | typeof planFormat;
  readonly repository: string;
  /** Of a removal: an approval of what is made never is one of what goes. Absent: an apply. */
  readonly kind?: 'destroy' | 'prune';
  /** `hash`: empty for a removal, which no plan file says anything of. */
  readonly plan: { readonly name: string; readonly path: string; readonly hash: string };
  readonly environment: string;
  readonly scope: string;
  readonly commit: string;
  /** The ledger as it was read before the first inspection: line and version of everything that holds something. */
  readonly state: readonly LineState[];
  readonly lines: readonly PlannedLine[];
  /** Codes of what was found doubtful about plan file and policy, sorted. From format 2 on. */
  readonly warnings?: readonly string[];
}

export interface LineState {
  readonly line: string;
  readonly version: string;
}

export interface PlannedLine {
  readonly id: string;
  readonly adapter: string;
  readonly op: string;
  /** Of every resource the line speaks of, by address; also of those it would not write ({@link isWrite}), from format 2 on. */
  readonly effects: readonly Effect[];
  /** What was edited outside and is left as it is, so that whoever approves the rest sees it. Absent where there is nothing. */
  readonly accepted?: readonly Accepted[];
  /** What is otherwise than the ledger remembers, or is there beside it. Absent where there is nothing. From format 2 on. */
  readonly drift?: readonly Drifted[];
  /**
   * Paths of the line that say `keep`, and what policy lets differ of its resources (the key of one, or `key#path`): whatever they hold is not
   * looked at. Absent where there is none. From format 2 on.
   */
  readonly ignored?: readonly string[];
  /** What is deployed anew once it is written, in its op's words. Absent where nothing is. From format 2 on. */
  readonly redeploys?: string;
  /** Names of what people are warned of, such as `adopts`. Absent where there is nothing. From format 2 on. */
  readonly warnings?: readonly string[];
}

/** One resource that is not as the ledger has it. */
export interface Drifted {
  readonly kind: DriftKind;
  /** The adapter's name of it. */
  readonly resource: string;
  readonly replaced?: true;
}

/** One resource that a person has accepted as it was edited outside: until when, and what of it is not as the plan has it. */
export interface Accepted {
  /** As of an effect. */
  readonly address: string;
  readonly paths: readonly string[];
  readonly until: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const planKey = (digest: string): string => `plans/${digest}.json`;

/** Digest of a document: SHA-256, hex, of its canonical bytes. */
export const planDigest = (document: PlanDocument): string => sha256(canonicalJson(document));

/**
 * Digest of what it would do alone: equal for two plans that differ in nothing but the state they were made over, their commit, or
 * lines that would do nothing. Effects belong to their lines, whatever order those stand in: a resource that another line would write
 * is another effect.
 */
export function effectsDigest({ lines }: Pick<PlanDocument, 'lines'>): string {
  const acting = lines.map(({ id, effects }) => ({ id, effects: effects.filter(({ action }) => action !== 'no-op').map(withoutSaved) }));
  const writing = acting.filter(({ effects }) => effects.length > 0);
  return sha256(canonicalJson(writing.sort((a, b) => (a.id < b.id ? -1 : 1))));
}

/** Whether anything would be written: what changes nothing is nothing to be asked about. */
export const wouldWrite = ({ lines }: Pick<PlanDocument, 'lines'>): boolean => lines.some(({ effects }) => effects.some(isWrite));

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
 * Reads a document and hashes it again before anything is done with it. PLAN_CORRUPT: it is not there, is not what its name says, or
 * was made of another plan file than the one at hand.
 *
 * @param planHash hash of the plan file at hand, where it is to be the same.
 * @throws LockkeeperError RECEIPT_VERSION for a newer format; STORE_UNREACHABLE.
 */
export async function findPlanDocument(objects: Objects, digest: string, planHash?: string): Promise<FoundPlan> {
  const named = digest.slice(0, 12);
  const stored = await objects.get(planKey(digest));
  if (stored === undefined) return corrupt(`The plan ${named} is not in the bucket.`);
  if (sha256(stored.body) !== digest) return corrupt(`The plan stored as ${named} has other content.`);
  const document = JSON.parse(stored.body) as PlanDocument;
  if (document.format !== 1 && document.format !== planFormat)
    throw new LockkeeperError({
      code: 'RECEIPT_VERSION',
      message: `The plan ${named} has format ${String(document.format)}; this version reads formats up to ${planFormat}.`,
    });
  if (planHash !== undefined && document.plan.hash !== planHash) return corrupt('The plan file is not the one that was planned.');
  return { document };
}

/** A stored plan as it was asked about, or why nothing may be done with it. */
export type FoundPlan = { readonly document: PlanDocument } | { readonly document?: undefined; readonly problem: Problem };

const corrupt = (message: string): FoundPlan => ({ problem: { code: 'PLAN_CORRUPT', message } });
