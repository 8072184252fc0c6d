/**
 * Makes text that somebody else wrote harmless inside the Markdown that we write. Line ids, keys, values, provider
 * messages: all of it may hold mentions, links, images, HTML, comment markers, table bars, fences or bidi overrides.
 *
 * GitHub reads Markdown twice: CommonMark first, then filters over the text of the result that link mentions, issue
 * numbers and emoji names. An entity stops the former only; the latter need a character between, U+200B. Nothing is
 * linked inside code. (CommonMark 0.31 sections 2.5 and 4.6; GFM section 6.9.)
 */

/** Zero width; `plain` lets none of its own through. */
const GAP = '\u200B';

/** Longest text of a message and of a name or value, in UTF-16 units. */
const LONGEST_TEXT = 1000;
const LONGEST_CODE = 200;

/**
 * The text on one line with nothing in it that a reader cannot see: white space becomes single spaces; control, format
 * (bidi, zero width) and lone surrogate characters become U+FFFD. For any surface; not yet safe in Markdown.
 */
export function plain(text: string, longest = LONGEST_TEXT): string {
  const visible = text
    .slice(0, longest * 4)
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
  const whole = text.length <= longest * 4 && visible.length <= longest;
  return whole ? visible : `${visible.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Prose inside a paragraph, list item or table cell. An item without text would turn the line above it into a heading: empty text is said. */
export const prose = (text: string, longest = LONGEST_TEXT): string => guarded(plain(text, longest) || '(no text)');

/**
 * Prose in which what stands between backticks is code, as messages and hints have it, and times are written for people: what is copied from
 * there, a command most of all, has nothing invisible in it.
 */
export function message(text: string, longest = LONGEST_TEXT): string {
  const parts = piecesOf(plain(text, longest) || '(no text)');
  return parts.map((part) => (part.code === undefined ? guarded(part.prose) : code(part.code, longest))).join('');
}

type Piece = { readonly prose: string; readonly code?: undefined } | { readonly code: string };

/** A text of one line, cut where code begins and ends. A backtick without its other half is prose. */
export function piecesOf(visible: string): readonly Piece[] {
  return visible.split(/`([^`]+)`/).flatMap((part, at, all): Piece[] => {
    if (at % 2 === 1) return [{ code: part }];
    // Backticks that touch would be one mark of two.
    if (part === '') return at > 0 && at < all.length - 1 ? [{ prose: ' ' }] : [];
    return [{ prose: part.replace(exactTime, '$1 $2 UTC') }];
  });
}

/** A time in ISO 8601 to the second or finer, in UTC. */
const exactTime = /\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z\b/g;

function guarded(visible: string): string {
  return visible
    .replace(/@|(?<=^|\W)gh-(?=\d)|#(?=\d)|:(?=[\w+-]+:)|www(?=\.)/gi, `$&${GAP}`)
    .replace(/:(?=\/\/)/g, `${GAP}:`)
    .replace(/[&<>`*[\]|\\~$]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_|^[-+=#]|(?<=^\d+)[.)]/gu, entity)
    .replaceAll(GAP, entity(GAP));
}

/**
 * A name or value as code: in backticks while nothing in it could end them or a table cell, else in an HTML element with
 * every special character as an entity. Text that is empty shows as `""`.
 */
export function code(text: string, longest = LONGEST_CODE): string {
  const visible = plain(text, longest);
  if (visible === '') return '`""`';
  return /[`|<>]|\\$/.test(visible) ? `<code>${markup(visible)}</code>` : `\`${visible}\``;
}

/** A name or value as code inside a line of HTML, where Markdown is not read. */
export const htmlCode = (text: string, longest = LONGEST_CODE): string => `<code>${markup(plain(text, longest))}</code>`;

/**
 * Text as it is written, line by line, in an HTML block that it cannot leave: what could be Markdown, HTML, a comment or a mention is an
 * entity. Nothing is linked or mentioned inside `pre`, so that nothing invisible has to stand between: commands are copied from here.
 */
export const preformatted = (rows: readonly string[]): string => `<pre>${rows.map((row) => row.replace(/[&<>"'`@#[\]*_~|\\$!]/g, entity)).join('\n')}</pre>`;

/** Every character that any reader of Markdown or HTML could take for syntax, as an entity. */
const markup = (visible: string): string =>
  visible.replace(/[^\p{L}\p{N} ,;=%/…\u{FFFD}-]/gu, (found) => (found === '@' ? entity(found) + entity(GAP) : entity(found)));

function entity(character: string): string {
  if (character === '<') return '&lt;';
  if (character === '>') return '&gt;';
  if (character === '&') return '&amp;';
  return `&#${character.codePointAt(0)};`;
}

/**
 * JSON in pure ASCII without backtick, angle bracket, ampersand or at sign: still JSON, and no fence, comment or mention
 * can begin or end in it. One line; lines inside come from `indent` alone.
 */
export function asciiJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(/[`<>&@\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A fenced block that its content cannot leave: `json` holds no backtick. */
export const jsonBlock = (json: string): string => `\`\`\`json\n${json}\n\`\`\``;
