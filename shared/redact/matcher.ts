import { type Form, shortest } from './forms.ts';

/** Where a form, or a fragment of one, stands in a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds many forms in one pass. Forms may be added at any time. */
export interface Matcher {
  add(forms: readonly Form[]): void;
  /** Everything that matches, overlaps joined, in order. */
  spans(text: string): Span[];
  /** Where the longest end of `text` begins that more text could turn into a form; `text.length` when there is none. */
  openEnd(text: string): number;
}

/**
 * Each form lies in a bucket by its first four characters. A bit per hash of four characters lets the scan pass nearly every
 * position of a text without a look-up, so its cost hardly depends on the number of forms; nothing is built before the
 * first scan, because values are registered one by one all through a run.
 */
export function createMatcher(): Matcher {
  const known = new Map<string, Form>();
  const starts = createBuckets();
  const tails = createBuckets();
  let longest = 0;

  function add(forms: readonly Form[]): void {
    for (const form of forms) {
      const before = known.get(form.text);
      if (before && (before.fragment ?? Number.POSITIVE_INFINITY) <= (form.fragment ?? Number.POSITIVE_INFINITY)) continue;
      if (before) starts.drop(before.text, before);
      known.set(form.text, form);
      starts.put(form.text, form);
      if (form.fragment !== undefined) tails.put(tailOf(form), form);
      longest = Math.max(longest, form.text.length);
    }
  }

  function spans(text: string): Span[] {
    const found: Span[] = [];
    for (let at = 0; at + shortest <= text.length; at++) {
      const hash = hashAt(text, at);
      if (starts.mayHold(hash)) {
        const length = longestFrom(starts.at(text, at), text, at);
        if (length > 0) found.push({ start: at, end: at + length });
      }
      if (tails.mayHold(hash)) {
        for (const form of tails.at(text, at)) {
          const span = tailSpan(form, text, at);
          if (span) found.push(span);
        }
      }
    }
    return joinSpans(found);
  }

  function openEnd(text: string): number {
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
      const end = text.slice(at);
      if (starts.begins(end, (form) => form.text) || tails.begins(end, tailOf)) return at;
    }
    return text.length;
  }

  return { add, spans, openEnd };
}

function longestFrom(forms: readonly Form[], text: string, at: number): number {
  let longest = 0;
  for (const form of forms) {
    const length = commonLength(form.text, text, at);
    const matches = length === form.text.length || (form.fragment !== undefined && length >= form.fragment);
    if (matches && length > longest) longest = length;
  }
  return longest;
}

/** The span of a form's tail at `at`, carried back as far as the form goes on matching. */
function tailSpan(form: Form, text: string, at: number): Span | undefined {
  const tail = tailOf(form);
  if (!text.startsWith(tail, at)) return undefined;
  let start = at;
  let inForm = form.text.length - tail.length;
  while (start > 0 && inForm > 0 && text.charCodeAt(start - 1) === form.text.charCodeAt(inForm - 1)) {
    start -= 1;
    inForm -= 1;
  }
  return { start, end: at + tail.length };
}

const tailOf = (form: Form) => form.text.slice(-(form.fragment ?? form.text.length));

function commonLength(form: string, text: string, at: number): number {
  const most = Math.min(form.length, text.length - at);
  let length = 0;
  while (length < most && form.charCodeAt(length) === text.charCodeAt(at + length)) length += 1;
  return length;
}

/** The same spans in order, overlapping ones joined. */
export function joinSpans(spans: Span[]): Span[] {
  const all: { start: number; end: number }[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else all.push({ ...span });
  }
  return all;
}

/** All 32 bits: a table takes as many of the first ones as it has places for. */
function hashAt(text: string, at: number): number {
  return (
    Math.imul(text.charCodeAt(at), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(at + 1), 0x85ebca6b) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b2ae35) ^
    Math.imul(text.charCodeAt(at + 3), 0x27d4eb2f)
  );
}

/** Places of a table: 4,096 for the few values of most runs, a quarter of a million at most. */
const [fewestBits, mostBits] = [12, 18];

/** Forms by the first four characters of a needle; also asked for every beginning of a needle. */
function createBuckets() {
  const buckets = new Map<string, Form[]>();
  let bits = fewestBits;
  let hashes: Uint8Array | undefined; // made with the first form, since most redactors of a plan without secrets see none
  const beginnings = new Set<string>();
  const none: readonly Form[] = [];
  /** One place in sixteen is taken at most, so that nearly every position of a text is passed without a look-up. */
  function note(first: string): void {
    const full = hashes !== undefined && buckets.size * 16 > hashes.length && bits < mostBits;
    if (full) bits += 2;
    if (full || hashes === undefined) hashes = new Uint8Array(1 << bits);
    for (const each of full ? buckets.keys() : [first]) hashes[hashAt(each, 0) >>> (32 - bits)] = 1;
  }

  const bucket = (text: string, at: number): readonly Form[] => buckets.get(text.slice(at, at + shortest)) ?? none;

  return {
    put(needle: string, form: Form): void {
      const first = needle.slice(0, shortest);
      const forms = buckets.get(first);
      if (forms) forms.push(form);
      else {
        buckets.set(first, [form]);
        note(first);
      }
      for (let length = 1; length < shortest; length++) beginnings.add(needle.slice(0, length));
    },
    drop(needle: string, form: Form): void {
      const forms = buckets.get(needle.slice(0, shortest));
      forms?.splice(forms.indexOf(form), 1);
    },
    mayHold: (hash: number): boolean => hashes?.[hash >>> (32 - bits)] === 1,
    at: bucket,
    /** Whether `end` is the beginning of a needle and not all of it. */
    begins(end: string, needleOf: (form: Form) => string): boolean {
      if (end.length < shortest) return beginnings.has(end);
      return bucket(end, 0).some((form) => needleOf(form).length > end.length && needleOf(form).startsWith(end));
    },
  };
}
