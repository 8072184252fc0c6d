/**
 * One name for each state of the world, whatever way led there. Ids, tokens, digests of plans and the provider's ids are called by the order in
 * which they come up; times by how far they lie ahead, and those that are over as recent or old. What nothing decides by is left out: the
 * run's log, reports, when something was said.
 *
 * Tens of thousands of states share nearly all of their items, so each is read once: into a hash of what stays the same of it, and the
 * marks in it, which are named anew in every state.
 */
import { createHash } from 'node:crypto';
import type { Workbench } from '../ports/workbench.ts';

/** Shown to people, or kept to name a write: no condition and no branch of the flow looks at them. */
const untold: ReadonlySet<string> = new Set([
  ...['askedAt', 'createdAt', 'finishedAt', 'grantedAt', 'receivedAt', 'startedAt', 'recordedAt', 'updatedAt'],
  ...['ttl', 'writeId', 'report', 'received', 'sealed', 'ciphertext', 'nonce', 'tag'],
]);
/** The same, where they are texts: when something was said, and in which words. A queue's messages and their times go by these names, too. */
const untoldTexts: ReadonlySet<string> = new Set(['at', 'message']);

const firstTime = 1_000_000_000_000;
const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z/;

/** Data as text, with a mark around each time. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (name, one: unknown) => {
    if (untold.has(name) || (typeof one === 'string' && untoldTexts.has(name))) return undefined;
    if (one instanceof Set) return [...one].sort();
    if (typeof one === 'number') return one > firstTime ? `<${one}>` : one;
    if (typeof one === 'string' && isoTime.test(one)) return one.replace(isoTime, (iso) => `<${Date.parse(iso)}>`);
    return one;
  });
}

/** A part of the state: what of it is the same in every state, and its marks in their order. */
interface Part {
  readonly fixed: string;
  readonly marks: readonly Mark[];
}
type Mark = { readonly time: number } | { readonly entry: number } | { readonly name: string };

/** A time; what has a name of its own in every way; a token or the entering of a state, which have an order. */
const marks = /<(\d+)>|token-(\d+)|#(\d{6})|[0-9a-f]{64}|\d{26}|id-\d+/g;

export const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64');

function partOf(text: string): Part {
  const found: Mark[] = [];
  const fixed = text.replace(marks, (name: string, time?: string, token?: string, entry?: string) => {
    if (time !== undefined) found.push({ time: Number(time) });
    else if (token !== undefined || entry !== undefined) found.push({ entry: Number(token ?? entry) });
    else found.push({ name });
    return '·';
  });
  return { fixed: hashOf(fixed), marks: found };
}

const ofObjects = new WeakMap<object, Part>();
const ofBodies = new Map<string, Part>();

function partOfObject(value: object): Part {
  const known = ofObjects.get(value) ?? partOf(textOf(value));
  ofObjects.set(value, known);
  return known;
}

function partOfBody(key: string, body: string): Part {
  const known = ofBodies.get(body) ?? partOf(`${key} ${body}`);
  ofBodies.set(body, known);
  return known;
}

const isUntold = (sk: string): boolean => sk.startsWith('LOG#') || sk === 'SEALED' || sk === 'SURFACE' || sk === 'REPOSITORY';

/** Bodies that are read to decide by: plans, and what a ledger held when a plan was made. Of a receipt, that it is there, and how often. */
function objectsOf({ bucket }: Workbench): Part[] {
  return bucket.keys().flatMap((key) => {
    if (key.startsWith('plans/') || key.includes('/state-')) return [partOfBody(key, bucket.bodies(key).at(-1) ?? '')];
    return key.startsWith('receipts/') ? [partOfBody(key, `${key} ${bucket.bodies(key).length}`)] : [];
  });
}

/** The name of the present state. */
export function canonical(bench: Workbench): string {
  const parts: Part[] = [];
  for (const item of bench.memory.each()) if (!isUntold(item.sk)) parts.push(partOfObject(item));
  for (const message of bench.queues.waiting()) parts.push(partOfObject(message));
  for (const waiting of bench.states.waiting()) parts.push(partOf(textOf(waiting)));
  for (const one of bench.provider.things()) parts.push(partOf(textOf(one)));
  parts.push(...objectsOf(bench));
  // By what stays the same of them: their names depend on the way here.
  parts.sort((a, b) => (a.fixed < b.fixed ? -1 : a.fixed > b.fixed ? 1 : 0));
  const world = [...bench.code.tips.values(), ...bench.states.started.toSorted()];
  return hashOf(`${named(parts, bench.clock.now())}${world.join()}`);
}

function named(parts: readonly Part[], now: number): string {
  const entries = [...new Set(parts.flatMap((part) => part.marks.flatMap((mark) => ('entry' in mark ? [mark.entry] : []))))].sort((a, b) => a - b);
  const names = new Map<string, number>();
  let text = '';
  for (const { fixed, marks: found } of parts) {
    text += fixed;
    for (const mark of found) {
      if ('time' in mark) text += farness(mark.time - now);
      else if ('entry' in mark) text += `T${entries.indexOf(mark.entry)}`;
      else {
        const name = names.get(mark.name) ?? names.size;
        names.set(mark.name, name);
        text += `N${name}`;
      }
    }
  }
  return text;
}

/** A minute is what the sweep lets things rest; before that, nothing asks how long something has been over. */
const farness = (ms: number): string => (ms > 500 ? `+${Math.round(ms / 1000)}` : ms < -59_000 ? 'O' : 'P');
