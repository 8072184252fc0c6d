import { createHash } from 'node:crypto';
import { LockkeeperError } from '../errors/error.ts';
import type { Objects } from '../ports/objects.ts';
import { canonicalJson } from './canonical-json.ts';
import { type Effect, inOrder, isWrite, withoutSaved } from './effect.ts';
import { type FoundPlan, findPlanDocument } from './plan-document.ts';

/** What some lines would write, by line: what a box of the dashboard stands for, and what a run that it starts is bound to. No value, only keyed fingerprints. */
export type LineEffects = readonly { readonly id: string; readonly effects: readonly Effect[] }[];

const effectsKey = (digest: string): string => `plans/effects/${digest}.json`;

/** Lines and effects in one order, and nothing that writes nothing: the same work gives the same bytes, as `effectsDigest` has them of a plan. */
export function writingOf(lines: LineEffects): LineEffects {
  const writing = lines
    .map(({ id, effects }) => ({ id, effects: inOrder(effects.filter(isWrite).map(withoutSaved)) }))
    .filter(({ effects }) => effects.length > 0);
  return writing.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Stores what would be written under its digest (SHA-256, hex). Written once: the name is the content.
 *
 * @returns the digest; undefined where nothing would be written.
 */
export async function storeEffects(objects: Objects, lines: LineEffects): Promise<string | undefined> {
  const writing = writingOf(lines);
  if (writing.length === 0) return undefined;
  const body = canonicalJson(writing);
  const digest = sha256(body);
  await objects.put(effectsKey(digest), body, { ifAbsent: true });
  return digest;
}

/**
 * Reads what a digest stands for, and hashes it again before anything is done with it. What a question asks about is stored as a plan
 * document, and stands for what that would write.
 *
 * @throws LockkeeperError PLAN_CORRUPT for one that is not there or has other content; RECEIPT_VERSION.
 */
export async function findEffects(objects: Objects, digest: string): Promise<LineEffects> {
  const stored = await objects.get(effectsKey(digest));
  const named = digest.slice(0, 12);
  if (stored === undefined) return writingOfPlan(await findPlanDocument(objects, digest));
  if (sha256(stored.body) !== digest) throw new LockkeeperError({ code: 'PLAN_CORRUPT', message: `What is stored as ${named} has other content.` });
  return JSON.parse(stored.body) as LineEffects;
}

function writingOfPlan(found: FoundPlan): LineEffects {
  if (!found.document) throw new LockkeeperError(found.problem);
  return writingOf(found.document.lines);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
