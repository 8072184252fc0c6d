/**
 * The ways a text may be read: each undoes what somebody did to a text that may hold a value. They find what no list of spellings
 * holds, because a writer may escape one character and not the next, or break a line anywhere.
 */
import { asItIs, undone, type View } from './view.ts';

/** One way of writing that can be undone: `trigger` is there in every text that needs it, `unfinished` at the end of one that is cut off in it. */
interface Writing {
  readonly trigger: string;
  readonly pattern: RegExp;
  readonly unfinished: RegExp;
  read(match: RegExpExecArray): string | undefined;
}

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', sol: '/', bsol: '\\', num: '#', percnt: '%', dollar: '$', excl: '!' },
  ...{ ast: '*', plus: '+', comma: ',', period: '.', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@', Hat: '^', lowbar: '_' },
  ...{ grave: '`', lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', lbrace: '{', rcub: '}', rbrace: '}' },
  ...{ verbar: '|', vert: '|', tilde: '~', hyphen: '-', dash: '-', Tab: '\t', NewLine: '\n' },
};

const entities: Writing = {
  trigger: '&',
  pattern: /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,7}));/g,
  unfinished: /&(?:#\d{0,7}|#[xX][0-9a-fA-F]{0,6}|[A-Za-z]{0,7})$/,
  read: ([, decimal, hex, name]) => (name === undefined ? character(Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10)) : own(named, name)),
};

const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '/': '/', '\\': '\\' };

const backslashes: Writing = {
  trigger: '\\',
  pattern: /\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|(["'\\/bfnrt]))/g,
  unfinished: /\\(?:u[0-9a-fA-F]{0,3}|u\{[0-9a-fA-F]{0,6}|x[0-9a-fA-F]?)?$/,
  read: ([, unit, point, byte, letter]) => (letter === undefined ? character(Number.parseInt(unit ?? point ?? byte ?? '', 16)) : own(short, letter)),
};

const percents: Writing = {
  trigger: '%',
  pattern: /%(?:[0-7][0-9a-f]|[cd][0-9a-f]%[89ab][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-7](?:%[89ab][0-9a-f]){3})/gi,
  unfinished: /(?:%[c-f][0-9a-f](?:%[89ab][0-9a-f]){0,2}(?:%[0-9a-f]?)?|%[0-9a-f]?)$/i,
  read: ([text]) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return undefined;
    }
  },
};

const writings = [entities, backslashes, percents] as const;

/** A text whose escapes were escaped themselves, and so on: as deep as anybody has been seen to go. */
const deepest = 3;

const lineBreak = /[ \t]*[\r\n]\s*/g;
/** At the end of a text, white space may yet turn out to stand before a break. */
const lineBreakOrEnd = /[ \t]*[\r\n]\s*|[ \t]+$/g;

/** Bytes apart: `de:ad:be:ef`, `de ad be ef`. */
const bytesApart = /(?<=[0-9a-f]{2})[:\- ](?=[0-9a-f]{2}(?![0-9a-f]))/gi;
const bytesApartOrEnd = /(?<=[0-9a-f]{2})[:\- ](?=[0-9a-f]{2}(?![0-9a-f])|[0-9a-f]?$)/gi;
const someBytesApart = /(?:[0-9a-f]{2}[:\- ]){3}/i;
const endsInBytes = /[0-9a-f]{2}[:\- ][0-9a-f]{0,2}$/i;

/** A reading, and what was joined in it: then only what goes over a break is news. */
export interface Reading {
  readonly view: View;
  readonly joined?: 'lines' | 'bytes';
}

/**
 * Every reading of a text, the text itself first.
 *
 * @param more whether more text may follow: then what may yet be part of a break reads as one.
 */
export function readingsOf(text: string, more = false): Reading[] {
  const plain = asItIs(text);
  const read = [plain, ...escapesUndone(plain)];
  const breaks = more ? lineBreakOrEnd : lineBreak;
  const lines = read.flatMap((view) => (hasBreak(view.text, more) ? (undone(view, breaks, () => '') ?? []) : []));
  const apart = someBytesApart.test(text) || (more && endsInBytes.test(text));
  const bytes = apart ? undone(plain, more ? bytesApartOrEnd : bytesApart, () => '') : undefined;
  return [
    ...read.map((view): Reading => ({ view })),
    ...lines.map((view): Reading => ({ view, joined: 'lines' })),
    ...(bytes ? [{ view: bytes, joined: 'bytes' } as const] : []),
  ];
}

/** Each way of escaping undone by itself, and all of them together, again and again. */
function escapesUndone(plain: View): View[] {
  const present = writings.filter(({ trigger }) => plain.text.includes(trigger));
  const single = present.flatMap(({ pattern, read }) => undone(plain, pattern, read) ?? []);
  const deep: View[] = [];
  let view = single.length === 1 ? single[0] : allUndone(plain);
  if (single.length > 1 && view) deep.push(view);
  for (let depth = 1; depth < deepest && view; depth++) {
    view = allUndone(view);
    if (view) deep.push(view);
  }
  return [...single, ...deep];
}

const anyEscape = new RegExp(writings.map(({ pattern }) => pattern.source.replaceAll(/\((?!\?)/g, '(?:')).join('|'), 'gi');
/** The same for one match of {@link anyEscape}, which does not say which of them it is. */
const oneEscape = new Map(
  writings.map(({ trigger, pattern, read }) => [trigger, { read, pattern: new RegExp(`^${pattern.source}$`, pattern.flags.replace('g', '')) }]),
);

function allUndone(view: View): View | undefined {
  if (!writings.some(({ trigger }) => view.text.includes(trigger))) return undefined;
  return undone(view, anyEscape, ([text]) => {
    const one = oneEscape.get(text.charAt(0));
    const match = one?.pattern.exec(text);
    return match ? one?.read(match) : undefined;
  });
}

const hasBreak = (text: string, more: boolean): boolean => text.includes('\n') || text.includes('\r') || (more && /[ \t]$/.test(text));

/** Where an escape begins that the end of the text cuts off; the length of the text when none is. */
export function unfinishedAt(text: string): number {
  const tail = text.slice(-longestEscape);
  const starts = writings.map(({ trigger, unfinished }) => (tail.includes(trigger) ? tail.search(unfinished) : -1)).filter((at) => at >= 0);
  return starts.length === 0 ? text.length : text.length - tail.length + Math.min(...starts);
}

const longestEscape = 16;

const own = (names: Readonly<Record<string, string>>, name: string): string | undefined => (Object.hasOwn(names, name) ? names[name] : undefined);

const character = (point: number): string | undefined => (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined);
