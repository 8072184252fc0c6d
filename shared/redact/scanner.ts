import type { Form } from './forms.ts';
import { createMatcher, joinSpans, type Matcher, type Span } from './matcher.ts';
import { type Reading, readingsOf, unfinishedAt } from './readings.ts';

/** Less than this on both sides of a break together is a coincidence. */
const shortestOverBreak = 8;
/** So much of a form at the end of a line is held back in a stream: fewer letters begin some form or other, and no line would leave before the next. */
const heldOverBreak = 3;

/** Finds forms in a text however it is read ({@link readingsOf}), and those of hex in whatever case each digit has. Spans are of the text. */
export interface Scanner {
  /** `hex`: forms of hex digits, in lower case. */
  add(forms: readonly Form[], hex: readonly Form[]): void;
  spans(text: string): Span[];
  /** Where the part of `text` ends that no later text can change. */
  settled(text: string): number;
}

const hexRun = /[0-9a-f]{8}/i;

export function createScanner(): Scanner {
  const matcher = createMatcher();
  const hexMatcher = createMatcher();

  function spansIn({ view, joined }: Reading): Span[] {
    const found = [...matcher.spans(view.text), ...(hexRun.test(view.text) ? hexMatcher.spans(lowerHex(view.text)) : [])];
    return found.flatMap((span) => {
      const kept = joined ? overBreak(span, view) : span;
      return kept ? [{ start: view.startOf(kept.start), end: view.endOf(kept.end - 1) }] : [];
    });
  }

  function spans(text: string): Span[] {
    return joinSpans(readingsOf(text).flatMap(spansIn));
  }

  function settled(text: string): number {
    const cut = unfinishedAt(text);
    const readings = readingsOf(text.slice(0, cut), true);
    const ends = readings.map((reading) => {
      const { view } = reading;
      const open = Math.min(openEnd(matcher, view.text, reading.joined), openEnd(hexMatcher, lowerHex(view.text), reading.joined));
      return open < view.text.length ? view.startOf(open) : cut;
    });
    return wholeIn(readings, Math.min(cut, ...ends));
  }

  return {
    add(forms, hex) {
      matcher.add(forms);
      hexMatcher.add(hex);
    },
    spans,
    settled,
  };
}

function openEnd(matcher: Matcher, text: string, joined: Reading['joined']): number {
  const open = matcher.openEnd(text);
  return joined === 'lines' && text.length - open < heldOverBreak ? text.length : open;
}

/** A span of joined text, where it goes over a break: anything else was seen before. */
function overBreak(span: Span, view: Reading['view']): Span | undefined {
  return view.breakIn(span.start, span.end) !== undefined && span.end - span.start >= shortestOverBreak ? span : undefined;
}

/** No reading's escape is cut apart. */
function wholeIn(readings: readonly Reading[], place: number): number {
  let at = place;
  for (let before = -1; before !== at; ) {
    before = at;
    for (const { view } of readings) at = view.whole(at);
  }
  return at;
}

const lowerHex = (text: string): string => text.replace(/[A-F]/g, (digit) => digit.toLowerCase());
