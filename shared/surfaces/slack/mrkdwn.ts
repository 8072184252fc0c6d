/**
 * Makes text that somebody else wrote harmless inside the mrkdwn that we write. Slack reads `<…>` as links, mentions and broadcasts, and
 * asks for three characters to be escaped; what else it styles is held apart by a character without width. Our texts are sent as
 * `verbatim`, so that it links nothing by itself. docs.slack.dev/messaging/formatting-message-text, "Escaping text".
 */
import { piecesOf, plain } from '../escape.ts';

/** Zero width; `plain` lets none of its own through. */
const GAP = '\u200B';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character] as string);

/** Text as it is meant inside a paragraph: no mention, link, emoji or style begins in it. */
export const mrkdwn = (text: string, longest = 300): string => guarded(plain(text, longest));

/** Text in which what stands between backticks is code, as messages and hints have it: a command is copied whole from there. */
export function message(text: string, longest = 300): string {
  return piecesOf(plain(text, longest))
    .map((part) => (part.code === undefined ? guarded(part.prose) : code(part.code, longest)))
    .join('');
}

/** An underscore inside a word styles nothing: codes and names are copied as they are. */
const guarded = (visible: string): string => escaped(visible).replace(/[*~`@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=[\w+'-]+:)/gu, `$&${GAP}`);

/** A name or value as code. What could end it is another character of the same look. */
export function code(text: string, longest = 60): string {
  const visible = plain(text, longest).replaceAll('`', 'ˋ');
  return visible === '' ? '`""`' : `\`${escaped(visible)}\``;
}

/** A moment as each reader's clock shows it; in UTC where Slack cannot. @param at epoch ms. */
export const moment = (at: number): string =>
  `<!date^${Math.floor(at / 1000)}^{date_short_pretty} {time}|${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC>`;

/** A person by the id of their account; what is no such id is a name, and mentions nobody. */
export const person = (named: string): string => (/^[UW][A-Z0-9]{1,30}$/.test(named) ? `<@${named}>` : mrkdwn(named, 60));

/** A group of people by its id, else a person. */
export const group = (id: string): string => (/^S[A-Z0-9]{1,30}$/.test(id) ? `<!subteam^${id}>` : person(id));

/** A link that leads where it says; the words alone for what is no web address. */
export function link(url: string, words: string): string {
  return /^https?:\/\/[^\s|<>"]+$/.test(url) ? `<${url.replaceAll('&', '&amp;')}|${escaped(words)}>` : escaped(words);
}
