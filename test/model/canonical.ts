/**
 * One name for each state of the world, whatever way led there. Ids, tokens, digests of plans and the provider's ids are called by the order in
 * which they come up; times by how far they lie ahead, and those that are over as recent or old. What nothing decides by is left out: the
 * run's log, reports, when something was said.
 *
 * Tens of thousands of states share nearly all of their items, so each is read once: into a hash of what stays the same of it, and the
 * marks in it, which are named anew in every state.
 */
import { hash } from 'node:crypto';
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

/** A part of the state: what of it is the same in every state, and its marks in their order. */
interface Part {
  readonly fixed: string;
  readonly marks: readonly Mark[];
}
type Mark = { readonly time: number } | { readonly entry: number } | { readonly name: string };

/** What has a name of its own in every way; a token or the entering of a state, which have an order. */
const marks = /token-(\d+)|#(\d{6})|[0-9a-f]{64}|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])|\d{26}|id-\d+/g;

export const hashOf = (text: string): string => hash('sha1', text, 'base64');

function partOfText(text: string): Part {
  const found: Mark[] = [];
  const time = isoTime.exec(text)?.[0];
  if (time !== undefined) found.push({ time: Date.parse(time) });
  const fixed = text.slice(time?.length ?? 0).replace(marks, (name: string, token?: string, entry?: string) => {
    found.push(token !== undefined || entry !== undefined ? { entry: Number(token ?? entry) } : { name });
    return '·';
  });
  return { fixed: JSON.stringify(time === undefined ? fixed : `·${fixed}`), marks: found };
}

/** Few texts are new in a state: each is searched for its marks once. */
const ofTexts = new Map<string, Part>();

function knownText(text: string): Part {
  const known = ofTexts.get(text) ?? partOfText(text);
  ofTexts.set(text, known);
  return known;
}

/** Says what stays the same of a value, and adds its marks to those of the whole. */
function fixedOf(value: unknown, found: Mark[]): string {
  if (typeof value === 'string') {
    const part = knownText(value);
    found.push(...part.marks);
    return part.fixed;
  }
  if (typeof value === 'number' && value > firstTime) {
    found.push({ time: value });
    return '<·>';
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Set) return fixedOf([...value].sort(), found);
  if (Array.isArray(value)) return `[${value.map((one) => fixedOf(one, found)).join()}]`;
  let text = '{';
  for (const [name, one] of Object.entries(value)) {
    if (one === undefined || untold.has(name) || (typeof one === 'string' && untoldTexts.has(name))) continue;
    text += `${fixedOf(name, found)}:${fixedOf(one, found)},`;
  }
  return `${text}}`;
}

function partOf(value: unknown): Part {
  const found: Mark[] = [];
  const fixed = hashOf(fixedOf(value, found));
  return { fixed, marks: found };
}

const ofObjects = new WeakMap<object, Part>();
const ofBodies = new Map<string, Part>();

function partOfObject(value: object): Part {
  const known = ofObjects.get(value) ?? partOf(value);
  ofObjects.set(value, known);
  return known;
}

function partOfBody(key: string, body: string): Part {
  const known = ofBodies.get(body) ?? partOf([key, body]);
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
  for (const waiting of bench.states.waiting()) parts.push(partOf(waiting));
  for (const one of bench.provider.things()) parts.push(partOf(one));
  parts.push(...objectsOf(bench));
  // By what stays the same of them: their names depend on the way here.
  parts.sort((a, b) => (a.fixed < b.fixed ? -1 : a.fixed > b.fixed ? 1 : 0));
  const world = [...bench.code.tips.values(), ...bench.states.started.toSorted()];
  return hashOf(`${named(parts, bench.clock.now())}${world.join()}`);
}

function named(parts: readonly Part[], now: number): string {
  const entries = entriesOf(parts);
  const names = new Map<string, number>();
  let text = '';
  for (const { fixed, marks: found } of parts) {
    text += fixed;
    for (const mark of found) {
      if ('time' in mark) text += farness(mark.time - now);
      else if ('entry' in mark) text += `T${entries.indexOf(mark.entry)}`;
      else {
        const name = names.get(mark.name) ?? names.size;
        if (name === names.size) names.set(mark.name, name);
        text += `N${name}`;
      }
    }
  }
  return text;
}

function entriesOf(parts: readonly Part[]): number[] {
  const entries = new Set<number>();
  for (const part of parts) for (const mark of part.marks) if ('entry' in mark) entries.add(mark.entry);
  return [...entries].sort((a, b) => a - b);
}

/** A minute is what the sweep lets things rest; before that, nothing asks how long something has been over. */
const farness = (ms: number): string => (ms > 500 ? `+${Math.round(ms / 1000)}` : ms < -59_000 ? 'O' : 'P');
